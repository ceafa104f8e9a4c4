// Representations: drafts of templates drawn for whoever designs them, and documents drawn anew by another template.
import Type, { type Static } from 'typebox'
import { always, body, Count, maybe, subscriptionHeader, Text } from './common.ts'
import type { ErrorCode } from './errors.ts'
import { TemplateFields } from './setup.ts'

const { kind, content } = TemplateFields.properties

export const previewTemplate = {
  tags: ['Templates'],
  headers: subscriptionHeader,
  method: 'POST',
  path: '/api/templates/preview',
  operationId: 'previewTemplate',
  summary: 'A template as it would look, with data that nobody has; nothing is stored.',
  body: body(
    {
      kind,
      content,
      itemId: maybe(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'Shows the data of this document, which is concluded.',
        }),
      ),
    },
    'TemplateDraft',
  ),
  produces: 'application/pdf',
  access: 'templates.manage',
  policy: 'Previews',
  refusals: [
    ...always,
    'invalid-data',
    'representation-failed',
    'service-busy',
    'file-not-found',
    'degree-not-found',
    'academic-transcript-not-found',
    'curriculum-not-found',
  ],
} as const

const TemplateGuide = Type.Object(
  {
    template: Type.Record(Type.String(), Type.Unknown(), { description: 'That of the suite, to begin with.' }),
    tags: Type.Array(Type.Object({ tag: Text, label: Text })),
    tables: Type.Array(Type.Object({ table: Text, columns: Type.Array(Text), groups: Type.Array(Text) })),
  },
  { $id: 'TemplateGuide' },
)

export const readTemplateGuide = {
  tags: ['Templates'],
  headers: subscriptionHeader,
  method: 'GET',
  path: '/api/template-guides/{kind}',
  operationId: 'readTemplateGuide',
  summary: 'What a template of a kind can show: tags, tables, and the one that is used where nobody made another.',
  params: Type.Object({ kind }),
  answer: TemplateGuide,
  access: 'templates.read',
  refusals: always,
} as const

const RepresentationModel = Type.Object(
  {
    name: Type.Enum(['rvdd', 'rvhe', 'rvce']),
    version: Type.Integer({ ...Count, description: 'All versions stay; the newest is served.' }),
    sha256: Text,
  },
  { $id: 'RepresentationModel' },
)
export type RepresentationView = Static<typeof RepresentationModel>

const renewal = <const Plural extends string, const Absent extends ErrorCode>(plural: Plural, absent: Absent) =>
  ({
    tags: ['Templates'],
    headers: subscriptionHeader,
    method: 'POST',
    path: `/api/${plural}/{id}/representation`,
    summary: 'Draws the visual representation by the template of today; where nothing differs, the newest one stays.',
    answer: RepresentationModel,
    access: 'documents.issue',
    policy: 'Previews',
    refusals: [...always, absent, 'invalid-transition', 'file-not-found', 'representation-failed'],
  }) as const

export const renewDegreeRepresentation = {
  ...renewal('degrees', 'degree-not-found'),
  operationId: 'renewDegreeRepresentation',
} as const
export const renewTranscriptRepresentation = {
  ...renewal('academic-transcripts', 'academic-transcript-not-found'),
  operationId: 'renewTranscriptRepresentation',
} as const
export const renewCurriculumRepresentation = {
  ...renewal('curriculums', 'curriculum-not-found'),
  operationId: 'renewCurriculumRepresentation',
} as const
