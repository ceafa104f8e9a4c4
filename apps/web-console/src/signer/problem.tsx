import { TriangleAlert } from 'lucide-react'
import { fill } from '../shared/i18n/fill.ts'
import { SessionProblem } from './session-api.ts'
import classes from './signer.module.css'
import { useTexts } from './use-texts.ts'

/** Why something failed, in a sentence; anything that is no known failure is a bug, and is shown by its name. */
export function Problem({ error }: { error: unknown }) {
  const texts = useTexts()
  const code = codeOf(error)
  const known: Readonly<Record<string, string>> = texts.problems
  const reasons = error instanceof SessionProblem ? error.reasons : []
  return (
    <div className={classes.problem} role="alert">
      <TriangleAlert size={20} aria-hidden="true" />
      <div>
        <p>{known[code] ?? fill(texts.problem, { code })}</p>
        {reasons.map((reason) => (
          <p key={reason}>{reason}</p>
        ))}
      </div>
    </div>
  )
}

function codeOf(error: unknown): string {
  if (error instanceof SessionProblem) return error.code
  return error instanceof Error ? error.name : 'unknown'
}
