import { type BigIntStats, lstatSync } from 'node:fs'
import type { FileIdentity } from '../../../rules/tombstone.ts'
import { errnoOf } from '../local/disk-errors.ts'

/** The kernel's data of a file at one time. Every write changes at least one field, which `touch` cannot hide. */
export interface Sample {
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
  readonly ino: bigint
}

/**
 * Samples a file; undefined when there is no regular file. Synchronous: the kernel answers from memory in microseconds,
 * while the thread pool would queue behind signatures and make sampling slower than signing.
 */
export function sample(path: string): Sample | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (!stats?.isFile()) return undefined
  const { size, mtimeNs, ctimeNs, ino } = stats
  return { size, mtimeNs, ctimeNs, ino }
}

/** Whether the file is unchanged between two samples. */
export const isSame = (a: Sample, b: Sample): boolean =>
  a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs && a.ino === b.ino

/** Whether the file was last changed before a time, by the clock of its file system. */
export function isUntouchedSince({ mtimeNs, ctimeNs }: Sample, time: Date): boolean {
  const limit = BigInt(time.getTime()) * 1_000_000n
  return mtimeNs < limit && ctimeNs < limit
}

/** Which file lies at a path; undefined when no regular one does. */
export function identityAt(path: string): FileIdentity | undefined {
  const stats = statsAt(path)
  return stats?.isFile() ? `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}` : undefined
}

/** Rows of jobs outlive disks: no file has a name that its disk calls too long. */
function statsAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    if (errnoOf(error) === 'ENAMETOOLONG') return undefined
    throw error
  }
}
