import { serve } from '@chancela/service-kernel/http'
import { actionUrl } from '../actions/documents/action-url.ts'
import * as versions from '../actions/documents/add-version.ts'
import { countCreated } from '../actions/documents/count-documents.ts'
import * as create from '../actions/documents/create-documents.ts'
import { documentView } from '../actions/documents/document-view.ts'
import * as edit from '../actions/documents/edit-flow.ts'
import * as end from '../actions/documents/end-documents.ts'
import * as list from '../actions/documents/list-documents.ts'
import * as move from '../actions/documents/move-documents.ts'
import { requiredDocument, requiredLiveDocument } from '../actions/documents/required-document.ts'
import { revokeUrls } from '../actions/documents/revoke-urls.ts'
import { timelineOf } from '../actions/documents/timeline-view.ts'
import { setNotified } from '../actions/participants/notified-emails.ts'
import type { Context } from '../context.ts'
import {
  addEnvelopeVersion,
  addVersion,
  cancelDocument,
  countDocuments,
  createActionUrl,
  createDocuments,
  deleteDocument,
  editFlow,
  listDocuments,
  moveDocument,
  moveDocuments,
  readDocument,
  readTimeline,
  refuseDocument,
  revokeActionUrls,
  setNotifiedEmails,
} from '../contract/documents.ts'
import type { PlatformApp } from './platform-app.ts'

/** Puts the life of documents on the surface: made, shown, ended. */
export function serveDocuments(app: PlatformApp, context: Context): void {
  serve(app, createDocuments, ({ caller, body, now, signal }) =>
    create.createDocuments({ ...context, signal }, caller, body, now),
  )

  serve(app, readDocument, async ({ caller, params }) =>
    documentView(context, caller, await requiredDocument(context, caller, 'documents.read', params.id)),
  )

  serve(app, deleteDocument, async ({ caller, params, now }) => {
    const document = await requiredLiveDocument(context, caller, 'documents.change', params.id)
    await end.deleteDocument(context, caller, document, now)
  })

  serve(app, createActionUrl, async ({ caller, params, body, now }) => {
    const document = await requiredLiveDocument(context, caller, 'documents.act-for', params.id)
    return actionUrl(context, caller, document, body, now)
  })

  serve(app, revokeActionUrls, async ({ caller, params, body, now }) => {
    const document = await requiredLiveDocument(context, caller, 'documents.act-for', params.id)
    return revokeUrls(context, caller, document, body, now)
  })

  serve(app, cancelDocument, async ({ caller, params, body, now }) => {
    const document = await requiredLiveDocument(context, caller, 'documents.change', params.id)
    await end.cancelDocument(context, document, caller, body.reason, now)
  })

  serve(app, refuseDocument, async ({ caller, params, body, now }) => {
    const document = await requiredLiveDocument(context, caller, 'documents.change', params.id)
    await end.refuseDocument(context, document, caller, body.reason, now)
  })

  serve(app, listDocuments, ({ caller, query }) => list.listDocuments(context, caller, query))

  serve(app, editFlow, async ({ caller, params, body, now }) => {
    const document = await requiredLiveDocument(context, caller, 'documents.change', params.id)
    return edit.editFlow(context, caller, document, body, now)
  })

  serve(app, addVersion, async ({ caller, params, body, now, signal }) => {
    const document = await requiredLiveDocument(context, caller, 'documents.change', params.id)
    const { file, ...wishes } = body
    await versions.addVersion({ ...context, signal }, caller, document, { files: [file], ...wishes }, now)
  })

  serve(app, addEnvelopeVersion, async ({ caller, params, body, now, signal }) => {
    const document = await requiredLiveDocument(context, caller, 'documents.change', params.id)
    await versions.addVersion({ ...context, signal }, caller, document, body, now)
  })

  serve(app, moveDocument, async ({ caller, params, body, now }) => {
    const document = await requiredLiveDocument(context, caller, 'documents.change', params.id)
    await move.moveDocuments(context, caller, [document], body, now)
  })

  serve(app, moveDocuments, ({ caller, body, now }) => move.moveEach(context, caller, body.documents, body, now))

  serve(app, setNotifiedEmails, async ({ caller, params, body, now }) => {
    const document = await requiredLiveDocument(context, caller, 'documents.change', params.id)
    await setNotified(context, document, body.emails, now)
  })

  serve(app, countDocuments, ({ caller, body }) => countCreated(context, caller, body))

  serve(app, readTimeline, async ({ caller, params }) =>
    timelineOf(context, await requiredDocument(context, caller, 'documents.read', params.id)),
  )
}
