import Type, { type TProperties, type TSchema } from 'typebox'

/** A field of an answer that may have no value. */
export const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** A field that a client may leave out or send as null. */
export const maybe = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]))

export const Text = Type.String()
export const Flag = Type.Boolean()
export const Count = Type.Integer({ minimum: 0 })
export const Time = Type.String({ format: 'date-time' })
export const Day = Type.String({ format: 'date' })

/** A name or a number that a person wrote: one line that is read as it is written, bounded, and not empty. */
export const line = (most: number) => Type.String({ minLength: 1, maxLength: most, format: 'one-line' })

/** A text of several lines; control characters and marks of direction are taken out. */
export const lines = (most: number, description?: string) =>
  Type.String({
    minLength: 1,
    maxLength: most,
    format: 'cleaned-lines',
    ...(description !== undefined && { description }),
  })

export const Name = line(255)

/** A body: a field that nobody knows is refused by its name, because nobody would honour it. */
export const body = <P extends TProperties>(fields: P, $id?: string) =>
  Type.Object(fields, { additionalProperties: false, ...($id !== undefined && { $id }) })

/** What a subscription is chosen by, where a caller belongs to several. */
export const subscriptionHeader = Type.Object({
  'X-Subscription': Type.Optional(
    Type.String({ description: 'Id of the subscription; needed where there are several.' }),
  ),
})

/** The same of a creation, which may be repeated. */
export const creationHeaders = Type.Object({
  ...subscriptionHeader.properties,
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The same key with the same request answers the same again; nothing is created twice.',
    }),
  ),
})

const MOST_PER_PAGE = 100

/** What every list takes. */
export const paging = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_PER_PAGE, default: 20 })),
}

/** The same with a text to look for. */
export const searching = { ...paging, q: Type.Optional(Type.String({ maxLength: 200 })) }

export const pageOf = <S extends TSchema>(item: S) =>
  Type.Object({
    items: Type.Array(item),
    page: Count,
    pageSize: Count,
    totalCount: orNull(Type.Integer({ description: 'Null where there are more than are counted.' })),
  })

/** Codes that every route may answer. */
export const always = ['invalid-request', 'unauthorized', 'forbidden', 'too-many-requests'] as const

/** The reason beside it in both languages; null for words of somebody else. */
export const Messages = Type.Union([Type.Object({ 'pt-BR': Type.String(), 'en-US': Type.String() }), Type.Null()])
