import { useQuery } from '@tanstack/react-query'
import { Navigate, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { onSessionLost } from '../../shared/api/request.ts'
import { Frame, type PageLink } from '../../shared/frame/frame.tsx'
import { Switches } from '../../shared/frame/switches.tsx'
import { meQuery } from '../api/session.ts'
import { Visitor } from './visitor.tsx'

/** The frame around every page of a signed-in administrator. */
export function Shell({ links }: { links: readonly PageLink[] }) {
  useSession()
  const { data: me } = useQuery(meQuery)
  // Enrolment comes first: the service allows nothing else before.
  if (me?.secondFactor === 'to-enrol') return <Navigate to="/second-factor" replace />
  return <Frame links={links} switches={<Switches />} visitor={<Visitor />} />
}

/** Redirects to the sign-in when the session has ended, and back afterwards. */
function useSession(): void {
  const navigate = useNavigate()
  useEffect(
    () =>
      onSessionLost(() => {
        if (location.pathname === '/login') return
        void navigate({ to: '/login', search: { ReturnUrl: location.pathname + location.search } })
      }),
    [navigate],
  )
}
