import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { signOut } from '../api/session.ts'
import { dropDrafts } from '../editor/kept-drafts.ts'

/** Signs out and returns to the sign-in. */
export function useLeave(): () => Promise<void> {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    await signOut()
    // Drafts hold data of students: nothing of them stays behind.
    await dropDrafts()
    queries.clear()
    await navigate({ to: '/login', search: {} })
  }
}
