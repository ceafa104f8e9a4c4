import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { signOut } from '../api/session.ts'

/** Signs out and returns to the sign-in. */
export function useLeave(): () => Promise<void> {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    await signOut()
    queries.clear()
    await navigate({ to: '/login', search: {} })
  }
}
