import { type FileOperations, openings } from './file-operations.ts'

/** Makes the names in one folder durable. */
export async function syncFolder(fs: FileOperations, folder: string): Promise<void> {
  // Opened each time: a folder that somebody replaced while the service ran must not stay the one that is synced.
  const fd = fs.openSync(folder, openings.folder)
  try {
    await fs.fsync(fd)
  } finally {
    fs.closeSync(fd)
  }
}
