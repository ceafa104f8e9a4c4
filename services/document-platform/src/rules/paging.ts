/** A page of a list by name. */
export interface Page {
  readonly limit: number
  readonly offset: number
  readonly order: 'asc' | 'desc'
}

/** Paging as the wire has it. */
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

/** The text to look for; nothing when there is none. */
export const textOf = ({ q }: PagingQuery): string | undefined => q?.trim() || undefined
