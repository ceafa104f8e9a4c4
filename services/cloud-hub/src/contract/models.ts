// The models of spec 1 B. Clients of the original service fail on an unknown field: never add one.
import Type, { type TSchema } from 'typebox'

export const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** Names of the session types; the position is the number older clients send, counted from 1. */
export const sessionTypes = ['SingleSignature', 'MultiSignature', 'SignatureSession', 'AuthenticationSession'] as const

export type SessionType = (typeof sessionTypes)[number]

/** The same for identifier types. */
export const identifierTypes = ['CPF', 'CNPJ'] as const

export type IdentifierType = (typeof identifierTypes)[number]

/** A name in any case, its number, or its number as text. */
const namedOrNumbered = (names: readonly string[]) =>
  Type.Union([Type.String(), Type.Integer()], {
    description: `One of ${names.join(', ')}; the numbers 1 to ${names.length} of older clients are accepted.`,
  })

export const SessionTypeValue = namedOrNumbered(sessionTypes)
export const IdentifierTypeValue = namedOrNumbered(identifierTypes)

/** States of a hash of a list that a session is bound to; the table of moves is in `rules/listed-hash-states.ts`. */
export const listedHashStates = ['open', 'sent', 'signed'] as const

export type ListedHashState = (typeof listedHashStates)[number]

export const TrustServiceInfoModel = Type.Object(
  {
    serviceName: Type.String({ description: "The provider's name in the hub." }),
    provider: Type.String({ description: 'The company operating the service.' }),
    endpoint: Type.String({ description: "The provider's API address." }),
    badgeUrl: orNull(Type.String({ description: "The provider's logo." })),
  },
  { $id: 'TrustServiceInfoModel' },
)

export const TrustServiceAuthParametersModel = Type.Object(
  { serviceInfo: TrustServiceInfoModel, authUrl: Type.String({ description: 'Where to send the user.' }) },
  { $id: 'TrustServiceAuthParametersModel' },
)

export const SessionModel = Type.Object(
  { services: Type.Array(TrustServiceAuthParametersModel) },
  { $id: 'SessionModel' },
)

export const CertificateModel = Type.Object(
  {
    content: Type.String({ description: 'DER, base64.' }),
    alias: Type.String({ description: "The certificate's identifier at the provider." }),
    serviceName: Type.String(),
  },
  { $id: 'CertificateModel' },
)

export const GetServiceAvailabilityResponse = Type.Object(
  {
    discoveryAvailable: Type.Boolean({ description: 'Whether the provider answered.' }),
    certificateFound: orNull(
      Type.Boolean({ description: 'Null when the provider did not answer, and when nobody was named.' }),
    ),
  },
  { $id: 'GetServiceAvailabilityResponse' },
)

/** Of any length: one that is longer than ours is a session the hub does not know, and no malformed request. */
export const SessionValue = Type.String({ minLength: 1, description: 'The value the redirect URI received.' })

export const Base64 = Type.String({ minLength: 1, maxLength: 1024, description: 'Base64.' })
