import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const derErrors = {
  'der.truncated': 'The ASN.1 value at byte {offset} is cut off.',
  'der.bad-length': 'The ASN.1 value at byte {offset} has a length that DER does not allow.',
  'der.bad-tag': 'The ASN.1 value at byte {offset} has a tag this engine does not read.',
  'der.unexpected': 'The ASN.1 structure holds {found} where {expected} is due, at byte {offset}.',
  'der.bad-value': 'The ASN.1 value at byte {offset} is no proper {expected}.',
  'der.trailing': 'Bytes follow the ASN.1 value that ends at byte {offset}.',
  'der.too-deep': 'The ASN.1 structure is nested more than {limit} levels deep.',
  'der.too-many': 'The ASN.1 structure has more than {limit} members.',
} as const satisfies ErrorVocabulary

export const refuseDer = refuser(derErrors)
