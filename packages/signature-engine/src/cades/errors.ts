import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const cadesErrors = {
  'cades.certificate-not-valid': 'The certificate is valid from {notBefore} to {notAfter}, not at {time}.',
  'cades.timestamps-needed': 'The level {level} needs a timestamp client.',
  'cades.judge-needed': 'The level {level} needs a judge that gathers validation data.',
  'cades.content-needed': 'The signature is detached: pass the content that was signed.',
  'cades.content-changed': 'The content is not the one that was signed.',
  'cades.content-inside': 'The signature has its content inside: pass no other.',
  'cades.policy-differs': 'The signature names the policy {found}, so that it cannot become {level}.',
  'cades.policy-missing': 'The signature names no policy, so that it cannot become {level}.',
  'cades.track-differs': 'The signature has {found}, which the level {level} does not allow.',
  'cades.archived': 'An archive timestamp covers the signature: no counter-signature can be added any more.',
  'cades.closed': 'An archive timestamp covers the certificates of all signatures: none can be added any more.',
  'cades.level-unknown': 'CAdES has no level {level}.',
  'cades.stream-ended': 'The content ended after {found} bytes, but {expected} were announced.',
  'cades.stream-too-long': 'The content has more than the {expected} bytes that were announced.',
  'cades.stream-read-once': 'The level {level} reads the content twice: pass a function that opens it.',
  'cades.tail-too-large': 'What follows the content has more than {limit} bytes.',
} as const satisfies ErrorVocabulary

export const refuseCades = refuser(cadesErrors)
