import { serve } from '@chancela/service-kernel/http'
import { beginOnDocuments, beginOnUploads, readPage, readSession, saveData } from '../actions/flows/marks-sessions.ts'
import type { Context } from '../context.ts'
import * as contract from '../contract/flows.ts'
import type { PlatformApp } from './platform-app.ts'

/** Registers the routes of marks sessions. */
export function serveMarks(app: PlatformApp, context: Context): void {
  serve(app, contract.createMarksSession, ({ caller, body, now }) => beginOnUploads(context, caller, body, now))
  serve(app, contract.createDocumentMarksSession, ({ caller, body, now }) =>
    beginOnDocuments(context, caller, body, now),
  )
  for (const route of [contract.readMarksSession, contract.readMarksSessionAlias])
    serve(app, route, ({ caller, params, now }) => readSession(context, caller, params.id, now))
  serve(app, contract.saveMarks, ({ params, body, now }) => saveData(context, params.id, body, now))
  serve(app, contract.readMarksSessionPage, ({ params, now }) => readPage(context, params.id, now))
}
