// Which registrar takes the requests of which issuer, in one organization or two (credentials-platform facts 1.7).
import Type, { type Static } from 'typebox'
import { always, body, Flag, pageOf, paging, subscriptionHeader, Text, Time } from './common.ts'
import { partnershipStatuses } from './vocabulary.ts'

const common = { tags: ['Partnerships'], headers: subscriptionHeader } as const

const Partner = Type.Object({
  instituteId: Text,
  name: Text,
  code: Text,
  own: Type.Boolean({ description: 'Whether it is an institution of the caller.' }),
})

const PartnershipModel = Type.Object(
  {
    id: Text,
    issuer: Partner,
    registrar: Partner,
    status: Type.Enum([...partnershipStatuses]),
    proposedByUs: Flag,
    creationDate: Time,
    updateDate: Time,
  },
  { $id: 'PartnershipModel' },
)

export type PartnershipView = Static<typeof PartnershipModel>

const Id = Type.String({ minLength: 1, maxLength: 64 })
const notFound = [...always, 'partnership-not-found', 'invalid-transition'] as const

export const listPartnerships = {
  ...common,
  method: 'GET',
  path: '/api/partnerships',
  operationId: 'listPartnerships',
  summary: 'The partnerships of the institutions of the organization.',
  query: Type.Object({ ...paging, status: Type.Optional(Type.Enum([...partnershipStatuses])) }),
  answer: pageOf(PartnershipModel),
  access: 'partnerships.read',
  refusals: always,
} as const

export const proposePartnership = {
  ...common,
  method: 'POST',
  path: '/api/partnerships',
  operationId: 'proposePartnership',
  summary: 'Proposes one: an own institution, and another by the id that its organization gave.',
  body: body({ issuerInstituteId: Id, registrarInstituteId: Id }, 'NewPartnership'),
  answer: PartnershipModel,
  status: 201,
  access: 'partnerships.manage',
  refusals: [...always, 'institute-not-found', 'invalid-data', 'already-exists'],
} as const

export const acceptPartnership = {
  ...common,
  method: 'POST',
  path: '/api/partnerships/{id}/acceptance',
  operationId: 'acceptPartnership',
  summary: 'Accepts what the other organization proposed.',
  answer: PartnershipModel,
  access: 'partnerships.manage',
  refusals: notFound,
} as const

export const endPartnership = {
  ...common,
  method: 'DELETE',
  path: '/api/partnerships/{id}',
  operationId: 'endPartnership',
  summary: 'Ends a partnership, or refuses one; requests that were made go on.',
  answer: PartnershipModel,
  access: 'partnerships.manage',
  refusals: notFound,
} as const
