import { statfs } from 'node:fs/promises'
import type { CheckResult } from './readiness.ts'

/** Folders in which a service writes, and the room that their disks have left. */
export interface DiskSpace {
  /** Watches the disk of a folder under a short name, such as `data`, `log` or `storage`. */
  watch(name: string, folder: string): void
  /** Red while a disk has less than the least; names the folder. */
  check(): Promise<CheckResult>
  /** Name → bytes that the service may still write there; those whose folder is not there are missing. */
  free(): Promise<ReadonlyMap<string, number>>
}

const MIB = 1_048_576

/** Watches the room on disks; with 0 as the least they are only measured. */
export function createDiskSpace({ leastBytes }: { readonly leastBytes: number }): DiskSpace {
  const folders = new Map<string, string>()
  const free = async (): Promise<ReadonlyMap<string, number>> => {
    const found = await Promise.all([...folders].map(async ([name, folder]) => [name, await freeIn(folder)] as const))
    return new Map(found.filter((one): one is readonly [string, number] => one[1] !== undefined))
  }
  return {
    watch: (name, folder) => void folders.set(name, folder),
    free,
    async check() {
      const scarce = [...(await free())].filter(([, bytes]) => bytes < leastBytes)
      if (scarce.length === 0) return { ok: true, detail: `At least ${inMib(leastBytes)} are free.` }
      const told = scarce.map(([name, bytes]) => `${folders.get(name)} (${name}) has ${inMib(bytes)}`)
      return { ok: false, detail: `Less than ${inMib(leastBytes)} are free: ${told.join('; ')}.` }
    },
  }
}

const inMib = (bytes: number): string => `${Math.floor(bytes / MIB)} MiB`

async function freeIn(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    // A folder that is gone is told by the check that writes in it.
    return undefined
  }
}
