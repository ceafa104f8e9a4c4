// Signatures that the holder of a token approves at a workstation, for a page that is shown elsewhere. An addition to the
// contract of clients: paths of their own, nothing of the rest changes.
import { orNull, Text } from '@chancela/admin-console/contract'
import Type from 'typebox'
import { Cpf, Time } from './common.ts'

const tags = ['Approvals']

/** As many as an agent shows and signs at once. */
const MAX_DOCUMENTS = 100

const approvalStates = ['WAITING', 'READY', 'SIGNING', 'SIGNED', 'DECLINED', 'EXPIRED', 'CANCELED', 'FAILED'] as const

export type ApprovalState = (typeof approvalStates)[number]

/** What was missing when an approval FAILED; the first five are things to set up at the workstation. */
const approvalProblems = [
  'NO_SOURCE',
  'NO_DRIVER',
  'NO_TOKEN',
  'NO_CERTIFICATE',
  'NO_SCREEN',
  'AGENT_GONE',
  'TOKEN_GONE',
  'NOT_SIGNED',
] as const

export type ApprovalProblem = (typeof approvalProblems)[number]

const Approval = Type.Object(
  {
    approvalId: Text,
    state: Type.Enum([...approvalStates], {
      description:
        'WAITING until the holder answers; READY with the certificate, until the hashes come; then SIGNING and SIGNED. The others are ends.',
    }),
    problem: orNull(Type.Enum([...approvalProblems])),
    code: Type.String({ description: 'To be shown beside the request: the workstation shows the same.' }),
    expiresAt: Time,
    certificate: orNull(Type.String({ description: 'DER, base64; from READY on.' })),
    chain: Type.Array(Type.String({ description: 'DER, base64.' }), {
      description: 'Issuers that came with it, nearest first.',
    }),
  },
  { $id: 'Approval' },
)

export const createApproval = {
  method: 'POST',
  path: '/v1/approvals',
  operationId: 'createApproval',
  summary: 'Asks for a signature that its holder approves at a workstation.',
  description:
    'The answer has a code. Whoever types it at a connected agent takes part with a certificate there; where a `cpf` is given, agents with an active certificate of it are asked at once. Neither is told apart in the answer, so that it does not say who is connected.',
  tags,
  body: Type.Object(
    {
      kind: Type.Optional(
        Type.Enum(['sign', 'test'], { description: 'A test signs a nonce and no document. Default: sign.' }),
      ),
      site: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Host of the page that asks, for the holder to read.',
      }),
      requester: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'On whose behalf the page asks.' }),
      ),
      documents: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
          maxItems: MAX_DOCUMENTS,
          description: 'Names of the documents, as the holder reads them; at least one to sign, none in a test.',
        }),
      ),
      cpf: Type.Optional(Cpf),
    },
    { $id: 'CreateApprovalRequest' },
  ),
  status: 201,
  answer: Approval,
} as const

export const readApproval = {
  method: 'GET',
  path: '/v1/approvals/{approvalId}',
  operationId: 'readApproval',
  summary: 'How far an approval is.',
  tags,
  answer: Approval,
  refusals: ['APPROVAL_NOT_FOUND'],
} as const

export const signApproved = {
  method: 'POST',
  path: '/v1/approvals/{approvalId}/signatures',
  operationId: 'signApproved',
  summary: 'Has the approved certificate sign one hash for each document, once.',
  tags,
  body: Type.Object(
    {
      hashes: Type.Optional(
        Type.Array(
          Type.Object({
            hash: Type.String({ maxLength: 100, contentEncoding: 'base64' }),
            digestAlgorithm: Type.Enum(['SHA-256', 'SHA-384', 'SHA-512']),
          }),
          { maxItems: MAX_DOCUMENTS, description: 'In the order of the documents.' },
        ),
      ),
      nonce: Type.Optional(
        Type.String({
          maxLength: 100,
          contentEncoding: 'base64',
          description:
            'Of a test, instead of hashes: 16 to 64 random bytes. Signed is SHA-256 of `chancela test signature 1`, a line feed and these bytes.',
        }),
      ),
    },
    { $id: 'SignApprovedRequest' },
  ),
  answer: Type.Object(
    { signatures: Type.Array(Type.String({ description: 'Base64; verified with the certificate.' })) },
    { $id: 'ApprovedSignatures' },
  ),
  refusals: ['APPROVAL_NOT_FOUND', 'APPROVAL_NOT_READY', 'APPROVAL_OVER'],
} as const

export const cancelApproval = {
  method: 'DELETE',
  path: '/v1/approvals/{approvalId}',
  operationId: 'cancelApproval',
  summary: 'Withdraws a request: the workstation asks no more, and signs nothing more.',
  tags,
  answer: Approval,
  refusals: ['APPROVAL_NOT_FOUND'],
} as const
