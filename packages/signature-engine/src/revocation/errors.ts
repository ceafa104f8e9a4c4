import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const revocationErrors = {
  'revocation.malformed-crl': 'The bytes are no certificate revocation list: {reason}.',
  'revocation.unknown-critical': 'The revocation data has a critical extension this engine does not know: {oid}.',
  'revocation.wrong-signature': 'The list was not signed by {issuer}.',
  'revocation.malformed-ocsp': 'The bytes are no OCSP response: {reason}.',
  'revocation.ocsp-refused': 'The OCSP responder gave no answer but the status {status}.',
  'revocation.unavailable': 'There is no usable revocation data for {subject}: {reason}',
} as const satisfies ErrorVocabulary

export const refuseRevocation = refuser(revocationErrors)
