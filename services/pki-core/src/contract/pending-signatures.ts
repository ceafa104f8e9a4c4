// What the component in the browser calls by itself: the token is all it has (pki-core facts 3.2).
import Type from 'typebox'
import { Bytes, bytesOf, orNull, Text } from './common.ts'

const tags = ['Pending signatures']

const toSign = { toSignHash: Bytes, digestAlgorithmOid: Text }

export const readPendingSignature = {
  method: 'GET',
  path: '/Api/PendingSignatures/{token}',
  operationId: 'readPendingSignature',
  summary: 'What is to be signed, and with which certificate where it is known.',
  tags,
  answer: Type.Object({ certificateThumbprint: orNull(Bytes), ...toSign }, { $id: 'PendingSignatureModel' }),
  access: 'anonymous',
  policy: 'PendingSignatures',
  refusals: ['InvalidToken', 'ToSignHashNotAvailable'],
} as const

export const setPendingCertificate = {
  method: 'POST',
  path: '/Api/PendingSignatures/{token}/Certificate',
  operationId: 'setPendingCertificate',
  summary: 'Chooses the certificate; one that fails validation is refused.',
  tags,
  body: Type.Object({ certificate: bytesOf(64 * 1024, 'DER.') }, { $id: 'PendingSignaturePostCertificateRequest' }),
  answer: Type.Object(toSign, { $id: 'PendingSignaturePostCertificateResponse' }),
  access: 'anonymous',
  policy: 'PendingSignatures',
  refusals: [
    'InvalidToken',
    'PKCertificateMalformed',
    'UnsupportedSignatureAlgorithm',
    'CertificateMismatch',
    'ValidationError',
    'ClientSignatureAlreadySet',
    'InvalidPdf',
    'InvalidXml',
    'InvalidCades',
  ],
} as const

export const setPendingSignature = {
  method: 'POST',
  path: '/Api/PendingSignatures/{token}',
  operationId: 'setPendingSignature',
  summary: 'Leaves the signature for whoever began the operation.',
  tags,
  body: Type.Object({ signature: bytesOf(2048, 'Signature over the hash.') }, { $id: 'PendingSignaturePostRequest' }),
  status: 200,
  access: 'anonymous',
  policy: 'PendingSignatures',
  refusals: [
    'InvalidToken',
    'ToSignHashNotAvailable',
    'ValidationError',
    'ClientSignatureNotSet',
    'ClientSignatureAlreadySet',
  ],
} as const
