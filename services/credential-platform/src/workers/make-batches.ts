// Makes the items of batches, a round at a time. The next round of a batch waits behind those of the others.
import { HOUR, MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { makeRound } from '../actions/batches/make-round.ts'
import type { Issuing } from '../actions/curriculums/curriculums.ts'
import { BATCH_QUEUE, type BatchJob } from '../store/batches.ts'
import { type QueueWorker, queueWorker } from './queue-worker.ts'

/** A store that does not answer is asked for two days. */
const waits = [SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, ...Array(94).fill(HOUR / 2)]

export const makeBatches = (issuing: Issuing): QueueWorker =>
  queueWorker<BatchJob>(issuing.context, {
    queue: BATCH_QUEUE,
    waits,
    trouble: 'making of a batch failed',
    // One round at a time: rounds are work for the processor, which requests and signatures need as well.
    concurrency: 1,
    batch: 1,
    handle: ({ payload, attempt }, { complete }) => makeRound(issuing, payload.batchId, { attempt, complete }),
  })
