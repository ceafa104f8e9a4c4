import type { ListAsked } from '../../store/lists.ts'

interface Query {
  readonly Q?: string | null | undefined
  readonly Limit?: number | null | undefined
  readonly Offset?: number | null | undefined
  readonly Order?: 'Asc' | 'Desc' | null | undefined
}

const DEFAULT_LIMIT = 50

/** A list as the contract asks for it. */
export const listAsked = ({ Q, Limit, Offset, Order }: Query): ListAsked => ({
  q: Q?.trim() || undefined,
  limit: Limit ?? DEFAULT_LIMIT,
  offset: Offset ?? 0,
  descending: Order === 'Desc',
})
