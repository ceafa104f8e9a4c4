import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const jadesErrors = {
  'jades.malformed': 'The bytes are no JWS: {reason}.',
  'jades.duplicate-name': 'The JSON has the name {name} twice in one object: which value counts cannot be told.',
  'jades.key-unsupported': 'JWS has no algorithm for a key of kind {key}.',
  'jades.digest-unfit': 'A key on the curve of {algorithm} signs with no other digest.',
  'jades.payload-unsafe': 'The content cannot stand in the signature as it is: {reason}.',
  'jades.uri-missing': 'A detached signature needs the URI of its content.',
  'jades.level-unknown': 'JAdES has no level {level}.',
  'jades.timestamps-needed': 'The level {level} needs a timestamp client.',
  'jades.judge-needed': 'The level {level} needs a judge that gathers validation data.',
  'jades.compact': 'A compact JWS has no place for more than a basic signature; ask for JSON.',
  'jades.content-needed': 'The content of the signature is needed for this.',
  'jades.not-extensible': 'The signature cannot be extended: {reason}.',
  'jades.other-payload': 'The further signature would have its content in another form than those that are there.',
} as const satisfies ErrorVocabulary

export const refuseJades = refuser(jadesErrors)

export const malformed = (reason: string, cause?: unknown) => refuseJades('jades.malformed', { reason }, cause)
