import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { onSessionLost } from '../../shared/api/request.ts'
import { followServer } from '../api/live.ts'

/** Refreshes the pages when the server's data changes, and redirects to the login when the session has ended. */
export function useFollowServer(): void {
  const queries = useQueryClient()
  const navigate = useNavigate()
  useEffect(() => followServer(queries), [queries])
  useEffect(
    () =>
      onSessionLost(() => {
        const here = location.pathname + location.search
        void navigate({ to: '/login', search: here === '/' ? {} : { ReturnUrl: here } })
      }),
    [navigate],
  )
}
