import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { EngineError } from '@chancela/signature-engine'
import { readInput } from './files.ts'

/** What `read` makes of a file of JSON, in which other files are named as seen from it. */
export async function fromJsonFile<Made>(
  path: string,
  read: (json: unknown, fileOf: (file: string) => Uint8Array) => Made,
): Promise<Made> {
  const json = jsonIn(path, (await readInput(path)).toString('utf8'))
  try {
    return read(json, (file) => readFileSync(resolve(dirname(path), file)))
  } catch (error) {
    if (error instanceof EngineError) throw new StartupProblem(`${path}: ${error.message}`)
    const { code } = error as NodeJS.ErrnoException
    if (code) throw new StartupProblem(`${path}: a file it names cannot be read (${code}).`)
    throw error
  }
}

function jsonIn(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new StartupProblem(`${path} is no JSON.`)
  }
}
