// What an institution sets up once: courses, signing flows, templates (credentials-platform facts 1.4, 1.6, 1.7, 3).
import Type, { type Static, type TSchema } from 'typebox'
import { CourseData, EmecCode } from './academic.ts'
import {
  always,
  body,
  creationHeaders,
  maybe,
  Name,
  orNull,
  pageOf,
  searching,
  subscriptionHeader,
  Text,
  Time,
} from './common.ts'
import type { ErrorCode } from './errors.ts'

const times = { creationDate: Time, updateDate: Time }
const Id = Type.String({ minLength: 1, maxLength: 64 })

const course = { instituteId: Id, name: Name, emecCode: maybe(EmecCode), data: CourseData }

export const CourseFields = body(course, 'CourseFields')
const CourseModel = Type.Object(
  { id: Text, subscriptionId: Text, ...course, emecCode: orNull(Text), ...times },
  { $id: 'CourseModel' },
)

export const flowDocuments = [
  'AcademicDocumentation',
  'Degree',
  'AcademicTranscript',
  'Curriculum',
  'CancellationList',
  'InspectionFile',
] as const

/** Who signs at a step: a person with an e-CPF, or the institution with its e-CNPJ. */
const FlowStep = body({
  node: Type.Enum(['DadosDiploma', 'DadosRegistro', 'Document'], { description: 'What is signed.' }),
  certificateKind: Type.Enum(['eCpf', 'eCnpj']),
  level: Type.Enum(['AD-RC', 'AD-RT', 'AD-RA']),
  participants: Type.Array(
    body({
      name: Name,
      identifier: Type.String({ pattern: '^([0-9]{11}|[0-9]{14})$', description: 'CPF of a person, or CNPJ.' }),
      email: Type.Optional(Type.String({ format: 'email', maxLength: 254 })),
      cargo: Type.Optional(Name),
      representative: Type.Optional(
        Type.String({
          pattern: '^[0-9]{11}$',
          description: 'CPF in the e-CNPJ of an institution: whoever signs for it at the document platform.',
        }),
      ),
    }),
    { minItems: 1, maxItems: 20 },
  ),
})

const signingPlaces = ['Here', 'DocumentPlatform'] as const
export type SigningPlace = (typeof signingPlaces)[number]
export const SigningPlaces = Type.Enum([...signingPlaces], {
  description: 'Where people sign: here, or at the document platform of the organization.',
})

const flow = {
  instituteId: maybe(Id),
  name: Name,
  documentKind: Type.Enum([...flowDocuments]),
  steps: Type.Array(FlowStep, { minItems: 1, maxItems: 20 }),
}

export const FlowFields = body({ ...flow, signedAt: Type.Optional(SigningPlaces) }, 'FlowFields')
const FlowModel = Type.Object(
  { id: Text, subscriptionId: Text, ...flow, instituteId: orNull(Text), signedAt: SigningPlaces, ...times },
  { $id: 'FlowModel' },
)

const templateKinds = ['RVDD', 'RVHE', 'RVCE'] as const

const template = {
  instituteId: maybe(Id),
  name: Name,
  kind: Type.Enum([...templateKinds]),
  content: Type.Record(Type.String(), Type.Unknown(), { description: 'The template, as JSON.' }),
}

export const TemplateFields = body(template, 'TemplateFields')
const TemplateModel = Type.Object(
  { id: Text, subscriptionId: Text, ...template, instituteId: orNull(Text), ...times },
  { $id: 'TemplateModel' },
)

export type CourseView = Static<typeof CourseModel>
export type FlowView = Static<typeof FlowModel>

/** A step as it is kept, and goes into the plan of a document: with the place where people sign. */
export type KeptStep = Static<typeof FlowStep> & { readonly signedAt?: 'DocumentPlatform' }
export type TemplateView = Static<typeof TemplateModel>

/** The five operations that all three have. */
const operationsOf = <
  const Plural extends string,
  const Title extends string,
  const Absent extends ErrorCode,
  Fields extends TSchema,
  Model extends TSchema,
>(
  plural: Plural,
  title: Title,
  absent: Absent,
  fields: Fields,
  model: Model,
) => {
  const path = `/api/${plural}` as const
  const common = { tags: [title], headers: subscriptionHeader } as const
  const one = `${path}/{id}` as const
  const [read, manage] = [`${plural}.read` as const, `${plural}.manage` as const]
  const notFound = [...always, absent] as const
  return {
    list: {
      ...common,
      method: 'GET',
      path,
      summary: `${title} of the organization.`,
      query: Type.Object({ ...searching, instituteId: Type.Optional(Id) }),
      answer: pageOf(model),
      access: read,
      refusals: always,
    },
    create: {
      ...common,
      method: 'POST',
      path,
      summary: `Makes one of the ${plural}.`,
      headers: creationHeaders,
      body: fields,
      answer: model,
      status: 201,
      access: manage,
      refusals: [...always, 'institute-not-found', 'invalid-data', 'already-exists', 'idempotency-key-reused'],
    },
    read: {
      ...common,
      method: 'GET',
      path: one,
      summary: `One of the ${plural}.`,
      answer: model,
      access: read,
      refusals: notFound,
    },
    change: {
      ...common,
      method: 'PUT',
      path: one,
      summary: `Changes one of the ${plural}; what was issued with it stays as it is.`,
      body: fields,
      answer: model,
      access: manage,
      refusals: [...notFound, 'institute-not-found', 'invalid-data', 'already-exists'],
    },
    remove: {
      ...common,
      method: 'DELETE',
      path: one,
      summary: `Deletes one of the ${plural}; what was issued with it stays as it is.`,
      access: manage,
      refusals: notFound,
    },
  } as const
}

export const courses = operationsOf('courses', 'Courses', 'course-not-found', CourseFields, CourseModel)
export const flows = operationsOf('flows', 'Flows', 'flow-not-found', FlowFields, FlowModel)
export const templates = operationsOf('templates', 'Templates', 'template-not-found', TemplateFields, TemplateModel)
