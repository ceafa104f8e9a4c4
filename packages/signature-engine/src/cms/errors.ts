import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const cmsErrors = {
  'cms.not-signed-data': 'The bytes are no CMS signature: their content type is {type}.',
  'cms.malformed': 'The CMS signature is malformed: {reason}',
  'cms.too-many': 'The CMS signature has more than {limit} {what}.',
  'cms.no-such-signer': 'The CMS signature has no signer number {index}.',
  'cms.wrong-digest-length': 'A {digest} digest has {expected} bytes, not {found}.',
  'cms.key-unsupported': 'The certificate has a key of a kind that signs no CMS here.',
} as const satisfies ErrorVocabulary

export const refuseCms = refuser(cmsErrors)
