import { useCodeText } from '../../../shared/bundle.ts'
import parts from '../../../shared/parts/parts.module.css'
import { ProblemNote } from '../../../shared/parts/problem-note.tsx'
import { Note } from '../../../shared/signing/sign-failure.tsx'
import { NotTaken } from './signing-way.ts'

/** Why nothing was signed: what to do about it, and what the service found. */
export function SignProblem({ error }: { error: unknown }) {
  const { explain } = useCodeText()
  if (!(error instanceof NotTaken)) return <ProblemNote error={error} />
  return (
    <Note>
      <p>{explain(error.code, error.said)}</p>
      {error.said && <p className={parts.problemTrace}>{error.said}</p>}
    </Note>
  )
}
