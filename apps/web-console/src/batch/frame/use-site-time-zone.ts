import { useQuery } from '@tanstack/react-query'
import { whoQuery } from '../api/queries.ts'

/** Where the days of the site begin and end; the reader's own zone until the service has told. */
export function useSiteTimeZone(): string {
  const { data } = useQuery(whoQuery)
  return data?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}
