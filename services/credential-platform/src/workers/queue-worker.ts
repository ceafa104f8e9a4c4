// Work on one queue of the store.
import { randomUUID } from 'node:crypto'
import { type JobWorker, startWorker, type WorkerOptions } from '@chancela/outbox/queue'
import { SECOND } from '@chancela/service-kernel/clock'
import type { Context } from '../context.ts'

/** Starts once, stops for good. */
export interface QueueWorker {
  start(): void
  stop(): Promise<void>
}

interface QueueWork<Payload> extends Pick<WorkerOptions<Payload>, 'queue' | 'handle' | 'concurrency' | 'batch'> {
  /** Milliseconds before each further attempt. */
  readonly waits: readonly number[]
  /** What the log says when a job fails. */
  readonly trouble: string
}

export function queueWorker<Payload>(
  { store, clock, logger, heartbeats }: Context,
  { waits, trouble, ...work }: QueueWork<Payload>,
): QueueWorker {
  let worker: JobWorker | undefined
  return {
    start() {
      worker ??= startWorker<Payload, unknown>(store as never, {
        ...work,
        instance: randomUUID(),
        clock,
        heartbeats,
        retry: { waitSeconds: waits.map((wait) => wait / SECOND), jitter: 0.2 },
        onError: (error, { kind }) => logger.error({ err: error, kind }, trouble),
      })
    },
    async stop() {
      await worker?.stop()
    },
  }
}
