// Puts signatures of keys elsewhere into their documents.
import { HOUR, MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { putIn } from '../actions/remote-signing/put-in.ts'
import { REMOTE_QUEUE, type RemoteJob } from '../actions/remote-signing/sign-all.ts'
import type { SigningDependencies } from '../actions/signing/sign-document.ts'
import { type QueueWorker, queueWorker } from './queue-worker.ts'

/** Somebody else signs the same document for a second; an authority may be silent for a day. */
const waits = [SECOND, SECOND, 3 * SECOND, 10 * SECOND, MINUTE, 10 * MINUTE, ...Array(48).fill(HOUR / 2)]

export const putInSignatures = (given: SigningDependencies): QueueWorker =>
  queueWorker<RemoteJob>(given.context, {
    queue: REMOTE_QUEUE,
    waits,
    trouble: 'a signature could not be put in',
    handle: ({ payload }, { complete }) => putIn(given, payload, (tx) => complete(tx)),
  })
