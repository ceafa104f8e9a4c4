// What an operator and the clients do while the service is killed. Whatever a file is told here holds for the rest of
// its world: refused, canceled and failed files are signed only after a word of the operator.
import type { Operator } from './operator.ts'
import { type SiteFile, wholeFile } from './site-files.ts'
import { remittances } from './site-remittances.ts'

export const actNames = [
  'cancel',
  'remittances',
  'upload',
  'cancel an upload',
  'delete a job',
  'clear jobs',
  'clean up',
] as const

export type ActName = (typeof actNames)[number]

/** What an act has at hand. */
export interface Scene {
  readonly operator: Operator
  readonly files: readonly SiteFile[]
  /** Puts a file with these bytes into a folder. */
  drop(file: SiteFile, bytes: Buffer): SiteFile
  /** Adds a file that comes by itself. */
  give(file: SiteFile): SiteFile
  newNumber(): number
  /** A cancellation was confirmed. */
  onCanceled(): void
  /** Takes down what is delivered and completed by now: the store is about to forget it. */
  takeStock(): Promise<void>
}

export const act: Readonly<Record<ActName, (scene: Scene) => Promise<void>>> = {
  cancel: (scene) =>
    paused(scene, async () => {
      const number = scene.newNumber()
      const bytes = Buffer.from(`canceled ${number}`)
      const file = scene.drop(wholeFile(number, `canceled-${number}.txt`, bytes, { folder: 'quiet' }), bytes)
      await cancel(scene, file)
    }),
  remittances: async (scene) => {
    for (const make of Object.values(remittances)) {
      const { file, bytes } = make(scene.newNumber(), 'remittances')
      scene.drop(file, bytes)
    }
  },
  upload: async (scene) => {
    const number = scene.newNumber()
    await upload(scene, wholeFile(number, `sent-${number}.txt`, contentOf(number), {}), contentOf(number), 'quiet')
    const { file, bytes } = remittances.faulty(scene.newNumber(), 'uploads')
    await upload(scene, file, bytes, 'remittances')
  },
  'cancel an upload': (scene) =>
    paused(scene, async () => {
      const number = scene.newNumber()
      const file = wholeFile(number, `unsent-${number}.txt`, contentOf(number), {})
      await upload(scene, file, contentOf(number), 'quiet')
      await cancel(scene, file)
    }),
  'delete a job': async ({ operator, files }) => {
    const unwanted = files.filter(({ never, verdict }) => never || verdict)
    for (const status of ['Failed', 'Canceled']) {
      const jobs = await operator.jobs(`status=${status}`)
      const job = jobs.find(({ fileName }) => unwanted.some(({ name }) => name === fileName))
      if (!job) continue
      letGo(files.filter(({ name }) => name === job.fileName))
      await operator.deleteJob(job.id)
    }
  },
  // Only at rest: what is put out between the count and the clearing would be deleted without anybody having seen it.
  'clear jobs': (scene) =>
    paused(scene, async () => {
      if (!(await scene.operator.isIdle())) return
      await scene.takeStock()
      letGo(scene.files)
      await scene.operator.clearJobs()
    }),
  'clean up': async ({ operator, files }) => {
    letGo(files)
    await operator.cleanUp()
  },
}

const contentOf = (number: number): Buffer => Buffer.from(`uploaded ${number}`)

async function paused({ operator }: Scene, work: () => Promise<void>): Promise<void> {
  await operator.pause()
  await work()
  await operator.resume()
}

async function cancel({ operator, onCanceled }: Scene, file: SiteFile): Promise<void> {
  const job = await operator.queued(file.name)
  // A canceled upload is removed, even if the answer is lost.
  if (job && file.folder === 'uploads') file.isUnsure = true
  if (!job || (await operator.cancel(job.id))?.status !== 200) return
  file.verdict = 'canceled'
  onCanceled()
}

/** An upload is the service's once it has said so; without an answer it may have become a job or not. */
async function upload({ operator, give }: Scene, file: SiteFile, bytes: Buffer, profile: string): Promise<void> {
  give(file)
  file.isUnsure = true
  const answer = await operator.upload(file.name, bytes, profile)
  if (answer?.status === 202) file.isUnsure = false
}

/**
 * The job of an upload and its file are one, and so are a refused second version of a name and its folder under error/:
 * who deletes the first no longer has the second.
 */
function letGo(files: readonly SiteFile[]): void {
  for (const file of files) if (file.folder === 'uploads' || file.versions.length > 1) file.isUnsure = true
}
