// Operations under an authorized session.
import Type from 'typebox'
import { Base64, CertificateModel, listedHashStates, orNull, SessionTypeValue, SessionValue } from './models.ts'

const tags = ['Signing']

const sessionQuery = Type.Object({ session: SessionValue })

const sessionRefusals = ['SessionExpired', 'SessionInvalidOrAlreadyUsed'] as const
const providerRefusals = [
  'ProviderUnavailable',
  'ProviderTimeout',
  'ProviderConnectionLost',
  'ProviderError',
  'ProviderMisconfigured',
] as const

export const readCertificate = {
  method: 'GET',
  path: '/api/sessions/certificate',
  operationId: 'readCertificate',
  summary: "The session's certificate: DER, base64, as a bare JSON string.",
  tags,
  query: sessionQuery,
  answer: Type.String(),
  refusals: [...sessionRefusals, 'CertificateNotFound', ...providerRefusals],
} as const

export const readCertificateModel = {
  ...readCertificate,
  path: '/api/v2/sessions/certificate',
  operationId: 'readCertificateModel',
  summary: "The session's certificate with its alias, which sign-hash takes as certificateAlias.",
  answer: CertificateModel,
} as const

const how = {
  digestAlgorithmOid: Type.Optional(
    Type.String({ maxLength: 64, description: 'OID of the digest algorithm; takes precedence over digestAlgorithm.' }),
  ),
  digestAlgorithm: Type.Optional(Type.String({ maxLength: 64, description: 'Its name, for example SHA-256.' })),
  certificateAlias: Type.Optional(
    Type.String({ maxLength: 512, description: 'Default: the certificate GET /api/sessions/certificate returns.' }),
  ),
}

const signingRefusals = [
  'DigestAlgorithmNameOrOidIsRequired',
  'InvalidDigestAlgorithm',
  ...sessionRefusals,
  'CertificateNotFound',
  'CertificateAliasNotFound',
  'TooManyHashes',
  'HashNotAuthorized',
  'IdempotencyKeyReused',
  ...providerRefusals,
  'InvalidProviderSignature',
] as const

const headers = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The same key with the same request answers the same signature; nothing is signed twice.',
    }),
  ),
})

export const signHash = {
  method: 'POST',
  path: '/api/sessions/sign-hash',
  operationId: 'signHash',
  summary: 'Signs a hash; the signature, base64, as a bare JSON string. Allow up to two minutes.',
  tags,
  headers,
  body: Type.Object({ session: SessionValue, hash: Base64, ...how }, { $id: 'SignHashRequest' }),
  answer: Type.String(),
  refusals: signingRefusals,
} as const

export const signHashes = {
  method: 'POST',
  path: '/api/sessions/sign-hashes',
  operationId: 'signHashes',
  summary: 'Signs several hashes in one call of the provider.',
  description: 'Not in the original contract. The signatures are in the order of the hashes: all of them, or none.',
  tags: ['Extensions'],
  headers,
  body: Type.Object(
    {
      session: SessionValue,
      hashes: Type.Array(Base64, { minItems: 1, maxItems: 1000 }),
      ...how,
    },
    { $id: 'SignHashesRequest' },
  ),
  answer: Type.Object({ signatures: Type.Array(Type.String()) }, { $id: 'SignHashesModel' }),
  refusals: signingRefusals,
} as const

export const readCustomState = {
  method: 'GET',
  path: '/api/sessions/custom-state',
  operationId: 'readCustomState',
  summary: 'The customState given at creation, as a JSON string, or null.',
  tags,
  query: sessionQuery,
  answer: orNull(Type.String()),
  refusals: ['SessionInvalidOrAlreadyUsed'],
} as const

export const readStatus = {
  method: 'GET',
  path: '/api/sessions/status',
  operationId: 'readStatus',
  summary: 'What is left of a session.',
  description: 'Not in the original contract.',
  tags: ['Extensions'],
  query: sessionQuery,
  answer: Type.Object(
    {
      serviceName: Type.String(),
      type: SessionTypeValue,
      expiresAt: Type.String({ format: 'date-time' }),
      remainingSeconds: Type.Integer({ minimum: 0 }),
      remainingHashes: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: 'Hashes that may still be signed, where the session is bound to some.',
        }),
      ),
      documents: Type.Optional(
        Type.Array(
          Type.Object({
            name: Type.String(),
            hash: Type.String(),
            state: Type.Enum([...listedHashStates], {
              description:
                '`open`: may be signed. `sent`: was sent to the provider, which is signing it or may have; it is not sent again. `signed`.',
            }),
          }),
          { description: 'The list the session is bound to, in its order.' },
        ),
      ),
    },
    { $id: 'SessionStatusModel' },
  ),
  refusals: sessionRefusals,
} as const

export const endSession = {
  method: 'POST',
  path: '/api/sessions/end',
  operationId: 'endSession',
  summary: 'Ends a session: its token is forgotten, and revoked where the provider can.',
  description: 'Not in the original contract. A session that is over already stays so; the answer is the same.',
  tags: ['Extensions'],
  body: Type.Object({ session: SessionValue }, { $id: 'EndSessionRequest' }),
  refusals: ['SessionInvalidOrAlreadyUsed'],
} as const
