// Many degrees, emissions or transcripts from one file (credentials-platform facts 3).
import Type, { type Static, type TSchema } from 'typebox'
import { always, creationHeaders, orNull, pageOf, paging, subscriptionHeader, Text, Time } from './common.ts'
import { batchFormats, batchKinds, batchRowStatuses, batchStatuses, transcriptTypes } from './vocabulary.ts'

const Id = (description?: string) =>
  Type.String({ minLength: 1, maxLength: 64, ...(description !== undefined && { description }) })
const FlowId = Type.Optional(Id('Who signs. Default: one person, then the institution.'))

const Batch = Type.Object(
  {
    id: Text,
    subscriptionId: Text,
    instituteId: Text,
    kind: Type.Enum([...batchKinds]),
    status: Type.Enum([...batchStatuses]),
    format: Type.Enum([...batchFormats]),
    rows: Type.Integer({ description: 'Rows of the file.' }),
    done: Type.Integer({ description: 'Rows that became an item.' }),
    failed: Type.Integer({ description: 'Rows that did not.' }),
    progress: Type.Integer({ minimum: 0, maximum: 100, description: 'Percent of the rows that were looked at.' }),
    createdBy: Text,
    creationDate: Time,
    updateDate: Time,
    finishDate: orNull(Time),
  },
  { $id: 'Batch' },
)
export type BatchView = Static<typeof Batch>

const BatchRow = Type.Object(
  {
    number: Type.Integer({ description: 'From 1; headers and blank lines do not count.' }),
    status: Type.Enum([...batchRowStatuses]),
    itemId: orNull(Text),
    code: orNull(Type.String({ description: 'Code of the error.' })),
    errors: Type.Array(
      Type.Object({
        field: Type.String({ description: 'The column, or the path in the row.' }),
        messages: Type.Array(Text),
      }),
    ),
  },
  { $id: 'BatchRow' },
)
export type BatchRowView = Static<typeof BatchRow>

/** What holds for every row, by kind. */
const batchOptions = {
  Degree: Type.Object({
    instituteId: Id(),
    courseId: Type.Optional(Id('Fills dadosCurso in.')),
    registrarInstituteId: Type.Optional(Id('Default: the institution that issues.')),
    academicDocumentationFlowId: FlowId,
    degreeFlowId: FlowId,
    academicTranscriptFlowId: FlowId,
    createAcademicTranscript: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether first copies get their final transcripts as well.' }),
    ),
  }),
  Emission: Type.Object({
    instituteId: Id(),
    courseId: Type.Optional(Id('Fills dadosCurso in.')),
    flowId: FlowId,
  }),
  AcademicTranscript: Type.Object({
    instituteId: Id(),
    courseId: Type.Optional(Id('Fills dadosCurso in.')),
    flowId: FlowId,
    type: Type.Enum([...transcriptTypes]),
  }),
} as const

export type DegreeOptions = Static<typeof batchOptions.Degree>
export type EmissionOptions = Static<typeof batchOptions.Emission>
export type TranscriptOptions = Static<typeof batchOptions.AcademicTranscript>

const templateQuery = {
  Degree: Type.Object({ withCourse: Type.Optional(Type.Boolean({ default: false })) }),
  Emission: Type.Object({ withCourse: Type.Optional(Type.Boolean({ default: false })) }),
  AcademicTranscript: Type.Object({
    withCourse: Type.Optional(Type.Boolean({ default: false })),
    type: Type.Optional(Type.Enum([...transcriptTypes], { default: 'Final' })),
  }),
} as const

const Rows = Type.Object({ rows: Type.Array(Type.Unknown()) }, { $id: 'BatchRows' })
const found = [...always, 'batch-not-found'] as const

/** The operations of the batches of one kind. */
const batchOperations = <
  const Plural extends string,
  const Title extends string,
  Options extends TSchema,
  Template extends TSchema,
>(
  plural: Plural,
  title: Title,
  options: Options,
  template: Template,
) => {
  const path = `/api/${plural}/batches` as const
  const one = `${path}/{id}` as const
  const reading = { tags: [title], headers: subscriptionHeader, access: 'documents.read' } as const
  return {
    create: {
      tags: [title],
      method: 'POST',
      path,
      summary: `Makes many ${plural} from a file, row by row, in the background.`,
      description:
        'CSV whose header has paths of the layout (see csv-template), lines of JSON, or JSON with a list of rows. What holds for every row is in the query. Columns that nobody knows are refused before the first row; what is wrong with a row is told with it.',
      query: options,
      headers: creationHeaders,
      streamed: true,
      consumes: ['text/csv', 'application/x-ndjson', 'application/json'],
      bodies: { 'text/csv': Text, 'application/x-ndjson': Text, 'application/json': Rows },
      body: Rows,
      answer: Batch,
      status: 202,
      access: 'documents.issue',
      refusals: [
        ...always,
        'institute-not-found',
        'course-not-found',
        'flow-not-found',
        'invalid-data',
        'idempotency-key-reused',
        'request-too-large',
        'unsupported-media-type',
      ],
    },
    list: {
      ...reading,
      method: 'GET',
      path,
      summary: `Batches of ${plural}, from the newest.`,
      query: Type.Object({ ...paging, status: Type.Optional(Type.Enum([...batchStatuses])) }),
      answer: pageOf(Batch),
      refusals: always,
    },
    template: {
      ...reading,
      method: 'GET',
      path: `${path}/csv-template` as const,
      summary: 'A header with the columns of a usual row, and such a row.',
      query: template,
      produces: 'text/csv; charset=utf-8',
      refusals: always,
    },
    read: {
      ...reading,
      method: 'GET',
      path: one,
      summary: 'A batch, and how far it is.',
      answer: Batch,
      refusals: found,
    },
    cancel: {
      ...reading,
      method: 'POST',
      path: `${one}/cancellation` as const,
      summary: 'Stops a batch; what was made of it stays.',
      answer: Batch,
      access: 'documents.issue',
      refusals: [...found, 'invalid-transition'],
    },
    rows: {
      ...reading,
      method: 'GET',
      path: `${one}/rows` as const,
      summary: 'What became of the rows that were looked at, in their order.',
      query: Type.Object({ ...paging, status: Type.Optional(Type.Enum([...batchRowStatuses])) }),
      answer: pageOf(BatchRow),
      refusals: found,
    },
    errors: {
      ...reading,
      method: 'GET',
      path: `${one}/errors` as const,
      summary: 'The rows that failed, as they came, with their errors: to be corrected and sent again.',
      description:
        'In the format of the file. Columns and fields whose names begin with # are remarks that nobody reads.',
      produces: 'application/octet-stream',
      refusals: found,
    },
  } as const
}

export const batches = {
  Degree: batchOperations('degrees', 'Degrees', batchOptions.Degree, templateQuery.Degree),
  Emission: batchOperations('emissions', 'Emissions', batchOptions.Emission, templateQuery.Emission),
  AcademicTranscript: batchOperations(
    'academic-transcripts',
    'Academic transcripts',
    batchOptions.AcademicTranscript,
    templateQuery.AcademicTranscript,
  ),
} as const
