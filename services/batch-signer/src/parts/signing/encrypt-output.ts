import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { EngineError } from '@chancela/signature-engine'
import { type Bytes, encryptTo } from '@chancela/signature-engine/envelope'
import type { Certificate } from '@chancela/signature-engine/x509'
import { JobFailure } from '../../rules/job-failure.ts'
import { reasonOfEngine } from '../../rules/job-reason.ts'
import type { OutputBytes } from '../../upstream/storage/storage.ts'

/** Encrypts the output (CMS AuthEnvelopedData) for the holders of these certificates. */
export async function encryptOutput(
  recipients: readonly Certificate[],
  output: OutputBytes,
  now: Date,
): Promise<OutputBytes> {
  const { content, size } = await contentOf(output)
  try {
    const { bytes } = encryptTo(recipients, content, { now, ...(size !== undefined && { size }) })
    return Array.isArray(output) ? await collected(bytes) : failingAsJob(bytes)
  } catch (error) {
    throw asFailure(error)
  }
}

/** With a size the envelope is DER; without it, it is BER, with the same content. */
async function contentOf(output: OutputBytes): Promise<{ content: Bytes; size?: number }> {
  if (Symbol.asyncIterator in output) return { content: output }
  if ('path' in output) return { content: createReadStream(output.path), size: (await stat(output.path)).size }
  return { content: output, size: output.reduce((sum, { length }) => sum + length, 0) }
}

async function collected(bytes: AsyncIterable<Buffer>): Promise<readonly Buffer[]> {
  const pieces: Buffer[] = []
  for await (const piece of bytes) pieces.push(piece)
  return pieces
}

/** A stream fails later, while it is written: the error must still be a JobFailure. */
async function* failingAsJob(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* bytes
  } catch (error) {
    throw asFailure(error)
  }
}

const asFailure = (error: unknown): unknown =>
  error instanceof EngineError
    ? new JobFailure('job.encryption-failed', reasonOfEngine(error), { cause: error })
    : error
