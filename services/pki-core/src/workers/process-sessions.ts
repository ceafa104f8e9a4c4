import { randomUUID } from 'node:crypto'
import { type JobWorker, startWorker, type WorkerTrouble } from '@chancela/outbox/queue'
import { abandonSession, processSession } from '../actions/sessions/process-session.ts'
import { SESSION_QUEUE, type SessionJob } from '../actions/sessions/submit-signatures.ts'
import type { SigningDependencies } from '../actions/signatures/prepare-signature.ts'
import type { Tables } from '../store/tables.ts'

/** Seconds before the next attempts: authorities are back within minutes, or somebody has to look. */
const WAITS = [5, 30, 120, 600, 1800]

/** Documents are signed one after the other in each session, and of so many sessions at a time. */
const CONCURRENCY = 2

export function processSessions(dependencies: SigningDependencies): JobWorker {
  const { store, clock, heartbeats } = dependencies.context
  return startWorker<SessionJob, Tables>(store, {
    queue: SESSION_QUEUE,
    // Several processes share the queue, and none may take another's jobs for those of its own previous run.
    instance: randomUUID(),
    clock,
    heartbeats,
    retry: { waitSeconds: WAITS, jitter: 0.2 },
    concurrency: CONCURRENCY,
    // Processes that share a SQLite file do not wake each other.
    pollSeconds: 5,
    handle: ({ payload, attempt }, { signal, complete }) =>
      processSession(dependencies, payload.sessionId, {
        now: clock(),
        isLast: attempt > WAITS.length,
        signal,
        complete,
      }),
    onError: (error, trouble) => void report(dependencies, error, trouble),
  })
}

async function report(dependencies: SigningDependencies, error: unknown, trouble: WorkerTrouble): Promise<void> {
  const { logger, clock } = dependencies.context
  logger.error({ err: error, trouble: trouble.kind }, 'processing of a signature session failed')
  if (trouble.kind !== 'dead') return
  const { sessionId } = trouble.job.payload as SessionJob
  try {
    await abandonSession(dependencies, sessionId, clock())
  } catch (failure) {
    logger.error({ err: failure, sessionId }, 'end of a signature session failed')
  }
}
