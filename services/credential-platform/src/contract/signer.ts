// As whom people sign, and what waits for them.
import Type, { type Static } from 'typebox'
import { always, body, orNull, pageOf, paging, subscriptionHeader, Text, Time } from './common.ts'

const common = { tags: ['Signing'], headers: subscriptionHeader } as const

const SignerModel = Type.Object(
  {
    cpf: orNull(Type.String({ description: 'As whom the person signs; null until it was said.' })),
    cloud: Type.Boolean({ description: 'Whether cloud certificates are offered here.' }),
    token: Type.Boolean({ description: 'Whether tokens at computers are offered here.' }),
  },
  { $id: 'SignerModel' },
)

export type SignerView = Static<typeof SignerModel>

const signer = { ...common, path: '/api/signer' } as const

export const readSigner = {
  ...signer,
  method: 'GET',
  operationId: 'readSigner',
  summary: 'As whom the person who is signed in signs, and with what.',
  answer: SignerModel,
  access: 'documents.read',
  refusals: always,
} as const

export const setSigner = {
  ...signer,
  method: 'PUT',
  operationId: 'setSigner',
  summary: 'Says the CPF of the person who is signed in. It shows what waits for them; certificates prove the rest.',
  body: body({ cpf: Type.String({ pattern: '^[0-9]{11}$', description: 'Digits only.' }) }, 'Signer'),
  answer: SignerModel,
  access: 'documents.sign',
  refusals: [...always, 'invalid-data'],
} as const

/** What a document is, as a person who signs it reads it. */
export const about = { documentId: Text, documentKind: Text, ownerKind: Text, ownerId: Text, title: Text }

const WaitingDocumentModel = Type.Object(
  {
    ...about,
    institute: Type.String({ description: 'Name of the institution.' }),
    byName: Type.Boolean({ description: 'False where whoever the organization has sign it may.' }),
    creationDate: Time,
  },
  { $id: 'WaitingDocumentModel' },
)

export type WaitingDocument = Static<typeof WaitingDocumentModel>

export const listWaitingDocuments = {
  ...common,
  method: 'GET',
  path: '/api/signer/documents',
  operationId: 'listWaitingDocuments',
  summary: 'Documents of all institutions of the organization that wait for the person who is signed in, oldest first.',
  query: Type.Object(paging),
  answer: pageOf(WaitingDocumentModel),
  access: 'documents.read',
  refusals: always,
} as const
