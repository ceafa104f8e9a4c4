import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const signingErrors = {
  'signing.state-tampered': 'The signing state was changed, or sealed under another secret.',
  'signing.state-unknown': 'The bytes are no signing state of this engine.',
  'signing.state-format': 'The signing state belongs to {format}, not to {expected}.',
  'signing.secret-too-short': 'The secret that seals signing states must have at least 32 bytes.',
  'signing.document-missing': 'The signing state was sealed without its document: pass the document again.',
  'signing.document-changed': 'The document is not the one that was prepared.',
  'signing.wrong-signature': 'The signature was not made by the key of the certificate over the prepared bytes.',
  'signing.commitment-unknown':
    'The commitment {commitment} is none of {known}, and no object identifier of another type.',
  'signing.claims-unusable': 'The {what} are not a list of at most {limit}.',
  'signing.place-empty': 'The place where it is signed has none of {fields}.',
  'signing.timestamps-missing': 'A content timestamp needs a timestamp client.',
  'signing.timestamp-digest': 'A content timestamp is made over SHA-256 or SHA-512, not over {digest}.',
  'signing.text-unusable': 'The {what} is not a text of 1 to {limit} characters without control characters.',
} as const satisfies ErrorVocabulary

export const refuseSigning = refuser(signingErrors)
