import { serve } from '@chancela/service-kernel/http'
import { runCleanup } from '../../contract/operations.ts'
import type { Retention } from '../../workers/retention/retention.ts'
import { actorOf } from '../operator-access.ts'
import type { FullApp } from './full-app.ts'

/** Registers the retention cleanup. */
export function serveCleanup(app: FullApp, retention: Pick<Retention, 'run'>): void {
  serve(app, runCleanup, ({ caller }) => retention.run(actorOf(caller)))
}
