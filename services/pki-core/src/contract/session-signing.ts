// How the page signs with a key that is elsewhere: on a token at a computer whose agent has dialled out, or kept by a
// provider of cloud certificates. Both end as a certificate file does (spec 1 C; the design is ours).
import Type from 'typebox'
import { orNull, Text, Time } from './common.ts'
import { ofPage, pageRefusals, pendingRefusals } from './session-page.ts'

/** How a signature with a token ended; the page has a text for each. */
const tokenOutcomes = [
  'signed',
  'declined',
  'expired',
  'canceled',
  'changed',
  'not-pending',
  'cpf-mismatch',
  'certificate-type',
  'certificate-invalid',
  'signature-invalid',
  'timestamp-unavailable',
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

export type TokenOutcome = (typeof tokenOutcomes)[number]

/** How a signature with a cloud certificate ended; `elsewhere` is of a browser that began none. */
export type CloudOutcome =
  | 'signed'
  | 'under-way'
  | 'denied'
  | 'expired'
  | 'changed'
  | 'not-pending'
  | 'cpf-mismatch'
  | 'certificate-type'
  | 'certificate-invalid'
  | 'signature-invalid'
  | 'timestamp-unavailable'
  | 'provider-failed'
  | 'failed'
  | 'elsewhere'

export const beginSessionToken = {
  method: 'POST',
  path: '/api/signature-session/token-signatures',
  operationId: 'beginSessionToken',
  summary: 'Asks for a token: gives the code that joins a computer, and asks those of the CPF that is required.',
  ...ofPage,
  policy: 'TokenSigning',
  answer: Type.Object(
    {
      id: Type.String({ description: 'To look for what became of it.' }),
      code: Type.String({ description: 'To be typed at the agent, and shown by it.' }),
      expiresAt: Time,
    },
    { $id: 'SessionTokenSignature' },
  ),
  refusals: [...pageRefusals, ...pendingRefusals, 'TokensNotAvailable'],
} as const

export const lookSessionToken = {
  method: 'POST',
  path: '/api/signature-session/token-signatures/{id}',
  operationId: 'lookSessionToken',
  summary: 'What became of it; signs when the holder has approved.',
  ...ofPage,
  answer: Type.Object(
    {
      state: Type.Enum(['waiting', 'signing', 'ended']),
      outcome: orNull(Type.Enum([...tokenOutcomes])),
    },
    { $id: 'SessionTokenSignatureState' },
  ),
  refusals: [...pageRefusals, 'TokenSigningNotFound', 'TokensNotAvailable'],
} as const

export const cancelSessionToken = {
  method: 'DELETE',
  path: '/api/signature-session/token-signatures/{id}',
  operationId: 'cancelSessionToken',
  summary: 'Withdraws it: the computer asks no more.',
  ...ofPage,
  refusals: [...pageRefusals, 'TokenSigningNotFound'],
} as const

export const beginSessionCloud = {
  method: 'POST',
  path: '/api/signature-session/cloud-signatures',
  operationId: 'beginSessionCloud',
  summary: 'Gives the address at which the holder of a cloud certificate chooses the provider.',
  ...ofPage,
  policy: 'CloudSigning',
  answer: Type.Object({ url: Text }, { $id: 'SessionCloudSignature' }),
  refusals: [...pageRefusals, ...pendingRefusals, 'CloudCertificatesNotAvailable'],
} as const

/** Where the hub redirects the holder back to; every outcome answers with a page. */
export const finishSessionCloud = {
  method: 'GET',
  path: '/cloud-return',
  summary: 'Signs with the cloud certificate whose holder comes back, and goes on to the page of the session.',
  access: 'anonymous',
  policy: 'CloudSigning',
  hidden: true,
  query: Type.Object({
    signing: Type.Optional(Text),
    session: Type.Optional(Text),
    error: Type.Optional(Text),
  }),
  status: 303,
  counted: true,
} as const
