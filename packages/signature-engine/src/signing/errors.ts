import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const signingErrors = {
  'signing.state-tampered': 'The signing state was changed, or sealed under another secret.',
  'signing.state-unknown': 'The bytes are no signing state of this engine.',
  'signing.state-format': 'The signing state belongs to {format}, not to {expected}.',
  'signing.secret-too-short': 'The secret that seals signing states must have at least 32 bytes.',
  'signing.document-missing': 'The signing state was sealed without its document: pass the document again.',
  'signing.document-changed': 'The document is not the one that was prepared.',
  'signing.wrong-signature': 'The signature was not made by the key of the certificate over the prepared bytes.',
} as const satisfies ErrorVocabulary

export const refuseSigning = refuser(signingErrors)
