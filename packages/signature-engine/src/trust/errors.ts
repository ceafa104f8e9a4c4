import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const trustErrors = {
  'trust.no-certificates': 'There are no certificates in the file.',
  'trust.zip-malformed': 'The zip archive cannot be read: {reason}.',
} as const satisfies ErrorVocabulary

export const refuseTrust = refuser(trustErrors)
