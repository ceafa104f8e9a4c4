import { type ErrorVocabulary, refuser } from '../../errors/engine-error.ts'

export const pkcs12Errors = {
  'pkcs12.not-pkcs12': 'The file is no PKCS#12 file (.p12, .pfx).',
  'pkcs12.wrong-password': 'The password does not open the PKCS#12 file.',
  'pkcs12.damaged': 'The PKCS#12 file is damaged: {reason}.',
  'pkcs12.unsupported': 'The PKCS#12 file is protected by {algorithm}, which this engine does not read.',
  'pkcs12.too-large': 'The PKCS#12 file has {bytes} bytes, more than the {limit} allowed.',
  'pkcs12.too-expensive': 'Opening the PKCS#12 file takes more than the {limit} key derivation rounds allowed.',
  'pkcs12.no-key': 'The PKCS#12 file holds no private key.',
  'pkcs12.no-certificate': 'The PKCS#12 file holds no certificate for its private key.',
  'pkcs12.ambiguous': 'The PKCS#12 file holds several keys; choose one of: {aliases}.',
  'pkcs12.unknown-alias': 'The PKCS#12 file has no key named {alias}; it has: {aliases}.',
  'pkcs12.interrupted': 'The PKCS#12 file was not opened: the worker ended early.',
} as const satisfies ErrorVocabulary

export const refusePkcs12 = refuser(pkcs12Errors)

export const damaged = (reason: string, cause?: unknown) => refusePkcs12('pkcs12.damaged', { reason }, cause)
export const unsupported = (algorithm: string) => refusePkcs12('pkcs12.unsupported', { algorithm })
