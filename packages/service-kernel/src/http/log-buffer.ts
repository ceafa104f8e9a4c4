import { mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { destination as openDestination } from 'pino'
import { SECOND } from '../clock/index.ts'
import { StartupProblem } from '../errors/index.ts'

type Stream = ReturnType<typeof openDestination>

// Buffers whose lines still have to be written when the process ends.
const openBuffers = new Set<LogBuffer>()

/**
 * Collects lines and writes them together, without waiting for the disk: one write per line costs a request more than
 * everything else that is logged of it. What is collected is written after a second, and when the process ends.
 */
export class LogBuffer {
  readonly #stream: Stream
  readonly #characters: number
  #collected = ''

  /** Appends to a file, made with its folders if need be, or to standard output. */
  constructor(file: string | undefined, characters: number) {
    this.#stream = openDestination({ dest: file === undefined ? 1 : openLog(file), sync: false })
    this.#characters = characters
    setInterval(() => this.#pass(), SECOND).unref()
    if (openBuffers.size === 0) process.on('exit', flushLogs)
    openBuffers.add(this)
  }

  write(line: string): void {
    this.#collected += line
    if (this.#collected.length >= this.#characters) this.#pass()
  }

  flush(done?: (error?: Error) => void): void {
    this.#pass()
    this.#stream.flush(done)
  }

  flushSync(): void {
    this.#pass()
    this.#stream.flushSync()
  }

  #pass(): void {
    const lines = this.#collected
    this.#collected = ''
    if (lines) this.#stream.write(lines)
  }
}

/** Writes what every logger of this process has collected, before it returns. */
export function flushLogs(): void {
  for (const buffer of openBuffers) buffer.flushSync()
}

// Opened at once, so that the first lines are safe and a missing permission is told at the start.
function openLog(file: string): number {
  try {
    mkdirSync(dirname(file), { recursive: true })
    return openSync(file, 'a')
  } catch (error) {
    throw new StartupProblem(`The log file ${file} cannot be opened: ${(error as Error).message}.`, { cause: error })
  }
}
