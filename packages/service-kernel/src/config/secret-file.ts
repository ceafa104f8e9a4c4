import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Input } from './input.ts'
import type { Source } from './source.ts'

/**
 * Docker and systemd provide secrets as files: `{ "$file": "path" }` in the settings file, a variable `…__FILE=path`.
 */
const REFERENCE = { file: /^\$file$/, environment: /^file$/i, default: /^$/ } as const

/** The file to read a secret from, or undefined when the value itself is given. */
export function secretFileOf(input: Input): string | undefined {
  if (input.kind !== 'parts' || input.parts.size !== 1) return undefined
  const [[name, target]] = [...input.parts] as [[string, Input]]
  const path = target.kind === 'text' ? target.text : target.kind === 'scalar' ? target.value : undefined
  return REFERENCE[input.source.kind].test(name) && typeof path === 'string'
    ? fromItsPlace(path, input.source)
    : undefined
}

/** The file's text without its last line end, which every editor adds and no secret has. */
export function readSecretFile(path: string): { text: string } | { unreadable: string } {
  try {
    const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    return text === '' ? { unreadable: `the file ${path} is empty` } : { text }
  } catch (error) {
    return { unreadable: `the file ${path} cannot be read (${(error as NodeJS.ErrnoException).code})` }
  }
}

// A path in the settings file is relative to that file, wherever the program is started from.
const fromItsPlace = (path: string, source: Source): string =>
  source.kind === 'file' ? resolve(dirname(source.file), path) : resolve(path)
