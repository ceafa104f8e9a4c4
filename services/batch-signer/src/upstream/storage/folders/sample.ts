import { lstatSync } from 'node:fs'

/** What the kernel says of a file at one look. Whoever writes to it moves at least one of these, `touch` cannot hide it. */
export interface Sample {
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
  readonly ino: bigint
}

/**
 * Looks at a file; nothing when there is no regular file. Synchronous: the kernel answers from memory in microseconds,
 * while a trip to the thread pool would queue behind signatures and make looking slower than signing.
 */
export function sample(path: string): Sample | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (!stats?.isFile()) return undefined
  const { size, mtimeNs, ctimeNs, ino } = stats
  return { size, mtimeNs, ctimeNs, ino }
}

/** Whether nothing happened to the file between two looks. */
export const isSame = (a: Sample, b: Sample): boolean =>
  a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs && a.ino === b.ino

/** Whether the file was last touched before a time, by the clock of its file system. */
export function isUntouchedSince({ mtimeNs, ctimeNs }: Sample, time: Date): boolean {
  const limit = BigInt(time.getTime()) * 1_000_000n
  return mtimeNs < limit && ctimeNs < limit
}
