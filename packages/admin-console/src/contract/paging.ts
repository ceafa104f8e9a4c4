import Type, { type TSchema } from 'typebox'
import { orNull, Text } from './common.ts'

/** Paging of every list of a console: by cursor, so that the last page of a long log costs no more than the first. */
export const paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 50 })),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: 'nextCursor of the page before.' })),
}

export const pageOf = <S extends TSchema>(item: S) => Type.Object({ items: Type.Array(item), nextCursor: orNull(Text) })
