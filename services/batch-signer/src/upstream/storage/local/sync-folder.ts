import { type FileOperations, openings } from './file-operations.ts'

/** Makes the names in one folder durable. */
export async function syncFolder(fs: FileOperations, folder: string): Promise<void> {
  // Opened each time: a folder may have been replaced while the service runs.
  const fd = fs.openSync(folder, openings.folder)
  try {
    await fs.fsync(fd)
  } finally {
    fs.closeSync(fd)
  }
}
