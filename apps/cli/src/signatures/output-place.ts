import { join } from 'node:path'
import { type InputFile, isFolder } from './files.ts'

/**
 * The output path of each file: beside the input without `--out`; exactly `--out` for a single file; otherwise below
 * the folder `--out`, at the input's relative path. `nameOf` derives the output's name from a path.
 */
export async function outputFor(
  paths: readonly string[],
  out: string | undefined,
  nameOf: (path: string) => string,
): Promise<(input: InputFile) => string> {
  if (out === undefined) return ({ path }) => nameOf(path)
  const isMany = paths.length > 1 || (await Promise.all(paths.map(isFolder))).includes(true)
  if (isMany || out.endsWith('/') || (await isFolder(out))) return ({ relativePath }) => nameOf(join(out, relativePath))
  return () => out
}
