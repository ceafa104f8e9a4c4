import type { Outcome } from './signing-way.ts'

type File = Outcome['file']

const keyOf = (signing: string) => `chancela-approve-with-${signing}`

/** Keeps in this tab which files of a batch are approved without a signature, once those with one are signed. */
export function rememberRest(signing: string, files: readonly File[]): void {
  if (files.length === 0) return
  const rest = files.map(({ jobId, fileName }) => ({ jobId, fileName }))
  try {
    sessionStorage.setItem(keyOf(signing), JSON.stringify(rest))
  } catch {
    // Not remembered: they stay in the list, unapproved.
  }
}

/** The same files, once. */
export function takeRest(signing: string): readonly File[] {
  try {
    const kept = sessionStorage.getItem(keyOf(signing))
    sessionStorage.removeItem(keyOf(signing))
    return kept === null ? [] : (JSON.parse(kept) as File[])
  } catch {
    return []
  }
}
