// Approving with keys that are neither in the service nor in the browser: cloud certificates, through the hub, and
// tokens, through the session server. One authorization of the holder signs one file or many.
import Type, { type Static } from 'typebox'
import { change, orNull, portal, Reason, signatureRefusals, Time } from './portal.ts'

const signingWays = ['cloud', 'token'] as const

export type SigningWay = (typeof signingWays)[number]

/** How a request ended. `done`: every file has a result of its own. With any other, files without one are unsigned. */
const signingOutcomes = [
  'done',
  'denied',
  'declined',
  'expired',
  'canceled',
  'interrupted',
  'changed',
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

const asked = (most: number) =>
  Type.Object({
    ids: Type.Array(Type.String(), { minItems: 1, maxItems: most }),
    reason: Reason,
  })

const SIGNINGS = '/approvals/api/signings'

export const beginCloudSigning = {
  ...change,
  method: 'POST',
  path: `${SIGNINGS}/cloud`,
  summary: 'Begins to approve files with a cloud certificate: the address at which its holder chooses the provider.',
  description: 'Nothing is approved before the holder comes back. All files must be for one CPF of the caller.',
  body: asked(200),
  answer: Type.Object({ id: Type.String(), url: Type.String() }),
  refusals: [...signatureRefusals, 'request.invalid', 'approval.cloud-unavailable'],
} as const

/** As many as the agent of a workstation shows, and signs, at once. */
const MOST_AT_TOKEN = 100

export const beginTokenSigning = {
  ...change,
  method: 'POST',
  path: `${SIGNINGS}/token`,
  summary:
    'Begins to approve files with a token: the code that joins a computer; those of the caller are asked at once.',
  body: asked(MOST_AT_TOKEN),
  answer: Type.Object({ id: Type.String(), code: Type.String(), expiresAt: Time }),
  refusals: [...signatureRefusals, 'request.invalid', 'approval.tokens-unavailable'],
} as const

const SigningView = Type.Object({
  id: Type.String(),
  way: Type.Enum([...signingWays]),
  state: Type.Enum(['waiting', 'signing', 'ended']),
  outcome: orNull(Type.Enum([...signingOutcomes])),
  expiresAt: Time,
  files: Type.Array(
    Type.Object({
      jobId: Type.String(),
      fileName: orNull(Type.String()),
      ok: orNull(Type.Boolean({ description: 'Whether it is approved; null while, or because, nothing was signed.' })),
      code: orNull(Type.String({ description: 'Why it is not.' })),
      message: orNull(Type.String({ description: 'The same in the language of the reader.' })),
      released: Type.Boolean({ description: 'Whether this was the last approval it waited for.' }),
    }),
  ),
})

export type SigningView = Static<typeof SigningView>

export const lookSigning = {
  ...portal,
  method: 'POST',
  path: `${SIGNINGS}/{id}/look`,
  summary: 'How far the signatures are; has a token sign when its holder has approved.',
  answer: SigningView,
  refusals: ['approval.signing-not-found', 'approval.tokens-unavailable'],
} as const

export const cancelSigning = {
  ...change,
  method: 'DELETE',
  path: `${SIGNINGS}/{id}`,
  summary: 'Withdraws what no key has signed yet.',
  status: 204,
  refusals: ['approval.signing-not-found'],
} as const

/** Where the holder of a cloud certificate comes back to (spec 2, Endpoints). */
export const finishCloudSigning = {
  method: 'GET',
  path: '/approvals/cloud/return',
  summary: 'Approves with the cloud certificate whose holder comes back, and goes on to the portal.',
  description:
    'Takes the session of the approver who began, in the same browser, within 15 minutes, once; a key is nothing here. Answers a redirect: to `/approvals?signing=<id>`, which tells what became of each file, or to `/approvals?cloud=unmatched`, whatever the reason.',
  tags: ['Approvals'],
  access: 'anonymous',
  policy: 'Approval',
  status: 303,
  counted: true,
} as const
