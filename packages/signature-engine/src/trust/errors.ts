import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const trustErrors = {
  'trust.no-certificates': 'There are no certificates in the file.',
  'trust.no-official-roots': 'No certificate of the file is an official root of ICP-Brasil.',
  'trust.roots-needed': 'No roots are given and downloads are off: pass `roots`, or `downloads: true`.',
  'trust.zip-malformed': 'The zip archive cannot be read: {reason}.',
} as const satisfies ErrorVocabulary

export const refuseTrust = refuser(trustErrors)
