import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { EnvelopeFiles } from '../storage.ts'
import { errnoOf, storageTrouble } from './disk-errors.ts'
import { type FileOperations, localFiles } from './file-operations.ts'
import { syncFolder } from './sync-folder.ts'
import { writeDurably } from './whole-files.ts'
import { envelopeName, plainName, unfinishedEnvelope, workFolders } from './work-folders.ts'

export interface EnvelopeFilesOptions {
  /** The folder of processing/ (Storage:Root). */
  readonly root: string
  /** Default: the files of this machine. */
  readonly fs?: FileOperations
}

/** The envelopes of waiting jobs on this machine, in the jobs' folders under processing/. */
export function createEnvelopeFiles({ root, fs = localFiles }: EnvelopeFilesOptions): EnvelopeFiles {
  const { jobFolder } = workFolders(root)
  const path = (jobId: string, sha256: string) => join(jobFolder(jobId), envelopeName(sha256))
  return {
    stagedPath: (jobId, stagedName) => join(jobFolder(jobId), plainName(stagedName)),
    path,
    remove: (jobId, sha256) => fs.remove(path(jobId, sha256)),
    write: async (jobId, bytes) => {
      const folder = jobFolder(jobId)
      const unfinished = join(folder, unfinishedEnvelope(randomUUID()))
      try {
        const { sha256 } = await writeDurably(fs, unfinished, bytes)
        // Over a file of the same name at most, which has the same bytes.
        await fs.rename(unfinished, path(jobId, sha256))
        await syncFolder(fs, folder)
        return sha256
      } catch (error) {
        await fs.remove(unfinished).catch(() => {})
        throw errnoOf(error)?.startsWith('E') ? storageTrouble(error, 'output-not-written') : error
      }
    },
  }
}
