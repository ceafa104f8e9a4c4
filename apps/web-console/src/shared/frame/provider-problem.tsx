import { TriangleAlert } from 'lucide-react'
import { useCodeText } from '../bundle.ts'
import classes from './login.module.css'
import type { LoginSearch } from './login-search.ts'

/** Why the identity provider refused the sign-in. */
export function ProviderProblem({ error }: Pick<LoginSearch, 'error'>) {
  const { explain } = useCodeText()
  if (!error) return null
  return (
    <p className={classes.error} role="alert">
      <TriangleAlert size={18} aria-hidden="true" />
      {explain(error)}
    </p>
  )
}
