// Institutions: who issues, who registers, and where their documents are verified (credentials-platform facts 1.4, 1.7).
import Type, { type Static } from 'typebox'
import { Cnpj, EmecCode, InstituteData } from './academic.ts'
import {
  always,
  body,
  creationHeaders,
  Flag,
  Name,
  pageOf,
  searching,
  subscriptionHeader,
  Text,
  Time,
} from './common.ts'
import { instituteKinds } from './vocabulary.ts'

const common = { tags: ['Institutes'], headers: subscriptionHeader } as const

const fields = {
  kind: Type.Enum([...instituteKinds]),
  name: Name,
  code: EmecCode,
  cnpj: Cnpj,
  federalSystem: Type.Boolean({ description: 'Whether the institution belongs to the federal system.' }),
  publicUrl: Type.String({ minLength: 1, maxLength: 200, description: 'Unique URLs of documents begin with it.' }),
  data: InstituteData,
}

const InstituteModel = Type.Object(
  { id: Text, subscriptionId: Text, ...fields, creationDate: Time, updateDate: Time },
  { $id: 'InstituteModel' },
)

export type InstituteView = Static<typeof InstituteModel>

const InstituteFields = body({ ...fields, federalSystem: Type.Optional(Flag) }, 'InstituteFields')

export type InstituteFields = Static<typeof InstituteFields>

const notFound = [...always, 'institute-not-found'] as const
const wrong = ['invalid-data', 'already-exists'] as const

export const listInstitutes = {
  ...common,
  method: 'GET',
  path: '/api/institutes',
  operationId: 'listInstitutes',
  summary: 'The institutions of the organization.',
  query: Type.Object(searching),
  answer: pageOf(InstituteModel),
  access: 'institutes.read',
  refusals: always,
} as const

export const createInstitute = {
  ...common,
  method: 'POST',
  path: '/api/institutes',
  operationId: 'createInstitute',
  summary: 'Makes an institution.',
  headers: creationHeaders,
  body: InstituteFields,
  answer: InstituteModel,
  status: 201,
  access: 'institutes.manage',
  refusals: [...always, ...wrong, 'idempotency-key-reused'],
} as const

export const readInstitute = {
  ...common,
  method: 'GET',
  path: '/api/institutes/{id}',
  operationId: 'readInstitute',
  summary: 'An institution.',
  answer: InstituteModel,
  access: 'institutes.read',
  refusals: notFound,
} as const

export const changeInstitute = {
  ...common,
  method: 'PUT',
  path: '/api/institutes/{id}',
  operationId: 'changeInstitute',
  summary: 'Changes an institution; documents that were issued stay as they are.',
  body: InstituteFields,
  answer: InstituteModel,
  access: 'institutes.manage',
  refusals: [...notFound, ...wrong],
} as const

export const deleteInstitute = {
  ...common,
  method: 'DELETE',
  path: '/api/institutes/{id}',
  operationId: 'deleteInstitute',
  summary: 'Deletes an institution that has issued and registered nothing.',
  access: 'institutes.manage',
  refusals: [...notFound, 'in-use'],
} as const
