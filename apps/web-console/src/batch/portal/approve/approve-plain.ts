import { approveMany, approveOne } from '../api/portal-calls.ts'
import { NotTaken, type Outcome } from '../signing/signing-way.ts'

type File = Outcome['file']

/** Approves files that need no signature. */
export async function approvePlain(files: readonly File[], reason: string | undefined): Promise<readonly Outcome[]> {
  if (files.length === 0) return []
  const [only] = files
  if (files.length === 1 && reason !== undefined)
    return [{ file: only!, released: (await approveOne(only!.jobId, reason)).released }]
  const results = new Map((await approveMany(files.map(({ jobId }) => jobId))).map((one) => [one.jobId, one]))
  return files.map((file) => outcomeOf(file, results.get(file.jobId)!))
}

const outcomeOf = (file: File, { ok, code, released }: { ok: boolean; code: string | null; released: boolean }) =>
  ok ? { file, released } : { file, why: new NotTaken(code!) }
