import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const asicErrors = {
  'asic.no-container': 'The archive is no ASiC container: {reason}.',
  'asic.no-files': 'A container needs a file to sign.',
  'asic.one-file': 'An ASiC-S container holds exactly one file; {count} need ASiC-E.',
  'asic.name-unusable': 'The file name {name} cannot stand in a container.',
  'asic.no-signature': 'The container has no signature.',
  'asic.level-unavailable': 'A container of the form {form} with {signature} signatures has no level {level}.',
  'asic.archived':
    'An archive timestamp covers {name}: it cannot grow any more; ask for B-LTA, which renews the timestamp.',
  'asic.timestamp-nameless': 'The timestamp {name} is without the certificate of its authority and cannot be archived.',
  'asic.manifest-malformed': 'The manifest {name} cannot be read: {reason}.',
} as const satisfies ErrorVocabulary

export const refuseAsic = refuser(asicErrors)
