import { beginOfDay } from '@chancela/service-kernel/clock'
import { serve } from '@chancela/service-kernel/http'
import { listedAuthentications, listedProblems } from '../../actions/activity/read-activity.ts'
import type { Management } from '../../actions/management/acting.ts'
import { listAuthentications, listProblems } from '../../contract/console-activity.ts'
import { readOverview } from '../../contract/console-management.ts'
import { countActivity } from '../../store/activity.ts'
import type { ConsoleApp } from './console-app.ts'

/** What happened lately. */
export function serveActivity(app: ConsoleApp, management: Management): void {
  const { context } = management
  serve(app, listAuthentications, ({ query }) => listedAuthentications(management, query))
  serve(app, listProblems, ({ query }) => listedProblems(context, query))
  serve(app, readOverview, ({ query: { since }, now }) =>
    countActivity(context.store.db, since === undefined ? beginOfDay(now) : new Date(since)),
  )
}
