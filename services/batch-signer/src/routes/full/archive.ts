import { createReadStream, type ReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { attachment, serve } from '@chancela/service-kernel/http'
import { ZipFile } from 'yazl'
import { hasOutput, type JobOutput, type OutputParts, openOutput } from '../../actions/job-output.ts'
import type { Context } from '../../context.ts'
import { readArchive } from '../../contract/jobs.ts'
import { jobIdOf } from '../../rules/job-id.ts'
import { refuse } from '../../rules/refuse.ts'
import { findJobs } from '../../store/job-reads.ts'
import type { JobRow } from '../../store/tables.ts'
import { fileStamp } from './file-stamp.ts'
import type { FullApp } from './full-app.ts'

/** Jobs in one archive (spec 2, Limits). */
const MOST_JOBS = 50

/** Registers the archive of outputs. */
export function serveArchive(app: FullApp, context: Context, parts: OutputParts): void {
  serve(app, readArchive, async ({ query, now, log, caller, reply }) => {
    const jobs = await namedJobs(context, archiveIds(query.id))
    const outputs = await outputsOf(parts, jobs)
    if (outputs.every(({ output }) => output === undefined)) throw refuse('job.output-gone', idsOf(jobs))
    log.info({ operator: caller.name, jobs: jobs.length }, 'outputs handed out as an archive')
    reply.header('content-disposition', attachment(`chancela-signed-${fileStamp(now)}.zip`))
    return archiveOf(outputs, now)
  })
}

/** The distinct ids of a query, in its order. */
function archiveIds(given: unknown): readonly string[] {
  const texts = given === undefined ? [] : Array.isArray(given) ? given : [given]
  if (texts.length === 0) throw refuse('job.archive-empty')
  const ids = texts.map((text) => jobIdOf(String(text)))
  if (ids.includes(undefined)) throw refuse('validation.filter-invalid', { parameter: 'id' })
  const distinct = [...new Set(ids as readonly string[])]
  if (distinct.length > MOST_JOBS) throw refuse('job.archive-too-large', { limit: MOST_JOBS })
  return distinct
}

async function namedJobs({ store }: Context, ids: readonly string[]): Promise<readonly JobRow[]> {
  const found = new Map((await findJobs(store.db, ids)).map((job) => [job.id, job]))
  const unknown = ids.filter((id) => !found.has(id))
  if (unknown.length > 0) throw refuse('job.not-found', { jobIds: unknown })
  const jobs = ids.map((id) => found.get(id)!)
  const unavailable = jobs.filter((job) => !hasOutput(job))
  if (unavailable.length > 0) throw refuse('job.output-unavailable', idsOf(unavailable))
  return jobs
}

/** In `errors` as well: production strips `detail`, and a client that asked for 50 must learn which. */
const idsOf = (jobs: readonly JobRow[]) => ({
  jobIds: jobs.map(({ id }) => id),
  fields: { id: jobs.map(({ id, status }) => `${id}: ${status}`) },
})

interface Archived {
  readonly job: JobRow
  readonly output: JobOutput | undefined
}

// Checked before the first byte: afterwards nothing can be refused.
async function outputsOf(parts: OutputParts, jobs: readonly JobRow[]): Promise<readonly Archived[]> {
  const found: Archived[] = []
  for (const job of jobs) {
    const output = await openOutput(parts, job)
    await output?.file.close()
    found.push({ job, output })
  }
  return found
}

/**
 * The archive as a stream: one file is open at a time, and only data in transit is in memory. A file that cannot be
 * read, or whose length changed, ends the stream with an error: the connection is cut, and the partial ZIP does not
 * open.
 */
function archiveOf(outputs: readonly Archived[], now: Date): Readable {
  const zip = new ZipFile()
  const stream = zip.outputStream as Readable
  let reading: ReadStream | undefined
  zip.on('error', (error) => stream.destroy(error as Error))
  // A file must not stay open after a client disconnects.
  stream.once('close', () => reading?.destroy())
  const names = new EntryNames()
  for (const { job, output } of outputs) {
    if (!output) continue
    const options = { compress: false, size: output.length, mtime: new Date(job.finished_at ?? now) }
    zip.addReadStreamLazy(names.take(output.name, job.id), options, (give) => {
      reading = createReadStream(output.path)
      give(null, reading)
    })
  }
  const missing = outputs.filter(({ output }) => output === undefined)
  if (missing.length > 0)
    zip.addBuffer(missingText(missing), names.take('MISSING.txt', 'outputs'), { compress: false, mtime: now })
  zip.end()
  return stream
}

const missingText = (missing: readonly Archived[]): Buffer =>
  Buffer.from(
    [
      'These outputs are no longer in the output folder:',
      ...missing.map(({ job }) => `${job.id}  ${job.file_name}`),
      '',
    ].join('\r\n'),
  )

/** Names of entries: a duplicate gets its job's id before the last extension. */
class EntryNames {
  readonly #taken = new Set<string>()

  take(name: string, jobId: string): string {
    // Path separators in a name must not create folders in the archive.
    const plain = name.replace(/[\\/]/g, '_')
    const free = this.#taken.has(plain.toLowerCase()) ? withId(plain, jobId) : plain
    this.#taken.add(free.toLowerCase())
    return free
  }
}

function withId(name: string, jobId: string): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? `${name.slice(0, dot)}.${jobId}${name.slice(dot)}` : `${name}.${jobId}`
}
