import Type, { type TSchema } from 'typebox'

export const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** A field a client may leave out or send as null. */
export const maybe = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]))

export const Id = Type.String({ description: 'GUID.', maxLength: 64 })
export const Time = Type.String({ description: 'ISO 8601 with Z.' })
export const Text = Type.String()

/** A name: one line that is read as it is written, otherwise refused. */
export const line = (maxLength: number, minLength = 0) => Type.String({ minLength, maxLength, format: 'one-line' })

export const OneLine = Type.String({ format: 'one-line' })

/** The name of a file, or a number: what is not seen in it is taken out. */
export const cleanedLine = (maxLength: number) => Type.String({ maxLength, format: 'cleaned-line' })

/** A text of several lines, without control characters and marks of direction. */
export const cleanedLines = (maxLength: number, minLength = 0) =>
  Type.String({ minLength, maxLength, format: 'cleaned-lines' })

export const Flag = Type.Boolean()
export const Count = Type.Integer({ minimum: 0 })

const PAGE = 10
const LONGEST_PAGE = 500

/** Paging of every list (document-platform facts 1.1). */
export const paging = {
  q: Type.Optional(Type.String({ maxLength: 200, description: 'Text to look for.' })),
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: LONGEST_PAGE, default: PAGE })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000, default: 0, description: 'Items to skip.' })),
  order: Type.Optional(Type.Enum(['Asc', 'Desc'], { default: 'Desc' })),
}

/** For lists sorted by name. */
export const byName = { order: Type.Optional(Type.Enum(['Asc', 'Desc'], { default: 'Asc' })) }

export const pageOf = <S extends TSchema>(item: S) =>
  Type.Object({ items: Type.Array(item), totalCount: orNull(Count), nextCursor: orNull(Text) })

export const IdAndName = Type.Object({ id: Id, name: Text })
