import type { Worker } from '@chancela/service-kernel/workers'
import type { TimestampClient } from '@chancela/signature-engine/timestamps'
import type { Context } from './context.ts'
import { ProblemLog } from './parts/activity/problem-log.ts'
import { Files } from './parts/files/files.ts'
import { openTimestamps } from './parts/signing/archive-timestamps.ts'
import type { FaceEngine } from './parts/bio/engine/face-engine.ts'
import { openEngine } from './parts/bio/engine/open-engine.ts'
import { SecurityContexts } from './parts/trust/security-contexts.ts'
import { linkedDocumentFile } from './store/documents.ts'
import { sweepAuthentications } from './workers/sweep.ts'
import { sweepActivity } from './workers/sweep-activity.ts'
import { sweepFiles } from './workers/sweep-files.ts'
import { sweepBio } from './workers/sweep-bio.ts'

/** The parts of the service that the routes use. */
export interface Parts {
  readonly context: Context
  readonly contexts: SecurityContexts
  readonly files: Files
  /** Undefined without a timestamp authority. */
  readonly timestamps: TimestampClient | undefined
  readonly problems: ProblemLog
  readonly engine: FaceEngine
  readonly workers: readonly Worker[]
}

export async function openParts(context: Context): Promise<Parts> {
  const contexts = await SecurityContexts.open(context)
  const files = await Files.open(context, (linked) => linkedDocumentFile(context.store.db, linked))
  const problems = new ProblemLog(context)
  const engine = openEngine(context)
  const sweeps = [sweepAuthentications(context), sweepFiles(context, files), sweepActivity(context), sweepBio(context)]
  for (const worker of sweeps) context.closing.add('a worker', () => worker.stop())
  return { context, contexts, files, timestamps: openTimestamps(context), problems, engine, workers: sweeps }
}

/** Starts the workers; called after the routes are registered. */
export function startWorking({ workers }: Parts): void {
  for (const worker of workers) worker.start()
}
