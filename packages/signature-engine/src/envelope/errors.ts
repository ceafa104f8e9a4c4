import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const envelopeErrors = {
  'envelope.no-recipients': 'An envelope needs at least one recipient.',
  'envelope.recipient-unusable': 'The certificate of {recipient} cannot receive an envelope: {reason}.',
  'envelope.recipient-expired': 'The certificate of {recipient} is not valid now.',
  'envelope.too-large': 'The content has more than the {limit} bytes that AES-GCM protects under one key.',
  'envelope.size-mismatch': 'The content has {actual} bytes where {expected} were announced.',
  'envelope.not-an-envelope': 'The file is no CMS envelope.',
  'envelope.malformed': 'The envelope is malformed: {reason}.',
  'envelope.truncated': 'The envelope is cut off.',
  'envelope.unsupported': 'The envelope uses {algorithm}, which this engine does not open.',
  'envelope.no-recipient': 'The envelope is not addressed to this key.',
  'envelope.tampered': 'The envelope was changed after it was closed; nothing of it was released.',
  'envelope.unauthenticated':
    'The envelope does not protect its content against changes; opening it must be asked for.',
  'envelope.too-large-for-memory': 'The content has more than the {limit} bytes allowed in memory.',
} as const satisfies ErrorVocabulary

export const refuseEnvelope = refuser(envelopeErrors)

export const malformed = (reason: string, cause?: unknown) => refuseEnvelope('envelope.malformed', { reason }, cause)
export const unsupported = (algorithm: string) => refuseEnvelope('envelope.unsupported', { algorithm })
