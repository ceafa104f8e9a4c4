/** A page of a list sorted by name. */
export interface Page {
  readonly limit: number
  readonly offset: number
  readonly order: 'asc' | 'desc'
}

/** Paging parameters of a request. */
interface PagingQuery {
  readonly q?: string
  readonly limit?: number
  readonly offset?: number
  readonly order?: 'Asc' | 'Desc'
}

export const pageOf = ({ limit = 10, offset = 0, order }: PagingQuery): Page => ({
  limit,
  offset,
  order: order === 'Desc' ? 'desc' : 'asc',
})

/** The search text; undefined when empty. */
export const textOf = ({ q }: PagingQuery): string | undefined => q?.trim() || undefined
