import { useNavigate, useSearch } from '@tanstack/react-router'

/** What a list is narrowed to, as in the URL. */
export interface ListSearch {
  readonly q?: string
  readonly instituteId?: string
  readonly status?: string
  /** Of what an import made. */
  readonly batchId?: string
  /** Types of items, of events. */
  readonly entityTypes?: string
  readonly page?: number
}

const words = ['q', 'instituteId', 'status', 'batchId', 'entityTypes'] as const

/** Reads it from the URL, or from a form; what is unknown is dropped. */
export function listSearchFrom(search: Record<string, unknown>): ListSearch {
  const given = words
    .map((name) => [name, search[name]] as const)
    .filter(([, value]) => typeof value === 'string' && value.trim() !== '')
    .map(([name, value]) => [name, String(value).trim()])
  const page = Number(search.page)
  return { ...Object.fromEntries(given), ...(Number.isInteger(page) && page > 1 && { page }) }
}

export const isNarrowed = ({ page: _, ...narrowing }: ListSearch): boolean => Object.keys(narrowing).length > 0

/** The search of the page that is shown, and the way to another. */
export function useListSearch() {
  const search: ListSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  return { search, change: (next: ListSearch) => void navigate({ to: '.', search: next }) }
}
