import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const policyErrors = {
  'policy.no-such-form': '{format} has no {name} in ICP-Brasil; it has {available}.',
  'policy.no-version': 'No version of {name} for {format} may be signed under at {time} with the root {root}.',
  'policy.algorithm-forbidden': 'The signature policies of ICP-Brasil for {format} do not allow {algorithm}.',
  'policy.list-unreadable': 'The bytes are no list of approved signature policies (LPA): {reason}',
  'policy.list-too-large': 'The list of approved signature policies has more than {limit} bytes.',
} as const satisfies ErrorVocabulary

export const refusePolicy = refuser(policyErrors)
