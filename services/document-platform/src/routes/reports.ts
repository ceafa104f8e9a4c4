import { Readable } from 'node:stream'
import { serve } from '@chancela/service-kernel/http'
import { documentReport, reportLocation } from '../actions/organizations/reports.ts'
import type { Context } from '../context.ts'
import { readReport, reportDocuments } from '../contract/organizations.ts'
import type { PlatformApp } from './platform-app.ts'

/** Registers the routes of reports. */
export function serveReports(app: PlatformApp, context: Context): void {
  serve(app, reportDocuments, async ({ caller, body, now }) => ({
    location: await reportLocation(context, caller, body, now),
  }))
  serve(app, readReport, ({ query, reply }) => {
    const lines = documentReport(context, query.access_ticket)
    reply.header('content-disposition', 'attachment; filename="documents.csv"')
    return Readable.from(lines)
  })
}
