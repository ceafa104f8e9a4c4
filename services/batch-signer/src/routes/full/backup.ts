import { serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { backupPage, backupView, cancelBackup, startBackup } from '../../contract/backup.ts'
import type { BackupRunRow } from '../../store/tables.ts'
import type { Backup } from '../../workers/backup/backup.ts'
import { actorOf } from '../operator-access.ts'
import type { FullApp } from './full-app.ts'

/** Registers the backups of the embedded store, for the API and the dashboard. */
export function serveBackup(app: FullApp, { settings }: Pick<Context, 'settings'>, backup: Backup): void {
  const view = async () => {
    const { supported, enabled, destination, nextDueAt, lastSuccessAt, running, runs } = await backup.overview()
    return {
      supported,
      enabled,
      destination: destination ?? null,
      intervalHours: settings.Backup.IntervalHours ?? null,
      retainCount: settings.Backup.RetainCount,
      nextDueAtUtc: nextDueAt?.toISOString() ?? null,
      lastSuccessAtUtc: lastSuccessAt?.toISOString() ?? null,
      masterKeyIncluded: false as const,
      running: running ? { ...toWire(running.run), progress: running.progress } : null,
      runs: runs.map(toWire),
    }
  }
  serve(app, backupView, view)
  serve(app, backupPage, view)
  serve(app, startBackup, async ({ caller }) => ({ runId: await backup.run('Manual', actorOf(caller)) }))
  serve(app, cancelBackup, ({ caller }) => ({ runId: backup.cancel(actorOf(caller)) }))
}

const toWire = (run: BackupRunRow) => ({
  id: run.id,
  trigger: run.cause,
  actor: run.actor,
  startedAtUtc: run.started_at,
  finishedAtUtc: run.finished_at,
  result: run.result,
  fileName: run.file_name,
  sizeBytes: run.size_bytes,
  error: run.error,
})
