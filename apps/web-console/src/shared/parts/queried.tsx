import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Loading } from './loading.tsx'
import { ProblemNote } from './problem-note.tsx'

/** Renders the data of a query, or its loading or error state; stale data stays visible while a refetch fails. */
export function Queried<Data>(props: {
  query: UseQueryResult<Data>
  lines?: number
  children: (data: Data) => ReactNode
}) {
  const { data, error, refetch } = props.query
  return (
    <>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data !== undefined && props.children(data)}
      {data === undefined && !error && <Loading {...(props.lines !== undefined && { lines: props.lines })} />}
    </>
  )
}
