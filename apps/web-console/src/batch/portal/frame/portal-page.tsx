import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { onSessionLost } from '../../../shared/api/request.ts'
import { Queried } from '../../../shared/parts/queried.tsx'
import { approverQuery } from '../api/portal-calls.ts'
import type { Approver } from '../api/portal-types.ts'
import classes from './portal-frame.module.css'
import { PortalFrame } from './portal-frame.tsx'

interface PortalPageProps {
  /** What somebody without a session sees. */
  nobody: ReactNode
  children: (approver: Approver) => ReactNode
}

/** A page for whoever has the session of an approver; one that ends meanwhile shows what nobody sees. */
export function PortalPage({ nobody, children }: PortalPageProps) {
  const [isLost, setIsLost] = useState(false)
  useEffect(() => onSessionLost(() => setIsLost(true)), [])
  const approver = useQuery({
    ...approverQuery,
    enabled: !isLost,
    refetchInterval: ({ state }) => everyOf(state.data),
  })
  if (isLost) return nobody
  if (approver.data) return <PortalFrame approver={approver.data}>{children(approver.data)}</PortalFrame>
  return (
    <main className={classes.main}>
      <Queried query={approver}>{() => null}</Queried>
    </main>
  )
}

/** How often a page looks for news, in milliseconds; the first answer tells. */
export const everyOf = (approver: Pick<Approver, 'pollSeconds'> | undefined): number | false =>
  approver ? approver.pollSeconds * 1000 : false
