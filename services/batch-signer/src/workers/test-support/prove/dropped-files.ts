import { createHash, randomBytes } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { samplePdf } from '@chancela/testkit/samples'
import { IN_MEMORY_BYTES } from './world-folders.ts'

/** A file that was put into the input folder. */
export interface DroppedFile {
  readonly name: string
  readonly length: number
  readonly sha256: string
}

const kinds: readonly ((n: number) => { name: string; bytes: Buffer })[] = [
  (n) => ({ name: `contract-${n}.pdf`, bytes: samplePdf(`Contract ${n}`, 4_000) }),
  (n) => ({ name: `note-${n}.xml`, bytes: Buffer.from(`<nota><numero>${n}</numero></nota>`) }),
  (n) => ({ name: `remittance-${n}.txt`, bytes: Buffer.from(`payment ${n}\r\n`) }),
  // Too large for memory: staged on disk.
  (n) => ({ name: `archive-${n}.bin`, bytes: randomBytes(IN_MEMORY_BYTES + 40_000 + n) }),
  (n) => ({ name: `report-${n}.pdf`, bytes: samplePdf(`Report ${n}`, IN_MEMORY_BYTES + 30_000) }),
]

/** Puts one more file into the input folder, atomically, as a producer should. */
export function dropFile(root: string, n: number): DroppedFile {
  const { name, bytes } = kinds[n % kinds.length]!(n)
  const hidden = join(root, `drop-${n}`)
  writeFileSync(hidden, bytes)
  renameSync(hidden, join(root, 'input', name))
  return { name, length: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}
