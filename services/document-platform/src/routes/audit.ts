import { Readable } from 'node:stream'
import { attachment, serve } from '@chancela/service-kernel/http'
import { exportedAudit } from '../actions/audit/export-audit.ts'
import { listedAudit, verifiedAudit } from '../actions/audit/read-audit.ts'
import type { Context } from '../context.ts'
import { exportAuditAsCsv, exportAuditAsLines, listAudit, verifyAudit } from '../contract/audit.ts'
import type { PlatformApp } from './platform-app.ts'

const files = { csv: exportAuditAsCsv, jsonl: exportAuditAsLines } as const

/** Registers the routes of the audit. */
export function serveAudit(app: PlatformApp, context: Context): void {
  serve(app, listAudit, ({ caller, params, query }) => listedAudit(context, caller, params.orgId, query))
  serve(app, verifyAudit, ({ caller, params }) => verifiedAudit(context, caller, params.orgId))
  for (const format of ['csv', 'jsonl'] as const)
    serve(app, files[format], async ({ caller, params, query, now, reply }) => {
      const lines = await exportedAudit({ context, caller, now }, params.orgId, format, query)
      reply.header('content-disposition', attachment(`audit-${now.toISOString().slice(0, 10)}.${format}`))
      return Readable.from(lines)
    })
}
