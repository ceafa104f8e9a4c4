// Routes with which the participant's page signs with a cloud certificate. Internal: not part of the public contract.
import Type from 'typebox'
import { maybe, Text } from './common.ts'
import { SignaturePosition } from './models.ts'

/** Result of a cloud signature; the page shows a text for each. */
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

const hidden = { access: 'anonymous', policy: 'CloudSigning', hidden: true } as const

export const beginCloudSigning = {
  ...hidden,
  method: 'POST',
  path: '/api/documents/keys/{key}/signature/cloud',
  summary: 'Begins a signature with a cloud certificate: gives the address at which its holder chooses the provider.',
  body: Type.Object({
    ticket: Type.String({ maxLength: 4000 }),
    signaturePosition: maybe(SignaturePosition),
    userTimeZoneOffset: maybe(Type.Integer({ minimum: -900, maximum: 900 })),
  }),
  answer: Type.Object({ url: Text }),
  refusals: [
    'DocumentInvalidKey',
    'ActionTicketInvalidOrExpired',
    'InvalidFlowAction',
    'CloudCertificatesNotAvailable',
  ],
} as const

/** Where the hub redirects the holder back to; every outcome answers with a page. */
export const finishCloudSigning = {
  ...hidden,
  method: 'GET',
  path: '/cloud-return',
  summary: 'Signs with the cloud certificate whose holder comes back, and goes on to the page of the action.',
  query: Type.Object({
    signing: Type.Optional(Type.String()),
    session: Type.Optional(Type.String()),
    error: Type.Optional(Type.String()),
  }),
  status: 303,
  counted: true,
} as const
