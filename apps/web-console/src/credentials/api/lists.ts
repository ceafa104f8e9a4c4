import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ask } from './acting-for.ts'
import type { Page } from './types.ts'

/** What a list is asked for; only what is given is sent. */
export type ListSearch = Readonly<Record<string, string | number | undefined>>

const searchText = (search: ListSearch): string => {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/** A page of a list of the API. */
export const listQuery = <Item>(resource: string, search: ListSearch = {}) =>
  queryOptions({
    queryKey: [resource, search],
    queryFn: ({ signal }) => ask<Page<Item>>('GET', `/api/${resource}${searchText(search)}`, { signal }),
    placeholderData: keepPreviousData,
  })

/** As many as the service gives at once, for choices. */
export const MOST_CHOICES = 100

/** One item of a list of the API. */
export const itemQuery = <Item>(resource: string, id: string) =>
  queryOptions({
    queryKey: [resource, id],
    queryFn: ({ signal }) => ask<Item>('GET', addressOf(resource, id), { signal }),
  })

export const addressOf = (resource: string, id: string): string => `/api/${resource}/${encodeURIComponent(id)}`

/** Makes an item, or changes the one with the id. */
export const saveItem = <Item>(resource: string, id: string | undefined, body: unknown): Promise<Item> =>
  id === undefined
    ? ask<Item>('POST', `/api/${resource}`, { body })
    : ask<Item>('PUT', addressOf(resource, id), { body })

export const deleteItem = (resource: string, id: string) => ask<unknown>('DELETE', addressOf(resource, id))
