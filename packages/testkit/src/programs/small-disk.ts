import { closeSync, openSync, rmSync, writeSync } from 'node:fs'

/** A disk of its own that only one process has. */
export interface Disk {
  /** Where it is mounted: an empty folder. */
  readonly folder: string
  readonly megabytes: number
}

/** What starts a program of ours with the disk: mounting needs a namespace in which the process is root, not root's rights. */
export const startOnDisk = ({ folder, megabytes }: Disk) => ({
  execPath: 'unshare',
  execArgv: [
    ...['--map-root-user', '--mount', 'sh', '-c'],
    `mount -t tmpfs -o size=${megabytes}m tmpfs "$0" && exec "${process.execPath}" "$1"`,
    folder,
  ],
})

/** A path as a process sees it, which may be on a disk of its own. */
export const pathIn = (pid: number, path: string): string => `/proc/${pid}/root${path}`

/** Takes all the room there is with a file at this path; the returned function gives it back. */
export function fillDisk(path: string): () => void {
  const file = openSync(path, 'w')
  for (const piece of [Buffer.alloc(1024 * 1024), Buffer.alloc(4096)]) while (isTaken(file, piece));
  closeSync(file)
  return () => rmSync(path)
}

function isTaken(file: number, piece: Buffer): boolean {
  try {
    return writeSync(file, piece) === piece.length
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}
