import type { CommonRight } from '@chancela/admin-console/contract'
import type { HubRight } from '@chancela/cloud-hub/contract'
import type { CoreRight } from '@chancela/pki-core/contract'
import type { SessionServerRight } from '@chancela/session-server/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { meQuery } from '../api/session.ts'

/** A right of one of the consoles. */
export type Right = CommonRight | SessionServerRight | HubRight | CoreRight

/** Whether whoever is signed in has a right; nobody does before that is known. */
export function useMay(): (right: Right) => boolean {
  const { data: me } = useQuery(meQuery)
  return (right) => me?.rights.includes(right) ?? false
}

/** Shows what is only for those with the right. The server decides anyway; a button that it would refuse is of no use. */
export function May({ right, children, otherwise }: { right: Right; children: ReactNode; otherwise?: ReactNode }) {
  const may = useMay()
  return <>{may(right) ? children : otherwise}</>
}

/** The pages that whoever is signed in may read. */
export function usePagesFor<Page extends { readonly right?: Right }>(
  pages: readonly Page[],
): readonly Omit<Page, 'right'>[] {
  const may = useMay()
  return pages.filter(({ right }) => right === undefined || may(right)).map(({ right: _, ...page }) => page)
}
