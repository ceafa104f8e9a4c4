/** What a list was asked for. */
interface Query {
  readonly q?: string
  readonly page?: number
  readonly pageSize?: number
}

/** A page of rows, and the text to look for. */
export interface Asked {
  readonly q: string | undefined
  readonly page: number
  readonly pageSize: number
  readonly limit: number
  readonly offset: number
}

const DEFAULT_SIZE = 20

export const askedOf = ({ q, page = 1, pageSize = DEFAULT_SIZE }: Query): Asked => ({
  q: q?.trim() || undefined,
  page,
  pageSize,
  limit: pageSize,
  offset: (page - 1) * pageSize,
})

export const pageOf = <Item>({ page, pageSize }: Asked, items: readonly Item[], totalCount: number | null) => ({
  items,
  page,
  pageSize,
  totalCount,
})
