import { join } from 'node:path'
import { UsageProblem } from './exit-codes.ts'
import { type InputFile, isFolder } from './files.ts'
import { DASH } from './standard-streams.ts'

/**
 * The output path of each file: beside the input without `--out`; exactly `--out` for a single file; otherwise below
 * the folder `--out`, at the input's relative path. `nameOf` derives the output's name from a path.
 */
export async function outputFor(
  paths: readonly string[],
  out: string | undefined,
  nameOf: (path: string) => string,
): Promise<(input: InputFile) => string> {
  // What came from standard input goes to standard output.
  if (out === undefined) return ({ path }) => (path === DASH ? DASH : nameOf(path))
  const isMany = paths.length > 1 || (await Promise.all(paths.map(isFolder))).includes(true)
  if (isMany && out === DASH) throw new UsageProblem('--out - takes the result of one file.')
  if (isMany || out.endsWith('/') || (await isFolder(out))) return ({ relativePath }) => nameOf(join(out, relativePath))
  return () => out
}
