import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { onSessionLost } from '../../shared/api/request.ts'
import { Frame } from '../../shared/frame/frame.tsx'
import { Switches } from '../../shared/frame/switches.tsx'
import { usePageLinks } from './page-links.ts'
import { Visitor } from './visitor.tsx'

/** The frame around every page of a signed-in user. */
export function Shell() {
  useSession()
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
