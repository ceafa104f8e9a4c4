// What the kinds of documents have in common on the wire (credentials-platform facts 3): lists, models, files.
import Type, { type TProperties, type TSchema } from 'typebox'
import { always, body, lines, maybe, pageOf, searching, subscriptionHeader } from './common.ts'
import type { ErrorCode } from './errors.ts'

const Id = Type.String({ minLength: 1, maxLength: 64 })

/** Which institution makes it, by which flow it is signed, and for which course. */
export const making = {
  instituteId: Id,
  courseId: maybe(Type.String({ minLength: 1, maxLength: 64, description: 'Fills dadosCurso in.' })),
}

export const FlowId = maybe(
  Type.String({ minLength: 1, maxLength: 64, description: 'Who signs. Default: one person, then the institution.' }),
)

/** Data under the names of the layout; what the platform fills in is refused by its name. */
export const LayoutData = Type.Record(Type.String(), Type.Unknown(), {
  description: 'As the layout has it, in camelCase; every problem is told at once, by its path.',
})

/** Largest body of a creation: attachments of the documentation are inside. */
export const CREATION_BYTES = 33_554_432

export const Reason = lines(2000, 'Why; kept with the item and told to webhooks.')

export const ReasonBody = body({ reason: Reason }, 'ChangeReason')

/** What a creation may be refused for. */
export const creationRefusals = [
  ...always,
  'institute-not-found',
  'course-not-found',
  'flow-not-found',
  'invalid-data',
  'already-exists',
  'idempotency-key-reused',
  'request-too-large',
] as const

/** A filter of the kinds that batches make. */
export const ofBatch = { batchId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })) }

/** The three operations that every kind has: its list, one of it, its files. */
export const itemOperations = <
  const Plural extends string,
  const Title extends string,
  const Absent extends ErrorCode,
  Model extends TSchema,
  const Status extends string,
  const File extends string,
  Filters extends TProperties = Record<never, never>,
>(
  plural: Plural,
  title: Title,
  absent: Absent,
  model: Model,
  statuses: readonly Status[],
  files: readonly File[],
  filters = {} as Filters,
) => {
  const path = `/api/${plural}` as const
  const common = { tags: [title], headers: subscriptionHeader, access: 'documents.read' } as const
  return {
    list: {
      ...common,
      method: 'GET',
      path,
      summary: `${title} of the organization, from the newest.`,
      query: Type.Object({
        ...searching,
        status: Type.Optional(Type.Enum([...statuses] as Status[])),
        instituteId: Type.Optional(Id),
        from: Type.Optional(Type.String({ format: 'date-time', description: 'Created then or later.' })),
        to: Type.Optional(Type.String({ format: 'date-time', description: 'Created before.' })),
        ...filters,
      }),
      answer: pageOf(model),
      refusals: always,
    },
    read: {
      ...common,
      method: 'GET',
      path: `${path}/{id}` as const,
      summary: `One of the ${plural}.`,
      answer: model,
      refusals: [...always, absent] as const,
    },
    file: {
      ...common,
      method: 'GET',
      path: `${path}/{id}/files/{name}` as const,
      summary:
        'A file: XML byte by byte as it was signed, or the PDF that shows it. Its ETag is its SHA-256; If-None-Match is answered 304.',
      params: Type.Object({ id: Type.String(), name: Type.Enum([...files] as File[]) }),
      headers: Type.Object({
        ...subscriptionHeader.properties,
        'If-None-Match': Type.Optional(Type.String({ maxLength: 2000 })),
      }),
      produces: 'application/octet-stream',
      refusals: [...always, absent, 'file-not-found', 'representation-failed'] as const,
    },
  } as const
}
