import type { KeyObject } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Certificate } from '@chancela/signature-engine/x509'

/** Input of a work. Its output file, if any, is `output`. */
export interface LargeFile {
  readonly input: string
  readonly output: string
  readonly size: number
  readonly certificate: Certificate
  readonly chain: readonly Certificate[]
  readonly privateKey: KeyObject
  readonly now: Date
}

/** The cost of doing it once. */
export interface LargeFileRun {
  readonly milliseconds: number
  /** Highest resident memory of the process, in megabytes of a million bytes. */
  readonly peakMb: number
}

export const FLOOR = 'SHA-256 of the file'

/** The operations on a file that does not fit into memory; their code is loaded on demand. */
export const largeFileWorks: Readonly<Record<string, (file: LargeFile) => Promise<void>>> = {
  [FLOOR]: async ({ input }) => {
    const { createHash } = await import('node:crypto')
    const hash = createHash('sha256')
    for await (const chunk of pieces(input)) hash.update(chunk)
    hash.digest()
  },
  'CAdES, attached': (file) => signed(file, 'attached'),
  'CAdES, detached': (file) => signed(file, 'detached'),
  'envelope, sealed': async ({ input, output, certificate, now, size }) => {
    const { encryptToFile } = await import('@chancela/signature-engine/envelope')
    await encryptToFile([certificate], pieces(input), output, { now, size })
  },
}

async function signed(file: LargeFile, packaging: 'attached' | 'detached'): Promise<void> {
  const { signCadesStream } = await import('@chancela/signature-engine/cades')
  const { keySigner } = await import('@chancela/signature-engine/keys')
  const { input, output, size: length, now } = file
  await pipeline(signCadesStream(pieces(input), keySigner(file), { now, packaging, length }), createWriteStream(output))
}

const pieces = (path: string) => createReadStream(path, { highWaterMark: 256 * 1024 })
