import { type ErrorVocabulary, refuser } from '../../errors/engine-error.ts'

export const pkcs11Errors = {
  'pkcs11.not-installed':
    'PKCS#11 support is not installed: the optional package pkcs11js is missing or did not compile.',
  'pkcs11.module-unusable': 'The PKCS#11 module {module} cannot be used: {reason}.',
  'pkcs11.token-absent': 'The token is not there: {token}.',
  'pkcs11.ambiguous-token': 'Several tokens are there; choose one of: {tokens}.',
  'pkcs11.already-open': 'The token {token} is open already in this process; share it instead of opening it again.',
  'pkcs11.pin-needed': 'The token {token} asks for a PIN.',
  'pkcs11.wrong-pin': 'The token {token} does not accept the PIN. It was tried once and will not be tried again.',
  'pkcs11.pin-locked': 'The PIN of the token {token} is locked.',
  'pkcs11.pin-final-try': 'One more wrong PIN would lock the token {token}; it was not tried.',
  'pkcs11.no-key': 'The token {token} holds no private key with a certificate.',
  'pkcs11.ambiguous-key': 'The token {token} holds several keys; choose one of: {keys}.',
  'pkcs11.unknown-key': 'The token {token} holds no key named {key}; it has: {keys}.',
  'pkcs11.closed': 'The token was closed.',
  'pkcs11.failed': 'The token answered {answer} to {call}.',
} as const satisfies ErrorVocabulary

export const refusePkcs11 = refuser(pkcs11Errors)
