import type { Context } from '../../context.ts'
import { said, telling } from '../../rules/sentences.ts'
import { type RecoveryParts, type RecoveryReport, type RecoveryScope, recover } from './recover.ts'

/** Start-up recovery, before anything is picked up. Tells what it found in one event. */
export async function recoverAtStart(
  context: Context,
  parts: RecoveryParts,
  scope?: RecoveryScope,
): Promise<RecoveryReport> {
  const report = await recover(context, parts, scope)
  if (report.interrupted + report.finished + report.putAway > 0) await record(context, report)
  return report
}

async function record({ events, store, logger }: Context, report: RecoveryReport): Promise<void> {
  logger.warn(report, 'start-up recovery done')
  await events.record(store.db, {
    type: 'StartupRecovery',
    actor: 'recovery',
    ...telling(said('recovered', { ...report }), { ...report }),
  })
}
