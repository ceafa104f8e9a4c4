import { randomUUID } from 'node:crypto'
import type { MigrationSet, Store } from '@chancela/service-kernel/store'
import type { TestStore } from '@chancela/testkit/stores'
import { JobLedger, type LedgerOptions, type NewJob } from '../store/job-ledger.ts'
import { batchSignerSchema } from '../store/migrations.ts'
import type { Tables } from '../store/tables.ts'

/** Opens stores of the service: `testStores`, or those of a describe. */
export type OpenStore = (set: MigrationSet) => Promise<TestStore<Tables>>

/** The schema of the service. */
export const migrationSet = batchSignerSchema

/** A fresh store with the schema of the service. */
export const openBatchStore = (open: OpenStore) => open(migrationSet)

/** A ledger on the store; its failures are thrown at the test unless the test handles them. */
export const ledgerOn = (store: Store<Tables>, options: Partial<LedgerOptions> = {}): JobLedger =>
  new JobLedger({
    store,
    owner: 'test/1',
    namesOnce: true,
    onTrouble: (error) => {
      throw error
    },
    onRecovery: () => {},
    retryMs: 1,
    ...options,
  })

/** A job as a watched folder would create it. */
export function newJob(over: Partial<NewJob> = {}): NewJob {
  const fileName = over.fileName ?? `file-${randomUUID()}.pdf`
  return {
    id: randomUUID(),
    fileName,
    originalPath: `/input/${fileName}`,
    inputFolder: 'default',
    format: 'Pades',
    source: 'Watcher',
    profileName: 'default',
    message: 'Seen in the folder default.',
    ...over,
  }
}

/** Measurements of a completed job. */
export const times = {
  encrypted: false,
  outputLength: 10,
  queueMs: 5,
  signingMs: 20,
  verificationMs: 7,
  outputMs: 3,
  message: 'Output written.',
} as const

/** Completes a queued job as a worker would; the job must be the oldest queued one. */
export async function completeNext(
  ledger: JobLedger,
  now: Date,
  over: Partial<{ outputName: string; encrypted: boolean }> = {},
) {
  const [job] = await ledger.claim(1, now)
  if (!job) throw new Error('No job is queued.')
  const { id } = job
  const outputName = over.outputName ?? `${job.file_name}.p7m`
  await ledger.reachedKey(id, { sha256: 'ab'.repeat(32), length: 4, outputName }, now)
  await ledger.signed(id, { message: 'Signed.' }, now)
  await ledger.completed(id, { ...times, encrypted: over.encrypted ?? false }, now)
  return id
}

/** Fails the oldest queued job. */
export async function failNext(
  ledger: JobLedger,
  now: Date,
  code = 'job.signing-failed',
  error = 'The signature could not be made.',
) {
  const [job] = await ledger.claim(1, now)
  if (!job) throw new Error('No job is queued.')
  await ledger.failed(job.id, { from: 'Processing', code, error }, now)
  return job.id
}

/** Ended jobs whose files have names of more than 255 bytes: of an older version, or of a disk that allowed them. */
export async function withImpossibleNames(ledger: JobLedger, now: Date): Promise<readonly string[]> {
  const named = (letter: string) => `${letter.repeat(300)}.txt`
  const upload = newJob({ originalPath: `/input/${named('u')}`, inputFolder: null })
  const dropped = newJob({ originalPath: `/input/${named('d')}` })
  for (const job of [upload, dropped]) {
    await ledger.enqueue(job, now)
    await failNext(ledger, now)
  }
  const refused = newJob({ fileName: named('r') })
  await ledger.recordRefused({ ...refused, code: 'file.already-processed', error: 'The name was signed before.' }, now)
  const signed = newJob({ originalPath: `/input/${named('s')}` })
  await ledger.enqueue(signed, now)
  await completeNext(ledger, now, { outputName: named('o') })
  await ledger.inputSettled(signed.id, 'deleted', now)
  return [upload, dropped, refused, signed].map(({ id }) => id)
}
