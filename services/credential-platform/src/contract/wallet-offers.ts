// Links by which students fetch their credentials for wallets.
import Type, { type Static } from 'typebox'
import { always, subscriptionHeader, Text, Time } from './common.ts'

const guarded = { tags: ['Wallets'], headers: subscriptionHeader } as const
const open = { tags: ['Wallets'], access: 'anonymous', policy: 'Public' } as const

const WalletOffer = Type.Object(
  {
    url: Type.String({ description: 'For the student alone; told once.' }),
    expirationDate: Time,
  },
  { $id: 'WalletOffer' },
)
export type WalletOffer = Static<typeof WalletOffer>

const offerOf = <const Plural extends string, const Absent extends string>(plural: Plural, absent: Absent) =>
  ({
    ...guarded,
    method: 'POST',
    path: `/api/${plural}/{id}/wallet-offers`,
    summary: 'A link by which the student fetches the credential, once.',
    answer: WalletOffer,
    status: 201,
    access: 'documents.issue',
    refusals: [...always, 'invalid-transition', 'institute-not-found', absent],
  }) as const

export const offerDegree = { ...offerOf('degrees', 'degree-not-found'), operationId: 'offerDegree' } as const
export const offerTranscript = {
  ...offerOf('academic-transcripts', 'academic-transcript-not-found'),
  operationId: 'offerTranscript',
} as const

const WalletOfferView = Type.Object(
  {
    kind: Type.Enum(['Degree', 'AcademicTranscript']),
    studentName: Text,
    course: Text,
    issuingIes: Text,
    expirationDate: Time,
  },
  { $id: 'WalletOfferView' },
)
export type WalletOfferView = Static<typeof WalletOfferView>

const Ticket = Type.Object({ ticket: Type.String({ maxLength: 200 }) })
const notOffered = ['invalid-request', 'offer-not-found', 'too-many-requests'] as const

export const readWalletOffer = {
  ...open,
  method: 'GET',
  path: '/wallet/{ticket}',
  operationId: 'readWalletOffer',
  summary: 'What a link offers; browsers get a page. Looking does not use it up.',
  params: Ticket,
  answer: WalletOfferView,
  refusals: notOffered,
} as const

export const takeWalletOffer = {
  ...open,
  method: 'POST',
  path: '/wallet/{ticket}',
  operationId: 'takeWalletOffer',
  summary: 'Hands the credential over and uses the link up.',
  params: Ticket,
  produces: 'application/vc+jwt',
  refusals: [...notOffered, 'invalid-transition', 'file-not-found', 'credential-failed'],
} as const
