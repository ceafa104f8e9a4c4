// Degrees and transcripts as wallets hold them: the institution's keys, the credentials, their status.
import Type, { type Static } from 'typebox'
import { always, orNull, subscriptionHeader, Time } from './common.ts'

const VC_JWT = 'application/vc+jwt'
const tags = ['Wallets']
const guarded = { tags, headers: subscriptionHeader } as const
const open = { tags, access: 'anonymous', policy: 'Public' } as const

const WalletIssuerModel = Type.Object(
  {
    did: orNull(Type.String({ description: 'Its identifier (did:web); null before the first key.' })),
    keys: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Thumbprint of the public key (RFC 7638).' }),
        state: Type.Enum(['Current', 'Retired', 'Revoked']),
        creationDate: Time,
      }),
    ),
  },
  { $id: 'WalletIssuerModel' },
)
export type WalletIssuerView = Static<typeof WalletIssuerModel>

const ofInstitute = [...always, 'institute-not-found'] as const

export const readWalletIssuer = {
  ...guarded,
  method: 'GET',
  path: '/api/institutes/{id}/wallet-keys',
  operationId: 'readWalletIssuer',
  summary: 'The identifier of an institution in wallets, and the keys it signs with.',
  answer: WalletIssuerModel,
  access: 'institutes.read',
  refusals: ofInstitute,
} as const

export const rotateWalletKey = {
  ...guarded,
  method: 'POST',
  path: '/api/institutes/{id}/wallet-keys',
  operationId: 'rotateWalletKey',
  summary: 'Another key signs from now on; what the one before signed still holds.',
  description: 'The first one fixes the identifier of the institution, made from its publicUrl, for good.',
  answer: WalletIssuerModel,
  status: 201,
  access: 'institutes.manage',
  refusals: ofInstitute,
} as const

export const revokeWalletKey = {
  ...guarded,
  method: 'DELETE',
  path: '/api/institutes/{id}/wallet-keys/{key}',
  operationId: 'revokeWalletKey',
  summary: 'For a key that others may have: no credential that it signed is valid any more.',
  params: Type.Object({ id: Type.String(), key: Type.String({ maxLength: 100 }) }),
  access: 'institutes.manage',
  refusals: [...ofInstitute, 'wallet-key-not-found'],
} as const

const signed = [...always, 'invalid-transition', 'file-not-found', 'credential-failed'] as const

const credentialOf = <const Plural extends string, const Absent extends string>(plural: Plural, absent: Absent) =>
  ({
    ...guarded,
    method: 'GET',
    path: `/api/${plural}/{id}/credential`,
    summary: 'The credential for the wallet of the student (Open Badges 3.0, W3C 2.0), as a signed token.',
    produces: VC_JWT,
    access: 'documents.issue',
    refusals: [...signed, absent],
  }) as const

export const readDegreeCredential = {
  ...credentialOf('degrees', 'degree-not-found'),
  operationId: 'readDegreeCredential',
} as const
export const readTranscriptCredential = {
  ...credentialOf('academic-transcripts', 'academic-transcript-not-found'),
  operationId: 'readTranscriptCredential',
} as const

export const readDidDocument = {
  ...open,
  method: 'GET',
  path: '/issuers/{id}/did.json',
  operationId: 'readDidDocument',
  summary: 'The keys of an institution, where resolvers of did:web look for them.',
  answer: Type.Record(Type.String(), Type.Unknown()),
  refusals: ['invalid-request', 'institute-not-found', 'too-many-requests'],
} as const

export const readStatusList = {
  ...open,
  method: 'GET',
  path: '/issuers/{id}/status-lists/{purpose}/{number}',
  operationId: 'readStatusList',
  summary: 'Which credentials of an institution are annulled, or suspended: a signed Bitstring Status List.',
  params: Type.Object({
    id: Type.String(),
    purpose: Type.Enum(['revocation', 'suspension']),
    number: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  }),
  headers: Type.Object({ 'If-None-Match': Type.Optional(Type.String({ maxLength: 2000 })) }),
  produces: VC_JWT,
  refusals: ['invalid-request', 'status-list-not-found', 'too-many-requests'],
} as const
