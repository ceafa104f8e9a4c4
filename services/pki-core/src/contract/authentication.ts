// Authentication with a certificate, in both generations (spec 1 C; pki-core facts 2.1 to 2.7).
import Type from 'typebox'
import { always, Bytes, bytesOf, Flag, maybe, orNull, subscriptionHeader, Text } from './common.ts'
import {
  CertificateModel,
  DigestAlgorithmAndValueModel,
  SignatureParametersModel,
  ValidationResultsModel,
} from './models.ts'

const tags = ['Authentication']

const securityContextId = maybe(
  Type.String({ maxLength: 64, description: 'Default: the security context of the subscription.' }),
)
const ignoreRevocationStatusUnknown = maybe(
  Type.Boolean({ description: 'Whether an unknown revocation status is a warning instead of an error.' }),
)

const Certificate = bytesOf(64 * 1024, 'DER.')
const Signature = bytesOf(2048, 'Signature over the bytes to sign.')

const AuthenticationResults = {
  certificate: orNull(CertificateModel),
  validationResults: orNull(ValidationResultsModel),
}

export const prepareAuthentication = {
  method: 'POST',
  path: '/api/v2/authentication',
  operationId: 'prepareAuthentication',
  summary: 'Prepares an authentication with a certificate.',
  tags,
  headers: subscriptionHeader,
  body: Type.Object({ securityContextId, ignoreRevocationStatusUnknown }, { $id: 'PrepareAuthenticationRequest' }),
  answer: Type.Object(
    {
      state: Type.String({ description: 'Goes to the completion, and is good once.' }),
      toSign: SignatureParametersModel,
      toSignHash: DigestAlgorithmAndValueModel,
    },
    { $id: 'PrepareAuthenticationResponse' },
  ),
  access: 'authentications.run',
  refusals: [...always, 'SecurityContextNotFound'],
} as const

export const completeAuthentication = {
  method: 'POST',
  path: '/api/v2/authentication/completion',
  operationId: 'completeAuthentication',
  summary: 'Completes it: a certificate that fails is an answer, not an error.',
  tags,
  headers: subscriptionHeader,
  body: Type.Object(
    { state: Type.String({ minLength: 1, maxLength: 4096 }), certificate: Certificate, signature: Signature },
    { $id: 'CompleteAuthenticationRequest' },
  ),
  answer: Type.Object(
    {
      success: Flag,
      failure: orNull(Type.Enum(['CertificateFailedValidation', 'StaleSession'])),
      ...AuthenticationResults,
    },
    { $id: 'CompleteAuthenticationResponse' },
  ),
  access: 'authentications.run',
  refusals: always,
} as const

export const startAuthentication = {
  method: 'POST',
  path: '/Api/Authentications',
  operationId: 'startAuthentication',
  summary: 'Starts an authentication (earlier generation).',
  tags,
  body: Type.Object({ securityContextId, ignoreRevocationStatusUnknown }, { $id: 'AuthenticationsPostRequest' }),
  answer: Type.Object(
    {
      token: Type.String({ description: 'Case-sensitive; good once.' }),
      toSignData: Bytes,
      toSignHash: Bytes,
      digestAlgorithmOid: Text,
    },
    { $id: 'AuthenticationsPostResponse' },
  ),
  access: 'authentications.run',
  refusals: [...always, 'SecurityContextRequired'],
} as const

const AuthenticationPostResponse = Type.Object(AuthenticationResults, { $id: 'AuthenticationPostResponse' })

export const finalizeAuthentication = {
  method: 'POST',
  path: '/Api/Authentications/{token}/Finalize',
  operationId: 'finalizeAuthentication',
  summary: 'Ends an authentication whose certificate and signature came as a pending signature.',
  tags,
  answer: AuthenticationPostResponse,
  access: 'authentications.run',
  refusals: [...always, 'InvalidToken', 'ClientSignatureNotSet'],
} as const

export const signedBytesOfAuthentication = {
  method: 'POST',
  path: '/Api/Authentications/{token}/SignedBytes',
  operationId: 'signedBytesOfAuthentication',
  summary: 'Ends an authentication with certificate and signature.',
  tags,
  body: Type.Object(
    { certificate: Certificate, signature: Signature },
    { $id: 'AuthenticationsPostSignedBytesRequest' },
  ),
  answer: Type.Object(AuthenticationResults, { $id: 'AuthenticationsPostSignedBytesResponse' }),
  access: 'authentications.run',
  refusals: [...always, 'InvalidToken'],
} as const

export const readNonce = {
  method: 'GET',
  path: '/Api/Authentication',
  operationId: 'readNonce',
  summary: 'A nonce to sign: 16 bytes, good once.',
  tags,
  answer: Type.Object({ nonce: Bytes }, { $id: 'AuthenticationGetResponse' }),
  access: 'authentications.run',
  refusals: always,
} as const

export const authenticateWithNonce = {
  method: 'POST',
  path: '/Api/Authentication',
  operationId: 'authenticateWithNonce',
  summary: 'Authenticates with a signed nonce; the security context is chosen here.',
  tags,
  body: Type.Object(
    {
      nonce: bytesOf(64, 'As it was given.'),
      certificate: Certificate,
      signature: Signature,
      securityContextId,
      ignoreRevocationStatusUnknown,
    },
    { $id: 'AuthenticationPostRequest' },
  ),
  answer: AuthenticationPostResponse,
  access: 'authentications.run',
  refusals: [...always, 'SecurityContextRequired', 'InvalidToken', 'NonceAlreadyUsed'],
} as const

/** Ids that clients of the original service know by heart (pki-core facts 3.4). */
export const builtInContexts = {
  pkiBrazil: '201856ce-273c-4058-a872-8937bd547d36',
  test: '803517ad-3bbc-4169-b085-60053a8f6dbf',
} as const
