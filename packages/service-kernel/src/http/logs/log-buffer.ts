import { fstatSync, mkdirSync, openSync, write, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { MINUTE, SECOND } from '../../clock/index.ts'
import { StartupProblem } from '../../errors/index.ts'

/** Milliseconds until a pipe with a slow reader is tried again. */
const BUSY_MS = 20
/** Longest wait of an ending process for its log. */
const PATIENCE_MS = 500

// Never notified: used only to sleep on.
const nobody = new Int32Array(new SharedArrayBuffer(4))
const sleep = (milliseconds: number): void => void Atomics.wait(nobody, 0, 0, milliseconds)

// Buffers whose lines still have to be written when the process ends.
const openBuffers = new Set<LogBuffer>()

/**
 * Buffers lines and writes them together, without waiting for the disk: one write per line costs a request more than
 * everything else that is logged of it. The buffer is written after a second, and when the process ends. Lines that do
 * not fit on a full disk are lost, and this is reported on standard error: no service stops because of its log.
 */
export class LogBuffer {
  readonly #descriptor: number
  readonly #characters: number
  #collected = ''
  /** An asynchronous write is in progress. */
  #isWriting = false
  /** The file's length after that write. */
  #length = 0
  /** What a slow reader has not taken yet; it precedes the buffer. */
  #left: Buffer = Buffer.alloc(0)
  #reportedAt = Number.NEGATIVE_INFINITY

  /** Appends to a file, created with its folders if necessary, or to standard output. */
  constructor(file: string | undefined, characters: number) {
    this.#descriptor = file === undefined ? 1 : openLog(file)
    this.#characters = characters
    setInterval(() => this.#pass(), SECOND).unref()
    if (openBuffers.size === 0) process.on('exit', flushLogs)
    openBuffers.add(this)
  }

  write(line: string): void {
    this.#collected += line
    if (this.#collected.length >= this.#characters) this.#pass()
  }

  /** Writes the buffer synchronously. */
  flushSync(): void {
    this.#waitForWrite()
    try {
      for (let lines = this.#taken(); lines.length > 0; ) lines = lines.subarray(this.#writeNow(lines))
    } catch (error) {
      this.#report(error)
    }
  }

  #pass(): void {
    if (this.#isWriting) return
    const lines = this.#taken()
    if (lines.length === 0) return
    this.#isWriting = true
    this.#length = this.#size() + lines.length
    write(this.#descriptor, lines, (error, written) => {
      this.#isWriting = false
      if (error && !isBusy(error)) this.#report(error)
      else this.#keep(lines.subarray(error ? 0 : written))
    })
  }

  #keep(left: Buffer): void {
    this.#left = left
    if (left.length > 0) setTimeout(() => this.#pass(), BUSY_MS).unref()
    else if (this.#collected.length >= this.#characters) this.#pass()
  }

  #taken(): Buffer {
    const lines = Buffer.concat([this.#left, Buffer.from(this.#collected)])
    this.#left = Buffer.alloc(0)
    this.#collected = ''
    return lines
  }

  /**
   * Only the file's size shows that a write has ended, because this thread is blocked meanwhile; a pipe shows nothing.
   */
  #waitForWrite(): void {
    // On a full disk, or if the file was truncated, it never gets that long.
    for (let turns = 0; this.#isWriting && turns < PATIENCE_MS && this.#size() < this.#length; turns++) sleep(1)
  }

  /** Infinite for anything that is not a file. */
  #size(): number {
    const found = fstatSync(this.#descriptor)
    return found.isFile() ? found.size : Number.POSITIVE_INFINITY
  }

  #writeNow(lines: Buffer): number {
    for (let waited = 0; ; waited += BUSY_MS) {
      try {
        return writeSync(this.#descriptor, lines)
      } catch (error) {
        if (!isBusy(error) || waited > PATIENCE_MS) throw error
        sleep(BUSY_MS)
      }
    }
  }

  /** At most once a minute, which is enough for a reader. */
  #report(error: unknown): void {
    if (performance.now() - this.#reportedAt < MINUTE) return
    this.#reportedAt = performance.now()
    try {
      writeSync(2, `Lines of the log are lost: ${(error as Error).message}.\n`)
    } catch {
      // Standard error may be on the same disk: there is nowhere left to report to.
    }
  }
}

const isBusy = (error: unknown): boolean => ['EAGAIN', 'EBUSY'].includes(String((error as NodeJS.ErrnoException).code))

/** Writes the buffers of all loggers of this process synchronously. */
export function flushLogs(): void {
  for (const buffer of openBuffers) buffer.flushSync()
}

// Opened at once, so that the first lines are safe and a missing permission is reported at the start.
function openLog(file: string): number {
  try {
    // Addresses of clients and ids are nobody else's business; one that is there already keeps its mode.
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    return openSync(file, 'a', 0o600)
  } catch (error) {
    throw new StartupProblem(`The log file ${file} cannot be opened: ${(error as Error).message}.`, { cause: error })
  }
}
