// What each event carries in `data` (spec 3 A, document-platform facts 2): schemas for the catalogue, and samples for
// test events.
import Type, { type TSchema } from 'typebox'
import { orNull } from './common.ts'
import { deletionActions, type EventType } from './webhooks.ts'

const Text = Type.String()
const Time = Type.String({ format: 'date-time' })
const IdAndName = Type.Object({ id: Text, name: Text })

const OrganizationData = Type.Object({ id: Text, name: Text, identifier: orNull(Text), owner: orNull(IdAndName) })

/** Common fields of every document event. */
const common = {
  id: Text,
  name: Text,
  creationDate: Time,
  updateDate: Time,
  folder: orNull(Type.Object({ id: Text, name: Text, parentId: orNull(Text), organizationName: Text })),
  organization: orNull(OrganizationData),
  createdBy: IdAndName,
}

const actor = {
  flowActionId: orNull(Text),
  date: Time,
  userId: Text,
  name: Text,
  identifier: orNull(Text),
  emailAddress: orNull(Text),
}

const documents = Type.Array(Type.Object(common), { maxItems: 100 })

const Price = Type.Object({
  transactionType: Text,
  pricingType: Type.Enum(['NoCharge', 'Simple', 'Range']),
  price: orNull(Type.Number()),
  priceRanges: Type.Array(Type.Object({ limit: orNull(Type.Integer()), price: Type.Number() })),
  limit: orNull(Type.Integer()),
})

const InvoiceData = Type.Object({
  id: Type.Integer(),
  month: Type.Integer({ minimum: 1, maximum: 12 }),
  year: Type.Integer(),
  value: Type.Number(),
  invoiceTotals: Type.Array(
    Type.Object({
      transactionType: Text,
      price: Price,
      total: Type.Integer(),
      totalInTrialPeriod: Type.Integer(),
      value: Type.Number(),
    }),
  ),
  organization: OrganizationData,
  billingInformation: orNull(Type.Record(Type.String(), Type.Unknown())),
  totalStorageUsed: Type.Integer({ description: 'Bytes.' }),
})

const sampleDocument = {
  id: '5f0e8a34-6a3c-4f0e-9d0a-1f6d2c1b7a10',
  name: 'Contrato de prestação de serviços.pdf',
  creationDate: '2026-11-15T12:00:00.000Z',
  updateDate: '2026-11-15T12:05:00.000Z',
  folder: {
    id: '0b9f6c1e-2f55-4c6b-8a3e-7d1f4e5a6b7c',
    name: 'Contratos',
    parentId: null,
    organizationName: 'Hospital Santa Clara',
  },
  organization: {
    id: '8d7c6b5a-4e3f-4a2b-9c1d-0e1f2a3b4c5d',
    name: 'Hospital Santa Clara',
    identifier: '11444777000161',
    owner: null,
  },
  createdBy: { id: 'c3b2a190-8f7e-4d6c-b5a4-938271605f4e', name: 'integration' },
}

const sampleActor = {
  flowActionId: '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
  date: '2026-11-15T12:05:00.000Z',
  userId: '9e8d7c6b-5a4f-4e3d-8c2b-1a0f9e8d7c6b',
  name: 'Ana Souza',
  identifier: '52998224725',
  emailAddress: 'ana@example.com',
}

interface Catalogued {
  readonly description: string
  readonly schema: TSchema
  readonly sample: object
}

/** Every event: when it is sent, its data, and a sample of it. */
export const eventCatalogue: Readonly<Record<EventType, Catalogued>> = {
  DocumentsCreated: {
    description: 'Documents were created; one event carries a hundred of them at most.',
    schema: Type.Object({ documents }),
    sample: { documents: [sampleDocument] },
  },
  DocumentSigned: {
    description: 'A participant signed.',
    schema: Type.Object({ ...common, signature: Type.Object(actor) }),
    sample: { ...sampleDocument, signature: sampleActor },
  },
  DocumentApproved: {
    description: 'A participant approved.',
    schema: Type.Object({ ...common, approval: Type.Object(actor) }),
    sample: { ...sampleDocument, approval: sampleActor },
  },
  DocumentRefused: {
    description: 'A participant refused, or the organization did through the API (then flowActionId is null).',
    schema: Type.Object({ ...common, refusal: Type.Object({ ...actor, reason: Text }) }),
    sample: { ...sampleDocument, refusal: { ...sampleActor, reason: 'O valor está errado.' } },
  },
  DocumentConcluded: {
    description: 'Every action of the flow is completed.',
    schema: Type.Object(common),
    sample: sampleDocument,
  },
  DocumentCanceled: {
    description: 'A user or an application canceled the document.',
    schema: Type.Object({
      ...common,
      canceledBy: Type.Object({ id: Text, name: Text, type: Type.Enum(['User', 'Application']) }),
      reason: Text,
    }),
    sample: {
      ...sampleDocument,
      canceledBy: { ...sampleDocument.createdBy, type: 'Application' },
      reason: 'Substituído por outro contrato.',
    },
  },
  DocumentExpired: {
    description: 'The expiration date passed without conclusion.',
    schema: Type.Object({ ...common, expirationDate: Time, expirationDateWithoutTime: Text }),
    sample: {
      ...sampleDocument,
      expirationDate: '2026-11-16T02:59:59.999Z',
      expirationDateWithoutTime: '2026-11-15',
    },
  },
  DocumentDeleted: {
    description:
      'Documents were deleted; of those deleted with a folder or an organization the first hundred are named.',
    schema: Type.Object({ documents, action: Type.Enum([...deletionActions]) }),
    sample: { documents: [sampleDocument], action: 'DeletedByUserOrApplication' },
  },
  InvoiceClosed: {
    description: 'The invoice of a month was closed; sent to the webhook of the instance alone.',
    schema: InvoiceData,
    sample: {
      id: 42,
      month: 10,
      year: 2026,
      value: 125.5,
      invoiceTotals: [
        {
          transactionType: 'Document',
          price: { transactionType: 'Document', pricingType: 'Simple', price: 0.5, priceRanges: [], limit: null },
          total: 251,
          totalInTrialPeriod: 0,
          value: 125.5,
        },
      ],
      organization: sampleDocument.organization,
      billingInformation: {
        email: 'financeiro@example.com',
        phone: '+551130000000',
        zipCode: '01310-100',
        city: 'São Paulo',
        state: 'SP',
      },
      totalStorageUsed: 10_485_760,
    },
  },
}
