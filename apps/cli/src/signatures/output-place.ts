import { join } from 'node:path'
import { type InputFile, isFolder } from './files.ts'

/**
 * Where the result of each file goes: beside it, when nowhere is named; to the very name given, for a single file; below
 * the folder given, as deep as the file lay, otherwise. `nameOf` makes the name from a path.
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
