// An upload entering its folder. It arrives under a hidden name, gets its landed name just before
// its job is recorded (a worker may pick the job up at once), and keeps the first name until then: recovery finds it
// and knows whether a job was ever recorded.
import { createHash } from 'node:crypto'
import { link, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { arrivingJob, type LandingNames } from '../../../rules/upload-name.ts'
import { errnoOf } from '../local/disk-errors.ts'
import { FILE_MODE, localFiles } from '../local/file-operations.ts'
import { syncFolder } from '../local/sync-folder.ts'
import { sample } from './sample.ts'

export interface Received {
  readonly length: number
  /** Lower-case hex. */
  readonly sha256: string
}

/** Writes an upload durably while hashing it; removes it when the client disconnects. */
export async function receive(folder: string, names: LandingNames, content: AsyncIterable<Buffer>): Promise<Received> {
  const path = join(folder, names.arriving)
  const file = await open(path, 'wx', FILE_MODE)
  try {
    const hash = createHash('sha256')
    let length = 0
    for await (const chunk of content) {
      hash.update(chunk)
      await file.writeFile(chunk)
      length += chunk.length
    }
    await file.sync()
    return { length, sha256: hash.digest('hex') }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

const NO_LINKS: readonly (string | undefined)[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']

/** Gives a received upload its landed name, durably; the first name stays as a marker until `settle`. */
export async function land(folder: string, { arriving, landed }: LandingNames): Promise<void> {
  try {
    await link(join(folder, arriving), join(folder, landed))
  } catch (error) {
    if (!NO_LINKS.includes(errnoOf(error))) throw error
    // No links, no marker: after a crash before the job is recorded the file lies there without one.
    await rename(join(folder, arriving), join(folder, landed))
  }
  await syncFolder(localFiles, folder)
}

/** Removes the marker once the job is recorded. */
export const settle = (folder: string, { arriving }: LandingNames): Promise<void> =>
  rm(join(folder, arriving), { force: true })

/** Removes a refused upload, under both names. */
export async function forget(folder: string, { arriving, landed }: LandingNames): Promise<void> {
  await rm(join(folder, landed), { force: true })
  await rm(join(folder, arriving), { force: true })
}

/** State of an interrupted upload's job. */
export type Interrupted = 'unknown' | 'waiting' | 'ended'

/** An upload left while it arrived. */
export interface Left extends LandingNames {
  readonly jobId: string
}

/** The uploads interrupted by a stop. */
export async function leftLandings(folder: string): Promise<readonly Left[]> {
  const names = await readdir(folder)
  return names.flatMap((arriving) => {
    const job = arrivingJob(arriving)
    return job ? [{ arriving, ...job }] : []
  })
}

/** Finishes interrupted uploads: those with a job get their name, those without one are removed. */
export async function finishLandings(
  folder: string,
  left: readonly Left[],
  states: ReadonlyMap<string, Interrupted>,
): Promise<void> {
  for (const upload of left) await finish(folder, upload, states.get(upload.jobId) ?? 'unknown')
  await syncFolder(localFiles, folder)
}

async function finish(folder: string, names: LandingNames, state: Interrupted): Promise<void> {
  if (state === 'unknown') return forget(folder, names)
  if (state === 'waiting' && !sample(join(folder, names.landed)))
    return rename(join(folder, names.arriving), join(folder, names.landed))
  return settle(folder, names)
}
