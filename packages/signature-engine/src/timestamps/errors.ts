import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const timestampErrors = {
  'timestamp.unavailable': 'No timestamp authority gave a timestamp: {reasons}',
  'timestamp.no-authority': 'No timestamp authority is configured.',
  'timestamp.refused': 'The authority answered “{status}”{because}.',
  'timestamp.bad-query': 'The request is no timestamp request: {reason}',
  'timestamp.malformed': 'The answer is no timestamp: {reason}',
  'timestamp.http-status': 'The authority answered with HTTP status {status}.',
  'timestamp.wrong-imprint': 'The timestamp is over other bytes than those sent.',
  'timestamp.wrong-nonce': 'The timestamp answers another request: its nonce is not the one sent.',
  'timestamp.wrong-policy': 'The timestamp was made under policy {found}, not {expected}.',
  'timestamp.wrong-signature': 'The signature of the timestamp does not hold: {reason}.',
  'timestamp.wrong-purpose': 'The certificate of the timestamp authority is not for time stamping alone.',
  'timestamp.untrusted': 'The timestamp authority is not trusted: {reason}.',
} as const satisfies ErrorVocabulary

export const refuseTimestamp = refuser(timestampErrors)
