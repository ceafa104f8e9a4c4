// What a document may be signed with: contexts a creation request names (document-platform facts 1.5).
import Type from 'typebox'
import { Flag, Id, Text } from './common.ts'

/** Ways to identify who signs electronically, as security contexts name them. */
export const electronicTypes = [
  'sms',
  'whatsapp',
  'otp',
  'selfie',
  'datavalid',
  'pix',
  'email',
  'liveness',
  'idScan',
] as const

export type ElectronicType = (typeof electronicTypes)[number]

export const SecurityContextModel = Type.Object(
  {
    id: Id,
    name: Text,
    englishName: Text,
    portugueseName: Text,
    spanishName: Text,
    allowDigitalSignature: Type.Boolean({ description: 'Whether certificates of signers are taken.' }),
    allowedElectronicTypes: Type.Object({
      sms: Flag,
      whatsapp: Flag,
      otp: Flag,
      selfie: Flag,
      datavalid: Flag,
      pix: Flag,
      email: Flag,
      liveness: Flag,
      idScan: Flag,
    } satisfies Record<ElectronicType, typeof Flag>),
    requireLivenessOnSelfieAuthentication: Flag,
    requireLivenessOnDatavalidAuthentication: Flag,
  },
  { $id: 'SecurityContext' },
)

const tags = ['Security contexts']

export const listSecurityContexts = {
  method: 'GET',
  path: '/api/security-contexts',
  summary: 'What documents may be signed with: the contexts a creation can name.',
  tags,
  answer: Type.Array(SecurityContextModel),
  access: 'organization.read',
} as const

export const readSecurityContext = {
  method: 'GET',
  path: '/api/security-contexts/{id}',
  summary: 'One of them.',
  tags,
  answer: SecurityContextModel,
  access: 'organization.read',
  refusals: ['SecurityContextNotFound'],
} as const
