// Certificates that a subscription has met (pki-core facts 4).
import Type, { type Static } from 'typebox'
import { always, Bytes, Flag, orNull, subscriptionHeader, Text } from './common.ts'
import { CertificateModel, type CertificateView } from './models.ts'

const CertificateFullModel = Type.Object(
  {
    ...CertificateModel.properties,
    encoded: orNull(Bytes),
    pemEncoded: orNull(Text),
    downloadUrl: Type.Null(),
  },
  { $id: 'CertificateFullModel' },
)

export type CertificateFullView = Static<typeof CertificateFullModel> & CertificateView

export const readCertificate = {
  method: 'GET',
  path: '/api/certificates/{thumbprintSha256}',
  operationId: 'readCertificate',
  summary: 'A certificate that somebody authenticated or signed with for the subscription.',
  tags: ['Certificates'],
  headers: subscriptionHeader,
  params: Type.Object({ thumbprintSha256: Type.String({ pattern: '^[0-9A-Fa-f]{64}$' }) }),
  query: Type.Object({ fillPemEncoded: Type.Optional(Flag), fillEncoded: Type.Optional(Flag) }),
  answer: CertificateFullModel,
  access: 'documents.read',
  refusals: always,
} as const
