import type { Readable } from 'node:stream'
import { HttpProblem } from './http-problem.ts'

export interface ReadingLimits {
  readonly maxBytes: number
  readonly deadlineMs: number
}

/** The bytes of an arriving body, within a size limit and a deadline. */
export async function readWhole(body: Readable, { maxBytes, deadlineMs }: ReadingLimits): Promise<Buffer> {
  const timer = setTimeout(() => body.destroy(new HttpProblem('deadline', { wasSent: true })), deadlineMs)
  try {
    const pieces: Buffer[] = []
    let read = 0
    // Leaving the loop early destroys the body: the rest is not even read.
    for await (const piece of body as AsyncIterable<Buffer>) {
      read += piece.length
      if (read > maxBytes)
        throw new HttpProblem('too-large', { wasSent: true, sentence: `The answer is longer than ${maxBytes} bytes.` })
      pieces.push(piece)
    }
    return Buffer.concat(pieces)
  } finally {
    clearTimeout(timer)
  }
}
