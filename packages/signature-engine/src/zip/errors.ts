import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const zipErrors = {
  'zip.malformed': 'The zip archive cannot be read: {reason}.',
  'zip.unsupported': 'The zip archive uses {feature}, which is not read.',
  'zip.too-large': 'The zip archive has more than {limit} {what}.',
  'zip.ambiguous': 'The zip archive can be read in two ways: {reason}.',
  'zip.unsafe-name': 'The zip archive has a file named {name}, which would be written outside its folder.',
  'zip.duplicate-name': 'The zip archive has the file {name} twice.',
} as const satisfies ErrorVocabulary

export const refuseZip = refuser(zipErrors)
