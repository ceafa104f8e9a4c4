import { isAbsolute, relative, sep } from 'node:path'
import { HOUR, MINUTE, plus } from '@chancela/service-kernel/clock'
import { StartupProblem } from '@chancela/service-kernel/errors'
import type { Place } from './input-folders.ts'

/** Shortest time before a failed scheduled backup is retried. */
const PATIENCE = 15 * MINUTE

/** The input of the schedule. */
export interface BackupTimes {
  /** Hours from one success to the next; undefined means only on demand. */
  readonly intervalHours: number | undefined
  /** When the last backup succeeded. */
  readonly succeededAt: Date | undefined
  /** When this process last tried a backup. */
  readonly triedAt: Date | undefined
}

/** When the next scheduled backup is due: counted from the last success, at once when there was none. */
export function dueAt({ intervalHours, succeededAt, triedAt }: BackupTimes, now: Date): Date | undefined {
  if (intervalHours === undefined) return undefined
  const due = succeededAt ? plus(succeededAt, intervalHours * HOUR) : now
  const patient = triedAt ? plus(triedAt, PATIENCE) : now
  return due > patient ? due : patient
}

const NAME = /^batch-signer-\d{8}T\d{6}Z-[0-9a-f]{8}\.db$/

/** `batch-signer-20261115T091500Z-1f0c2a9e.db`: names sort by time, and the run's id keeps two of one second apart. */
export const backupName = (runId: string, now: Date): string =>
  `batch-signer-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}-${runId.slice(0, 8)}.db`

/** Backups beyond the newest `retain`, oldest last; files with other names are ignored. 0 keeps all. */
export const surplusBackups = (names: readonly string[], retain: number): readonly string[] =>
  retain === 0
    ? []
    : [...names]
        .filter((name) => NAME.test(name))
        .sort()
        .reverse()
        .slice(retain)

/** Whether a file was left by an interrupted backup. */
export const isLeftover = (name: string): boolean => /^batch-signer-.*\.db\.part(?:-journal|-wal|-shm)?$/.test(name)

const SETTING = 'batch-signer Backup:Path'

/** Prevents the start when backups would be stored where files are taken in, served or deleted. */
export function refusePlace(folder: string, others: readonly Place[]): void {
  const taken = others.find(({ path }) => folder === path || isInside(folder, path))
  if (!taken) return
  const sentence = `${SETTING}: ${folder} lies in ${taken.what} (${taken.path}); name a folder of its own.`
  throw new StartupProblem(sentence, { setting: SETTING })
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
