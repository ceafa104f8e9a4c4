import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { itemQuery } from '../api/lists.ts'

export interface PageOfItemProps<Item> {
  resource: string
  id: string
  /** Of the page while there is nothing to name it by. */
  title: string
  back: ReactNode
  /** Whether it may change by itself: it is read again then. */
  isMoving?: (item: Item) => boolean
  /** How often, then, in milliseconds. Default: 5,000. */
  everyMs?: number
  children: (item: Item) => ReactNode
}

const REFRESH_MS = 5000

/** The page of one item; one that cannot be read keeps a heading and the way back. */
export function PageOfItem<Item>({
  resource,
  id,
  title,
  back,
  isMoving,
  everyMs = REFRESH_MS,
  children,
}: PageOfItemProps<Item>) {
  const query = useQuery({
    ...itemQuery<Item>(resource, id),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isMoving?.(data) ? everyMs : false),
  })
  if (query.isLoadingError)
    return (
      <>
        <PageHead title={title} above={back} />
        <Queried query={query}>{() => null}</Queried>
      </>
    )
  return (
    <Queried query={query} lines={10}>
      {children}
    </Queried>
  )
}
