import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const validationPolicyErrors = {
  'validation-policy.unknown-field': 'A validation policy has no field {field}.',
  'validation-policy.wrong-field': '{field} of a validation policy must be {expected}.',
  'validation-policy.protected-finding':
    'A validation policy cannot make {code} {effect}: it says that something is not what was signed, or was not looked at.',
} as const satisfies ErrorVocabulary

export const refuseValidationPolicy = refuser(validationPolicyErrors)
