import { createHash, randomBytes } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { samplePdf } from '@chancela/testkit/samples'
import { STAYS, type WriterKind } from './site-plan.ts'
import type { ViolationKind } from './violations.ts'
import { foldersOf, IN_MEMORY_BYTES, type InputName } from './world-folders.ts'

/** Content that a file had when its writer was done with it. */
export interface Version {
  readonly length: number
  readonly sha256: string
}

/**
 * What lay in a folder when its store was changed. Only that is held: what a writer makes of the file later nobody has
 * judged before, so that it is new.
 */
export interface Held {
  /** The content that lay there: of an open file a part, which is never to be signed anyway. */
  readonly sha256: string
  /** Deliveries of the file until then, and the contents that its jobs had signed. */
  readonly delivered: number
  readonly signed: ReadonlySet<string>
  /** How the store was changed and when, and when the file was written last. */
  readonly story: string
}

/** A file that the site gave to the service. */
export interface SiteFile {
  /** In its name too, so that every output leads to its file. */
  readonly number: number
  readonly name: string
  readonly folder: InputName | 'uploads'
  /** Every complete content, the last one at the end: any of them may be signed, and the last must not get lost. */
  readonly versions: readonly Version[]
  /** Its writer has not yet closed it for the last time. */
  isOpen: boolean
  /** What delivering it would be; absent for a file that must be delivered. */
  readonly never?: ViolationKind
  /** It was canceled, or failed, where nobody has it taken again: it must not be delivered from then on. */
  verdict?: 'canceled' | 'refused'
  /** The store was lost or is older than the file: what lay there is not delivered without a word. */
  held?: Held | undefined
  /** It may never have arrived, or was deleted on demand: nothing is expected of it. */
  isUnsure?: boolean
}

const kinds: readonly ((n: number) => { name: string; bytes: Buffer })[] = [
  (n) => ({ name: `contract-${n}.pdf`, bytes: samplePdf(`Contract ${n}`, 4_000) }),
  (n) => ({ name: `note-${n}.xml`, bytes: Buffer.from(`<nota><numero>${n}</numero></nota>`) }),
  (n) => ({ name: `payment-${n}.txt`, bytes: Buffer.from(`payment ${n}\r\n`) }),
  // Too large for memory: staged on disk.
  (n) => ({ name: `archive-${n}.bin`, bytes: randomBytes(IN_MEMORY_BYTES + 40_000 + n) }),
  (n) => ({ name: `report-${n}.pdf`, bytes: samplePdf(`Report ${n}`, IN_MEMORY_BYTES + 30_000) }),
]

/** Of so many files one is left lying in output/, and one goes into the folder that is never rescanned. */
const ONE_STAYS_OF = 3
const ONE_QUIET_OF = 7

/** Puts one more file into an input folder, atomically, as a producer should. */
export function dropFile(root: string, number: number, { consumer }: { readonly consumer: boolean }): SiteFile {
  const { name: plain, bytes } = kinds[number % kinds.length]!(number)
  const name = number % ONE_STAYS_OF === 0 || !consumer ? `${STAYS}${plain}` : plain
  const file = wholeFile(number, name, bytes, { folder: number % ONE_QUIET_OF === 0 ? 'quiet' : 'default' })
  moveIn(root, file, bytes)
  return file
}

/** A file that arrives whole. */
export const wholeFile = (number: number, name: string, bytes: Buffer, more: Partial<SiteFile>): SiteFile => ({
  number,
  name,
  folder: 'uploads',
  versions: [versionOf(bytes)],
  isOpen: false,
  ...more,
})

/** A file that a writer will write in place. */
export const writtenFile = (number: number, how: WriterKind): SiteFile => ({
  number,
  name: `${how}-${number}.txt`,
  folder: 'default',
  versions: versionsOf[how].map((version) => versionOf(Buffer.concat(halvesOf(number, version)))),
  isOpen: true,
  ...(how === 'empty' && { never: 'signed though refused' }),
})

const versionsOf: Readonly<Record<WriterKind, readonly number[]>> = {
  slow: [0],
  stalling: [0],
  locked: [0],
  rewriting: [0, 1],
  empty: [],
}

/** The two halves that a writer writes; every third file is too large for memory. */
export function halvesOf(number: number, version: number): readonly [Buffer, Buffer] {
  const length = number % 3 === 0 ? IN_MEMORY_BYTES : 2_000
  const half = (which: string) => Buffer.from(`${which} half of ${number}, ${version}\n`.repeat(length / 20))
  return [half('first'), half('second')]
}

export function moveIn(root: string, { folder, name }: SiteFile, bytes: Buffer): void {
  const hidden = join(root, `moving-${name}`)
  writeFileSync(hidden, bytes)
  renameSync(hidden, join(foldersOf(root).input(folder as InputName), name))
}

const versionOf = (bytes: Uint8Array): Version => ({ length: bytes.length, sha256: sha256(bytes) })

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The number in the name of a file, or of its output. */
export const numberIn = (name: string): number => Number(/-(\d+)\./.exec(name)?.[1])
