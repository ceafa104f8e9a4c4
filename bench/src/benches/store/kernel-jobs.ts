import { claimJobs, enqueueJobs, jobMigrations } from '@chancela/outbox/queue'
import { migrate, openStore } from '@chancela/service-kernel/store'
import { CLAIM, type JobDriver, QUEUE, samplePayload } from './job-driver.ts'

/** Opens the kernel's store at this address and works through its public functions, as a service does. */
export async function openKernelJobs(options: { url: string; service: string }): Promise<JobDriver> {
  const store = await openStore(options)
  return {
    insert: async (count) => {
      const jobs = Array.from({ length: count }, () => ({ payload: samplePayload }))
      return (await enqueueJobs(store.db, QUEUE, jobs, new Date())).length
    },
    claim: async (limit) => (await claimJobs(store.db, { queue: QUEUE, limit, ...CLAIM }, new Date())).length,
    close: () => store.close(),
  }
}

/** Creates the kernel's job table, so that both sides work on the same columns and indexes. */
export async function createJobTable(options: { url: string; service: string }): Promise<void> {
  const store = await openStore(options)
  try {
    await migrate(store, { jobs: jobMigrations })
  } finally {
    await store.close()
  }
}
