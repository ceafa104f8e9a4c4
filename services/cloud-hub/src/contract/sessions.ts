// Creating sessions and finding providers.
import Type from 'typebox'
import {
  GetServiceAvailabilityResponse,
  IdentifierTypeValue,
  SessionModel,
  SessionTypeValue,
  TrustServiceAuthParametersModel,
  TrustServiceInfoModel,
} from './models.ts'

const Identifier = Type.String({ maxLength: 32, description: 'CPF or CNPJ, digits only.' })

const identifierType = Type.Optional(IdentifierTypeValue)

const LongText = Type.String({ maxLength: 8192 })

/** Fields of both creating operations. */
const creation = {
  redirectUri: Type.String({
    maxLength: 4096,
    description: 'Absolute URI, registered for the key. The hub appends `session`.',
  }),
  identifier: Type.Optional(Identifier),
  type: Type.Optional(SessionTypeValue),
  lifetimeInSeconds: Type.Optional(
    Type.Integer({ description: 'Requested lifetime; the provider may grant less. 0 is taken for absent.' }),
  ),
  customState: Type.Optional(LongText),
  discover: Type.Optional(Type.Boolean({ description: 'Default true when identifier is given.' })),

  // Not in the original contract: for providers that let the holder authorize known hashes only (CSC, SCAL2).
  hashes: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), {
      minItems: 1,
      maxItems: 100,
      description: 'Hashes that will be signed, base64, where the provider binds the authorization to them.',
    }),
  ),
  // Not in the original contract: the same at every provider, kept by the hub.
  documents: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String({ minLength: 1, maxLength: 200, description: 'What the holder is shown.' }),
        hash: Type.String({ minLength: 1, maxLength: 1024, description: 'What sign-hash will be given, base64.' }),
      }),
      {
        minItems: 1,
        maxItems: 100,
        description:
          'Binds the session to this list, instead of `hashes`: the holder sees names and number before consent, on a page of the hub to which authUrl leads; each hash is signed once, and no other.',
      },
    ),
  ),
  digestAlgorithmOid: Type.Optional(
    Type.String({ maxLength: 64, description: 'Digest algorithm of `hashes` or `documents`.' }),
  ),
  digestAlgorithm: Type.Optional(Type.String({ maxLength: 64, description: 'The same by name.' })),
}

const SessionCreateRequest = Type.Object({ ...creation, identifierType }, { $id: 'SessionCreateRequest' })

const tags = ['Sessions']

/** Clients of the original service fail on an unknown field, so that it is a header. */
const UNANSWERED =
  'Providers that did not answer are named in the header `X-Unanswered-Providers`, separated by commas: whether they hold a certificate is not known.'

const hashRefusals = ['DigestAlgorithmNameOrOidIsRequired', 'InvalidDigestAlgorithm', 'TooManyHashes'] as const

export const createSession = {
  method: 'POST',
  path: '/api/sessions',
  operationId: 'createSession',
  summary: 'Creates a session at every provider that holds a certificate for the signer.',
  description: UNANSWERED,
  tags,
  body: SessionCreateRequest,
  answer: SessionModel,
  policy: 'Discovery',
  refusals: ['InvalidRedirectUri', 'UnauthorizedRedirectUri', 'IdentifierRequiredToDiscover', ...hashRefusals],
} as const

export const createServiceSession = {
  method: 'POST',
  path: '/api/sessions/services/{name}',
  operationId: 'createServiceSession',
  summary: 'Creates a session at one provider.',
  tags,
  body: Type.Object(creation, { $id: 'ServiceSessionCreateRequest' }),
  answer: TrustServiceAuthParametersModel,
  refusals: [
    'ServiceNotFound',
    'InvalidRedirectUri',
    'UnauthorizedRedirectUri',
    'ProviderUnavailable',
    ...hashRefusals,
  ],
} as const

export const listServices = {
  method: 'GET',
  path: '/api/sessions/services',
  operationId: 'listServices',
  summary: 'The providers that hold a certificate for an identifier; one that fails to answer is left out.',
  description: UNANSWERED,
  tags,
  query: Type.Object({ identifier: Identifier, identifierType }),
  answer: Type.Array(TrustServiceInfoModel),
  policy: 'Discovery',
} as const

export const readAvailability = {
  method: 'GET',
  path: '/api/sessions/services/{name}/availability',
  operationId: 'readAvailability',
  summary: 'Asks one provider whether it holds a certificate for an identifier; without one, only whether it answers.',
  tags,
  query: Type.Object({ identifier: Type.Optional(Identifier), identifierType }),
  answer: GetServiceAvailabilityResponse,
  policy: 'Discovery',
  refusals: ['ServiceNotFound'],
} as const

export const createChooser = {
  method: 'POST',
  path: '/api/sessions/chooser',
  operationId: 'createChooser',
  summary: 'Creates a session like POST /api/sessions, and a page on which the user chooses the provider.',
  description: `Not in the original contract. ${UNANSWERED}`,
  tags: ['Extensions'],
  body: SessionCreateRequest,
  answer: Type.Object(
    { chooserUrl: Type.String({ description: 'Where to send the user, instead of an authUrl.' }) },
    { $id: 'ChooserModel' },
  ),
  policy: 'Discovery',
  refusals: createSession.refusals,
} as const
