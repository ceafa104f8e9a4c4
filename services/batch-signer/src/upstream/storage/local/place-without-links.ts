// For file systems without hard links: the name is reserved by creating it, then the output is renamed over the
// reservation. That removes the hidden name, so a claim file beside it records beforehand what the output is.
import { dirname } from 'node:path'
import { JobFailure } from '../../../rules/job-failure.ts'
import { errnoOf } from './disk-errors.ts'
import { type FileOperations, openings } from './file-operations.ts'
import { syncFolder } from './sync-folder.ts'
import { type Copied, hashPieces, readWhole, withFile, writeAll } from './whole-files.ts'

/** An output being given its name. */
export interface Placing {
  readonly jobId: string
  /** Path of the claim file. */
  readonly claim: string
  /** The output under its hidden name. */
  readonly hidden: string
  /** Its final name. */
  readonly path: string
}

/** Gives an output its name; JobFailure job.output-exists when another file has it. */
export async function placeWithoutLinks(fs: FileOperations, placing: Placing): Promise<void> {
  const { claim, hidden, path } = placing
  // Repeated after the rename: the file is already in place.
  if (!fs.lstatSync(hidden) && fs.lstatSync(claim) && (await isClaimed(fs, claim, path))) return
  await writeClaim(fs, claim, await fingerprintOf(fs, hidden))
  await reserve(fs, placing)
  await fs.rename(hidden, path)
}

async function writeClaim(fs: FileOperations, claim: string, output: Copied): Promise<void> {
  await withFile(fs, claim, openings.overwrite, async (fd) => {
    await writeAll(fs, fd, [Buffer.from(JSON.stringify(output))])
    await fs.fsync(fd)
  })
  await syncFolder(fs, dirname(claim))
}

async function reserve(fs: FileOperations, placing: Placing): Promise<void> {
  try {
    await withFile(fs, placing.path, openings.createNew, (fd) => writeAll(fs, fd, [reservation(placing)]))
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    if (!(await isReservation(fs, placing))) throw new JobFailure('job.output-exists', `${placing.path}.`)
  }
}

const reservation = ({ jobId }: Pick<Placing, 'jobId'>): Buffer => Buffer.from(`Reserved for job ${jobId}.\n`)

async function isReservation(fs: FileOperations, { path, jobId }: Pick<Placing, 'path' | 'jobId'>): Promise<boolean> {
  const expected = reservation({ jobId })
  const found = await withFile(fs, path, openings.read, (fd) => readWhole(fs, fd, expected.length + 1))
  return found.equals(expected)
}

/** Withdraws what a claim says is ours; false when nothing was claimed or another file has the name. */
export async function withdrawClaimed(fs: FileOperations, placing: Placing): Promise<boolean> {
  const { claim, hidden, path } = placing
  const found = fs.lstatSync(path)
  if (!fs.lstatSync(claim) || !found?.isFile) return false
  // Empty: a crash between creating and filling the reservation.
  const isReserved = found.size === 0n || (await isReservation(fs, placing))
  if (isReserved) await fs.unlink(path)
  else if (await isClaimed(fs, claim, path)) await fs.rename(path, hidden)
  else return false
  return true
}

async function isClaimed(fs: FileOperations, claim: string, path: string): Promise<boolean> {
  const text = await withFile(fs, claim, openings.read, (fd) => readWhole(fs, fd, Number(fs.fstatSync(fd).size)))
  return JSON.stringify(await fingerprintOf(fs, path)) === text.toString('utf8')
}

const fingerprintOf = (fs: FileOperations, path: string): Promise<Copied> =>
  withFile(fs, path, openings.read, (fd) => hashPieces(fs, fd))
