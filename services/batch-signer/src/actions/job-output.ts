import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { extname } from 'node:path'
import type { ProfileDirectory } from '../parts/signing/signing.ts'
import { outputName } from '../rules/output-name.ts'
import type { JobRow } from '../store/tables.ts'
import type { WorkArea } from '../upstream/storage/storage.ts'

/** What looking up an output needs. */
export interface OutputParts {
  readonly profiles: Pick<ProfileDirectory, 'get'>
  readonly work: Pick<WorkArea, 'outputPath' | 'waitingOutput'>
}

/** An output that exists in its folder. */
export interface JobOutput {
  readonly name: string
  readonly path: string
  readonly length: number
}

/** Whether a job can have an output at all (spec 2, Endpoints: GET /api/jobs/{id}/output). */
export const hasOutput = ({ status, original_path }: Pick<JobRow, 'status' | 'original_path'>): boolean =>
  status === 'Completed' && original_path !== null

/** The name of the job's output by the current rules of its profile. */
function currentOutputName(profiles: OutputParts['profiles'], job: JobRow): string | undefined {
  const profile = profiles.get(job.profile_name)
  if (!profile) return job.output_name ?? undefined
  const { preserveFileExtension, saveAsPem } = profile
  const encrypted = job.output_encrypted === 1
  return outputName(job.file_name, { preserveFileExtension, saveAsPem, format: job.format, encrypted })
}

/** An output opened for reading; the caller closes the file. */
interface OpenedOutput extends JobOutput {
  readonly file: FileHandle
}

/**
 * Opens the output of a completed job; undefined when it is gone. A file of another length was not written by this job:
 * after a change of naming the name may belong to another job.
 */
export async function openOutput({ profiles, work }: OutputParts, job: JobRow): Promise<OpenedOutput | undefined> {
  const name = currentOutputName(profiles, job)
  if (name === undefined) return undefined
  // Completed, but its name is taken by a stranger's file: the output is what waits for it.
  const path = work.waitingOutput(job.id, job.output_folder) ?? work.outputPath(name, job.output_folder)
  const file = await openIfThere(path)
  if (!file) return undefined
  const found = await file.stat()
  if (found.isFile() && found.size === (job.output_length ?? found.size))
    return { name, path, length: found.size, file }
  await file.close()
  return undefined
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.xml': 'application/xml',
  '.p7m': 'application/pkcs7-mime',
  '.pem': 'application/x-pem-file',
}

/** The media type of an output by its name. */
export const mediaTypeOf = (name: string): string =>
  mediaTypes[extname(name).toLowerCase()] ?? 'application/octet-stream'
