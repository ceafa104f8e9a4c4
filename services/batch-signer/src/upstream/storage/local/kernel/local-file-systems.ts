import { statfsSync } from 'node:fs'

/**
 * File systems of this machine's own disks, by the number that statfs(2) gives: every writer of a file goes through
 * this kernel. Whatever is not listed (NFS, CIFS, FUSE …) may have writers elsewhere.
 */
const localTypes: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0x01021994, // tmpfs
  0x794c7630, // overlayfs
  0xf2f52010, // F2FS
  0x2fc12fc1, // ZFS
])

/** By device: a mount does not change its kind. */
const known = new Map<bigint, boolean>()

/** Whether an open file, of this device, lies on a disk of this machine. */
export function isLocal(fd: number, dev: bigint): boolean {
  const before = known.get(dev)
  if (before !== undefined) return before
  const local = localTypes.has(statfsSync(`/proc/self/fd/${fd}`).type)
  known.set(dev, local)
  return local
}
