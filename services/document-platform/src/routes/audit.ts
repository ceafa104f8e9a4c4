import { serve } from '@chancela/service-kernel/http'
import { listedAudit, verifiedAudit } from '../actions/audit/read-audit.ts'
import type { Context } from '../context.ts'
import { listAudit, verifyAudit } from '../contract/audit.ts'
import type { PlatformApp } from './platform-app.ts'

/** Registers the routes of the audit. */
export function serveAudit(app: PlatformApp, context: Context): void {
  serve(app, listAudit, ({ caller, params, query }) => listedAudit(context, caller, params.orgId, query))
  serve(app, verifyAudit, ({ caller, params }) => verifiedAudit(context, caller, params.orgId))
}
