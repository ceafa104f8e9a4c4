// Differences between providers of one protocol, as data: an operator sets them, a preset has the known ones. Every
// knob is a choice, a flag, a count, a text or a list of texts, so that one page shows them all.
import Type, { type Static } from 'typebox'

const digests = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'] as const

/** Parameters the protocol sets itself: none may be overridden. */
const reserved = [
  'response_type',
  'client_id',
  'client_secret',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
  'scope',
  'grant_type',
  'code',
  'code_verifier',
  'credentialID',
  'numSignatures',
  'hash',
  'hashes',
  'hashAlgorithmOID',
  'authorization_details',
]

/** `name=value`, except parameters the protocol sets itself. */
const parameters = (description: string) =>
  Type.Array(Type.String({ pattern: `^(?!(?:${reserved.join('|')})=)[\\w.-]{1,64}=.{0,500}$` }), {
    default: [],
    maxItems: 20,
    description: `${description}, each as name=value.`,
  })

const count = (maximum: number, description: string) => Type.Integer({ minimum: 1, maximum, description })
const pem = (description: string) => Type.String({ maxLength: 262_144, pattern: '^\\s*-----BEGIN ', description })

/** Knobs of both protocols. */
const common = {
  discoveryTimeoutMilliseconds: Type.Optional(
    count(60_000, 'Time for an answer to discovery, instead of the setting Discovery:TimeoutMilliseconds.'),
  ),
  loginHint: Type.Boolean({ default: true, description: 'Whether the identifier goes along with the user.' }),
  offerUnasked: Type.Boolean({
    default: true,
    description: 'Whether everybody is offered it where it cannot be asked who holds a certificate.',
  }),
  signTimeoutSeconds: Type.Optional(
    count(600, 'Seconds for a signature, instead of the setting Providers:SignTimeoutSeconds.'),
  ),
  maxHashesPerCall: Type.Optional(count(10_000, 'Most hashes of one call, where the provider has a limit.')),
  allowedDigests: Type.Array(Type.Enum([...digests]), {
    default: [...digests],
    description: 'Digest algorithms it signs; SHA-1 only if the setting Signing:AllowSha1 says so, too.',
  }),
  authorizeParameters: parameters('Further parameters of the authorization'),
  issuer: Type.Optional(
    Type.String({ maxLength: 500, description: 'What the parameter iss of a callback must be, where it has one.' }),
  ),
  proxyResolvesNames: Type.Boolean({
    default: false,
    description:
      'Whether its proxy resolves names, where the hub cannot: its addresses are then judged only as they are written.',
  }),
  caBundle: Type.Optional(pem('Authorities of its TLS certificate, in PEM, beside those of the system.')),
  clientCertificate: Type.Optional(
    pem('Certificate in PEM that the hub shows in TLS; its key is among the secrets of the provider.'),
  ),
} as const

const body = (description: string) => Type.Enum(['form', 'json'], { default: 'form', description })

/** Operations of the PSC protocol, each a path below the endpoint. */
const pscOperations = [
  'application',
  'client_token',
  'user-discovery',
  'authorize',
  'token',
  'certificate-discovery',
  'signature',
  'revoke',
] as const

export type PscOperation = (typeof pscOperations)[number]

/** Knobs of a provider that speaks the PSC protocol (DOC-ICP-17.01). */
export const PscKnobs = Type.Object(
  {
    ...common,
    hashEncoding: Type.Enum(['base64', 'hex'], { default: 'base64', description: 'How hashes travel to it.' }),
    tokenBody: body('How the code is sent to `token`.'),
    clientTokenBody: body('How the credentials are sent to `client_token`.'),
    tokenParameters: parameters('Further parameters of `token`'),
    discovery: Type.Boolean({ default: true, description: 'Whether it is asked who holds a certificate.' }),
    keepOnFailure: Type.Boolean({
      default: false,
      description: 'Whether everybody is offered it while it does not answer who holds a certificate.',
    }),
    foundStatuses: Type.Array(Type.String({ minLength: 1, maxLength: 20 }), {
      default: ['S', 'Y'],
      description: 'Answers to discovery that mean yes.',
    }),
    paths: Type.Array(Type.String({ pattern: `^(?:${pscOperations.join('|')})=/[\\w./-]{0,200}$` }), {
      default: [],
      description: 'Paths below the endpoint that are not those of the norm, each as operation=/path.',
    }),
    maxLifetimeSecondsCpf: Type.Integer({
      minimum: 1,
      default: 604_800,
      description: 'Longest lifetime it is asked for.',
    }),
    maxLifetimeSecondsCnpj: Type.Integer({ minimum: 1, default: 2_592_000, description: 'The same for a CNPJ.' }),
    push: Type.Boolean({
      default: false,
      description:
        "Whether the holder confirms on the phone instead of signing in at the provider's page. It must know whom to ask: a session without an identifier goes to its page.",
    }),
    pushPollPath: Type.String({
      pattern: '^/[\\w./-]{1,200}$',
      default: '/valid/api/v1/trusted-services/authentications',
      description: 'Where it is asked whether the holder has confirmed: a path beside the /v0 of the endpoint.',
    }),
    revocation: Type.Boolean({ default: true, description: 'Whether it is told that a token is no longer needed.' }),
  },
  { additionalProperties: false },
)

export type PscKnobs = Static<typeof PscKnobs>

/** Knobs of a provider that speaks the API of the Cloud Signature Consortium. */
export const CscKnobs = Type.Object(
  {
    ...common,
    version: Type.Enum(['1.0.4', '2.0', '2.2'], { default: '2.0', description: 'Version of the API.' }),
    signAlgo: Type.Enum(['digest', 'plain'], {
      default: 'digest',
      description: 'What is asked of an RSA key that allows both: the algorithm that names the digest, or plain RSA.',
    }),
    oauthBase: Type.Optional(
      Type.String({
        pattern: '^https?://',
        maxLength: 500,
        description: 'Base address of its authorization server, instead of the one its `info` tells.',
      }),
    ),
    lang: Type.Optional(
      Type.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', description: 'Language of its pages, RFC 5646.' }),
    ),
    clientAuthentication: Type.Enum(['basic', 'body'], {
      default: 'body',
      description: "Where the hub's credentials stand in calls of its authorization server.",
    }),
    authorizationDetails: Type.Boolean({
      default: false,
      description: 'Whether credentials are authorized by authorization_details (2.0 and later) instead of a scope.',
    }),
    hashEncoding: Type.Enum(['base64', 'percent'], {
      default: 'base64',
      description: 'How hashes travel to signHash; `percent` escapes the base64 once more.',
    }),
  },
  { additionalProperties: false },
)

export type CscKnobs = Static<typeof CscKnobs>

/** The knobs by protocol. */
export const knobSchemas = { psc: PscKnobs, csc: CscKnobs } as const

export type ProviderProtocol = keyof typeof knobSchemas
