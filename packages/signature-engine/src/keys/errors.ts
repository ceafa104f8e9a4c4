import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const keyErrors = {
  'key.does-not-match': 'The private key does not belong to the certificate.',
  'key.not-private': 'The key given is not a private key.',
  'key.unsupported':
    'A key of kind {kind} is not one this engine signs with: RSA 2048 to 4096, named curves from 256 bits, Ed25519, Ed448.',
  'key.wrong-size': 'An RSA key of {bits} bits is not one this engine signs with: 2048 to 4096 bits.',
  'key.digest-unsupported':
    'A key of kind {kind} does not sign a digest made elsewhere: RSA keys and those on P-256, P-384 and P-521 do.',
  'key.wrong-digest': 'A digest of {bytes} bytes is not one of {algorithm}.',
  'key.closed': 'The key was let go and no longer signs.',
  'key.failed': 'The key did not sign: {reason}.',
  'key.no-answer': 'The remote key did not answer within {milliseconds} ms.',
  'key.aborted': 'The signature was given up before the remote key answered.',
  'key.bad-answer': 'The remote key answered with something that is no signature.',
} as const satisfies ErrorVocabulary

export const refuseKey = refuser(keyErrors)
