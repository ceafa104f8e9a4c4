import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const x509Errors = {
  'certificate.malformed': 'The bytes are no X.509 certificate: {reason}.',
  'certificate.key-unsupported': 'The certificate has a public key of a kind this engine does not know.',
  'cpf.malformed': 'A CPF begins with nine digits.',
  'cnpj.malformed': 'A CNPJ begins with twelve digits or capital letters.',
} as const satisfies ErrorVocabulary

export const refuseCertificate = refuser(x509Errors)
