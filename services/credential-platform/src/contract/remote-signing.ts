// Signing with keys that are neither here nor in the browser: cloud certificates through the hub, tokens through the
// session server. One authorization signs up to a class of documents.
import Type, { type Static } from 'typebox'
import { always, body, orNull, subscriptionHeader, Text, Time } from './common.ts'
import { about } from './signer.ts'

const common = { tags: ['Signing'], headers: subscriptionHeader } as const

const signingWays = ['cloud', 'token'] as const
export type SigningWay = (typeof signingWays)[number]

/** As many as the agent of a workstation shows, and signs, at once. */
const MOST_DOCUMENTS = 100

/** How a request to a key ended. `signed`: the key has signed; what became of each document is told there. */
const signingOutcomes = [
  'signed',
  'denied',
  'declined',
  'expired',
  'canceled',
  'interrupted',
  'changed',
  'not-pending',
  'cpf-mismatch',
  'certificate-type',
  'certificate-invalid',
  'signature-invalid',
  'provider-failed',
  'no-source',
  'no-driver',
  'no-token',
  'no-certificate',
  'no-screen',
  'agent-gone',
  'token-gone',
  'not-signed',
  'unavailable',
  'failed',
] as const

export type SigningOutcome = (typeof signingOutcomes)[number]

/** What became of one document; the others of the same request do not suffer from it. */
const documentOutcomes = [
  'signed',
  'changed',
  'not-pending',
  'cpf-mismatch',
  'certificate-type',
  'certificate-invalid',
  'signature-invalid',
  'failed',
] as const

export type DocumentOutcome = (typeof documentOutcomes)[number]

const Asked = body(
  {
    documentIds: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      maxItems: MOST_DOCUMENTS,
      uniqueItems: true,
    }),
  },
  'DocumentsToSign',
)

const beginning = { ...common, method: 'POST', body: Asked, access: 'documents.sign' } as const
const beginRefusals = [...always, 'document-not-found', 'signing-refused', 'signer-required'] as const

export const beginCloudSigning = {
  ...beginning,
  path: '/api/signings/cloud',
  operationId: 'beginCloudSigning',
  summary: 'Begins signatures with a cloud certificate: the address at which its holder chooses the provider.',
  answer: Type.Object({ id: Text, url: Text }, { $id: 'CloudSigningBegun' }),
  policy: 'CloudSigning',
  refusals: [...beginRefusals, 'cloud-certificates-unavailable'],
} as const

export const beginTokenSigning = {
  ...beginning,
  path: '/api/signings/token',
  operationId: 'beginTokenSigning',
  summary: 'Begins signatures with a token: the code that joins a computer; those of the person are asked at once.',
  answer: Type.Object({ id: Text, code: Text, expiresAt: Time }, { $id: 'TokenSigningBegun' }),
  policy: 'TokenSigning',
  refusals: [...beginRefusals, 'tokens-unavailable'],
} as const

const SigningModel = Type.Object(
  {
    id: Text,
    way: Type.Enum([...signingWays]),
    state: Type.Enum(['waiting', 'signing', 'completing', 'ended'], {
      description: 'completing: the key has signed, and the signatures are being put into the documents.',
    }),
    outcome: orNull(Type.Enum([...signingOutcomes])),
    documents: Type.Array(
      Type.Object({
        ...about,
        outcome: orNull(Type.Enum([...documentOutcomes])),
        reason: orNull(Text),
      }),
    ),
    expiresAt: Time,
  },
  { $id: 'SigningModel' },
)

export type SigningView = Static<typeof SigningModel>

export const lookSigning = {
  ...common,
  method: 'POST',
  path: '/api/signings/{id}/look',
  operationId: 'lookSigning',
  summary: 'How far the signatures are; has a token sign when its holder has approved.',
  answer: SigningModel,
  access: 'documents.sign',
  refusals: [...always, 'signing-not-found', 'tokens-unavailable'],
} as const

export const cancelSigning = {
  ...common,
  method: 'DELETE',
  path: '/api/signings/{id}',
  operationId: 'cancelSigning',
  summary: 'Withdraws what no key has signed yet.',
  access: 'documents.sign',
  refusals: [...always, 'signing-not-found'],
} as const

/** Where the hub redirects the holder back to; every outcome answers with a page. */
export const finishCloudSigning = {
  method: 'GET',
  path: '/cloud-return',
  summary: 'Signs with the cloud certificate whose holder comes back, and goes on to the page of signatures.',
  query: Type.Object({
    signing: Type.Optional(Type.String()),
    session: Type.Optional(Type.String()),
    error: Type.Optional(Type.String()),
  }),
  access: 'anonymous',
  policy: 'CloudSigning',
  hidden: true,
  status: 303,
  counted: true,
} as const
