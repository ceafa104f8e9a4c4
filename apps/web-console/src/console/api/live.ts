import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { call } from '../../shared/api/request.ts'

/** Refresh interval of lists that change by themselves. */
export const REFRESH_MS = 5000

/** Query parameters; undefined ones are left out. */
type Asked = Readonly<Record<string, string | undefined>>

/** The query string, without empty parameters. */
export const queryOf = (asked: Asked): string =>
  String(new URLSearchParams(Object.entries(asked).filter((entry): entry is [string, string] => Boolean(entry[1]))))

/** A page of a long list; a type, so that the declarations of queries can write it out. */
type Page<Item> = {
  readonly items: readonly Item[]
  readonly nextCursor: string | null
}

/** The list at `/api/<name>`, read page by page. */
export const pagedQuery = <Item>(name: string, asked: Asked) =>
  infiniteQueryOptions({
    queryKey: [name, asked],
    queryFn: ({ signal, pageParam: cursor }) =>
      call<Page<Item>>('GET', `/api/${name}?${queryOf({ ...asked, cursor })}`, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
