// What the operations of the management have in common.
import Type, { type TSchema } from 'typebox'
import { maybe } from './common.ts'

/** What every operation may answer (spec 1 C, Endpoints): 400, 403 and 422 stand beside 401 in its description. */
export const always = ['InvalidRequest', 'Forbidden', 'EntityNotFound'] as const

/** Names of what a subscription has; people find it by them. */
export const Name = Type.String({ minLength: 1, maxLength: 100, format: 'one-line' })

/** Paging of every list (pki-core facts 4). */
export const listQuery = {
  Q: maybe(Type.String({ maxLength: 200, description: 'Part of the name.' })),
  Limit: maybe(Type.Integer({ minimum: 0, maximum: 500, description: 'Default: 50.' })),
  Offset: maybe(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  Order: maybe(Type.Enum(['Asc', 'Desc'])),
}

export const pageOf = <S extends TSchema>(item: S) =>
  Type.Object({ items: Type.Array(item), totalCount: Type.Integer({ minimum: 0 }) })
