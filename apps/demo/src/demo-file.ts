import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { HolderView } from './home/contract.ts'

/** What one base URL needs to be tried: read by the tour, the home page and black-box checks. */
interface DemoService {
  readonly baseUrl: string
  readonly apiKey?: string
  /** Service-specific values, such as `inputFolder`. */
  readonly [more: string]: string | undefined
}

/** `data/demo.json`. Paths are relative to the project's root. A service that is not built yet is absent. */
export interface DemoFile {
  readonly services: Readonly<Record<string, DemoService>>
  readonly trustAnchors?: string
  readonly holders: readonly HolderView[]
}

const fileIn = (dataFolder: string) => join(dataFolder, 'demo.json')

/** The file of an earlier start; undefined when missing or damaged by a crash: every value can be created again. */
export function readDemoFile(dataFolder: string): DemoFile | undefined {
  if (!existsSync(fileIn(dataFolder))) return undefined
  try {
    return JSON.parse(readFileSync(fileIn(dataFolder), 'utf8')) as DemoFile
  } catch {
    return undefined // half-written by an older version; this start writes it again
  }
}

/** Writes the file atomically, because readers poll for it. It holds demo keys, so only its owner may read it. */
export const writeDemoFile = (dataFolder: string, content: DemoFile): void =>
  writePrivately(fileIn(dataFolder), `${JSON.stringify(content, null, 2)}\n`)

/** Writes a file whole or not at all, for its owner alone. */
export function writePrivately(path: string, text: string): void {
  const draft = openSync(`${path}.new`, 'w', 0o600)
  try {
    writeSync(draft, text)
    fsyncSync(draft)
  } finally {
    closeSync(draft)
  }
  renameSync(`${path}.new`, path)
}
