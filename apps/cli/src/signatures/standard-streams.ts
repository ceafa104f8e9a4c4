import { createReadStream } from 'node:fs'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { UsageProblem } from './exit-codes.ts'

/** What stands for standard input, and for standard output. */
export const DASH = '-'

/** How long a pipe may be silent before it is said that we wait for it. */
const SILENT_MS = 2000

const read = new Map<string, Promise<Buffer>>()

/** The bytes of standard input (`-`) or of a pipe: they come once, and are kept for whoever asks again. */
export function pipedBytes(path: string): Promise<Buffer> {
  const known = read.get(path) ?? collected(path)
  read.set(path, known)
  return known
}

/** The same in pieces for whoever asks for them once: they are not kept, so that there may be any number. */
export async function* pipedPieces(path: string): AsyncGenerator<Uint8Array> {
  const known = read.get(path)
  if (known) yield await known
  else yield* arriving(path)
}

async function collected(path: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of arriving(path)) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function* arriving(path: string): AsyncGenerator<Buffer> {
  if (path === DASH && process.stdin.isTTY)
    throw new UsageProblem('- reads standard input, and that is a terminal: pipe a file into it.')
  const waiting = setTimeout(sayThatItWaits, SILENT_MS, path).unref()
  try {
    for await (const piece of path === DASH ? process.stdin : createReadStream(path)) {
      clearTimeout(waiting)
      yield piece as Buffer
    }
  } finally {
    clearTimeout(waiting)
  }
}

function sayThatItWaits(path: string): void {
  const what = path === DASH ? 'Standard input' : path
  process.stderr.write(`${what} is a pipe: waiting until something is written to it.\n`)
}

/** Refuses binary on a terminal, which it would steer, before any work is done. */
export function requireBinaryOutput(): void {
  if (process.stdout.isTTY)
    throw new UsageProblem('The result is binary and standard output a terminal: name a file with --out, or a pipe.')
}

/** Writes to standard output as fast as its reader takes it. */
export async function writeToOutput(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  const pieces = content instanceof Uint8Array ? [content] : content
  for await (const piece of pieces) await written(piece)
}

const written = (piece: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    const gone = () => reject(new StartupProblem('Nobody reads standard output any more.'))
    process.stdout.once('error', gone)
    process.stdout.write(piece, (error) => {
      process.stdout.off('error', gone)
      if (error) gone()
      else resolve()
    })
  })
