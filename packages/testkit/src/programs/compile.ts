import { hash, randomUUID } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, cache } from './compiler.ts'

/** Compiles a module text, whose imports are those of the file `from`, into one program; returns its path. */
export async function compile(from: string, moduleText: string): Promise<string> {
  // Always the same name, so that a killed test process leaves nothing behind.
  const program = join(cache, 'programs', `${hash('sha256', `${from}\n${moduleText}`).slice(0, 16)}.mjs`)
  const unfinished = `${program}.${randomUUID()}`
  await build({
    stdin: { contents: moduleText, resolveDir: dirname(fileURLToPath(from)), loader: 'ts' },
    outfile: unfinished,
  })
  // Several processes may compile the same: none sees half of it.
  await rename(unfinished, program)
  return program
}
