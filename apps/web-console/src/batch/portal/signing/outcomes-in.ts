import type { Signing } from '../api/portal-types.ts'
import { NotTaken, type Outcome } from './signing-way.ts'

/** What became of the files that have a result. */
export const outcomesIn = ({ files }: Pick<Signing, 'files'>): readonly Outcome[] =>
  files
    .filter(({ ok }) => ok !== null)
    .map(({ jobId, fileName, ok, code, message, released }) => {
      const file = { jobId, fileName: fileName ?? jobId }
      return ok ? { file, released } : { file, why: new NotTaken(code!, message ?? undefined) }
    })
