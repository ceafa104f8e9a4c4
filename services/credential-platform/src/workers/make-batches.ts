// Makes the items of batches, a round at a time. The next round of a batch waits behind those of the others.
import { randomUUID } from 'node:crypto'
import { type JobWorker, startWorker } from '@chancela/outbox/queue'
import { HOUR, MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { makeRound } from '../actions/batches/make-round.ts'
import type { Issuing } from '../actions/curriculums/curriculums.ts'
import { BATCH_QUEUE, type BatchJob } from '../store/batches.ts'

/** A store that does not answer is asked for two days. */
const waits = [SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, ...Array(94).fill(HOUR / 2)]
const retry = { waitSeconds: waits.map((wait) => wait / SECOND), jitter: 0.2 }

export function makeBatches(issuing: Issuing) {
  const { store, clock, logger } = issuing.context
  let worker: JobWorker | undefined
  return {
    start() {
      worker ??= startWorker<BatchJob, unknown>(store as never, {
        queue: BATCH_QUEUE,
        instance: randomUUID(),
        clock,
        retry,
        // One round at a time: rounds are work for the processor, which requests and signatures need as well.
        concurrency: 1,
        batch: 1,
        handle: ({ payload, attempt }, { complete }) => makeRound(issuing, payload.batchId, { attempt, complete }),
        onError: (error, { kind }) => logger.error({ err: error, kind }, 'making of a batch failed'),
      })
    },
    async stop() {
      await worker?.stop()
    },
  }
}
