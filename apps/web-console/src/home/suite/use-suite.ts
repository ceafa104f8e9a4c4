import type { SuiteView } from '@chancela/demo/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getJson } from '../../shared/api/get-json.ts'

const POLL_SECONDS = 3

const suiteQuery = queryOptions({
  queryKey: ['suite'],
  queryFn: ({ signal }) => getJson<SuiteView>('api/suite', { signal }),
  // Continues after a failure, so that the page recovers by itself.
  refetchInterval: POLL_SECONDS * 1000,
})

export interface SuiteState {
  /** As the server last described it; absent until its first answer. */
  suite: SuiteView | undefined
  /** Why the last answer is missing; null while the server answers. */
  failure: Error | null
  retry: () => void
}

/** The suite, polled every few seconds while the page is visible. */
export function useSuite(): SuiteState {
  const { data: suite, error, isSuccess, refetch } = useQuery(suiteQuery)
  // Kept until an answer comes: the query clears its error at each retry, and the page would flicker between states.
  const [failure, setFailure] = useState<Error | null>(null)
  if (error && error !== failure) setFailure(error)
  if (isSuccess && failure) setFailure(null)
  return { suite, failure, retry: () => void refetch() }
}

/** When the server last answered, and whether it still does; apart, so that its updates re-render nothing else. */
export function useLastLook(): { at: number; live: boolean } {
  const { dataUpdatedAt, isError } = useQuery({ ...suiteQuery, select: () => null })
  return { at: dataUpdatedAt, live: !isError }
}
