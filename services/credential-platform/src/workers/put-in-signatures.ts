// Puts signatures of keys elsewhere into their documents.
import { randomUUID } from 'node:crypto'
import { type JobWorker, startWorker } from '@chancela/outbox/queue'
import { HOUR, MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { putIn } from '../actions/remote-signing/put-in.ts'
import { REMOTE_QUEUE, type RemoteJob } from '../actions/remote-signing/sign-all.ts'
import type { SigningDependencies } from '../actions/signing/sign-document.ts'
import type { SigningWorker } from './sign-documents.ts'

/** Somebody else signs the same document for a second; an authority may be silent for a day. */
const waits = [SECOND, SECOND, 3 * SECOND, 10 * SECOND, MINUTE, 10 * MINUTE, ...Array(48).fill(HOUR / 2)]
const retry = { waitSeconds: waits.map((wait) => wait / SECOND), jitter: 0.2 }

export function putInSignatures(given: SigningDependencies): SigningWorker {
  const { store, clock, logger } = given.context
  let worker: JobWorker | undefined
  return {
    start() {
      worker ??= startWorker<RemoteJob, unknown>(store as never, {
        queue: REMOTE_QUEUE,
        instance: randomUUID(),
        clock,
        retry,
        handle: ({ payload }, { complete }) => putIn(given, payload, (tx) => complete(tx)),
        onError: (error, { kind }) => logger.error({ err: error, kind }, 'a signature could not be put in'),
      })
    },
    async stop() {
      await worker?.stop()
    },
  }
}
