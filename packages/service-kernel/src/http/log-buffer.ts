import { fstatSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { destination as openDestination } from 'pino'
import { SECOND } from '../clock/index.ts'
import { StartupProblem } from '../errors/index.ts'

type Stream = ReturnType<typeof openDestination>

// Nobody wakes whoever sleeps on it.
const nobody = new Int32Array(new SharedArrayBuffer(4))

// Buffers whose lines still have to be written when the process ends.
const openBuffers = new Set<LogBuffer>()

/**
 * Collects lines and writes them together, without waiting for the disk: one write per line costs a request more than
 * everything else that is logged of it. What is collected is written after a second, and when the process ends.
 */
export class LogBuffer {
  readonly #stream: Stream
  readonly #descriptor: number
  readonly #characters: number
  #collected = ''
  /** How long the file is when everything that was handed on is in it. */
  #length: number
  #isWritten = true

  /** Appends to a file, made with its folders if need be, or to standard output. */
  constructor(file: string | undefined, characters: number) {
    this.#descriptor = file === undefined ? 1 : openLog(file)
    this.#length = fstatSync(this.#descriptor).size
    this.#stream = openDestination({ dest: this.#descriptor, sync: false })
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
    if (this.#isWritten) return
    this.#stream.flushSync()
    this.#waitUntilWritten()
    this.#isWritten = true
  }

  #pass(): void {
    const lines = this.#collected
    this.#collected = ''
    if (!lines) return
    this.#isWritten = false
    this.#length += Buffer.byteLength(lines)
    this.#stream.write(lines)
  }

  /** A write that has begun goes on beside this thread, and only the file tells of its end. */
  #waitUntilWritten(): void {
    const isThere = () => {
      const found = fstatSync(this.#descriptor)
      return !found.isFile() || found.size >= this.#length
    }
    // Somebody may have emptied the file meanwhile, so that it never gets there.
    for (let turns = 0; turns < 250 && !isThere(); turns++) Atomics.wait(nobody, 0, 0, 1)
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
