import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { onSessionLost } from '../../shared/api/request.ts'
import { Frame } from '../../shared/frame/frame.tsx'
import { Switches } from '../../shared/frame/switches.tsx'
import { meQuery } from '../api/session.ts'
import { usePageLinks } from './page-links.ts'
import { Visitor } from './visitor.tsx'

/** The frame around every page of a signed-in user. */
export function Shell() {
  useSession()
  useEnrolment()
  return <Frame links={usePageLinks()} switches={<Switches />} visitor={<Visitor />} />
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

/** Where the organization asks for a second factor, the service allows nothing else before: neither do the pages. */
function useEnrolment(): void {
  const navigate = useNavigate()
  const mustEnrol = useQuery(meQuery).data?.secondFactor === 'to-enrol'
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(() => {
    if (mustEnrol && path !== '/account') void navigate({ to: '/account', replace: true })
  }, [mustEnrol, path, navigate])
}
