// Routes with which the participant's page signs with a token at a computer whose agent has dialled out, and with which
// a computer is tested. Internal: not part of the public contract.
import Type from 'typebox'
import { maybe, orNull, Text, Time } from './common.ts'
import { SignaturePosition, ValidationResults } from './models.ts'

/** Result of a signature with a token; the page shows a text for each. */
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

const hidden = { access: 'anonymous', hidden: true } as const

const Ticket = Type.String({ maxLength: 4000 })

const Begun = Type.Object({
  id: Type.String({ description: 'To look for what became of it.' }),
  code: Type.String({ description: 'To be typed at the agent, and shown by it.' }),
  expiresAt: Time,
})

const byKey = ['DocumentInvalidKey', 'ActionTicketInvalidOrExpired'] as const

export const beginTokenSigning = {
  ...hidden,
  policy: 'TokenSigning',
  method: 'POST',
  path: '/api/documents/keys/{key}/signature/token',
  summary: 'Begins a signature with a token: gives the code that joins a computer, and asks those of the participant.',
  body: Type.Object({
    ticket: Ticket,
    signaturePosition: maybe(SignaturePosition),
    userTimeZoneOffset: maybe(Type.Integer({ minimum: -900, maximum: 900 })),
  }),
  answer: Begun,
  refusals: [...byKey, 'InvalidFlowAction', 'CertificateTypeNotAllowed', 'TokensNotAvailable'],
} as const

export const lookTokenSigning = {
  ...hidden,
  method: 'POST',
  path: '/api/documents/keys/{key}/signature/token/{id}',
  summary: 'What became of it; signs when the holder has approved.',
  body: Type.Object({ ticket: Ticket }),
  answer: Type.Object({
    state: Type.Enum(['waiting', 'signing', 'ended']),
    outcome: orNull(Type.Enum([...tokenOutcomes])),
  }),
  counted: true,
  refusals: [...byKey, 'TokenSigningNotFound', 'TokensNotAvailable'],
} as const

export const cancelTokenSigning = {
  ...hidden,
  method: 'DELETE',
  path: '/api/documents/keys/{key}/signature/token/{id}',
  summary: 'Withdraws it.',
  query: Type.Object({ ticket: Ticket }),
  refusals: [...byKey, 'TokenSigningNotFound'],
} as const

export const beginComputerTest = {
  ...hidden,
  policy: 'TokenSigning',
  method: 'POST',
  path: '/api/computer-tests',
  summary: 'Begins the test of a computer: gives the code that joins it.',
  answer: Begun,
  refusals: ['TokensNotAvailable'],
} as const

export const lookComputerTest = {
  ...hidden,
  method: 'POST',
  path: '/api/computer-tests/look',
  summary: 'What became of the test; has its nonce signed, and verifies it, when the holder has approved.',
  body: Type.Object({ id: Type.String({ maxLength: 4000 }) }),
  answer: Type.Object({
    state: Type.Enum(['waiting', 'ended']),
    outcome: orNull(Type.Enum([...tokenOutcomes])),
    certificate: orNull(
      Type.Object({ name: Text, identifier: orNull(Text), issuer: Text, notBefore: Time, notAfter: Time }),
    ),
    validationResults: orNull(ValidationResults),
  }),
  counted: true,
  refusals: ['ComputerTestNotFound', 'TokensNotAvailable'],
} as const
