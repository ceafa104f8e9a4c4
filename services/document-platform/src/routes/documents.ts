import { serve } from '@chancela/service-kernel/http'
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
  setNotifiedEmails,
} from '../contract/documents.ts'
import { actionUrl } from '../domain/action-url.ts'
import { countCreated } from '../domain/count-documents.ts'
import * as create from '../domain/create-documents.ts'
import { documentView } from '../domain/document-view.ts'
import * as edit from '../domain/edit-flow.ts'
import * as end from '../domain/end-documents.ts'
import * as list from '../domain/list-documents.ts'
import * as move from '../domain/move-documents.ts'
import { setNotified } from '../domain/notified-emails.ts'
import { requiredDocument, requiredLiveDocument } from '../domain/required-document.ts'
import type { Tickets } from '../domain/tickets.ts'
import { timelineOf } from '../domain/timeline-view.ts'
import * as versions from '../domain/versions.ts'
import type { Ground } from '../wiring.ts'
import type { PlatformApp } from './platform-app.ts'

/** Puts the life of documents on the surface: made, shown, ended. */
export function serveDocuments(app: PlatformApp, ground: Ground, tickets: Tickets): void {
  serve(app, createDocuments, ({ caller, body, now }) => create.createDocuments(ground, caller, body, now))

  serve(app, readDocument, async ({ caller, params }) =>
    documentView(ground, await requiredDocument(ground, caller, params.id)),
  )

  serve(app, deleteDocument, async ({ caller, params, now }) => {
    const document = await requiredLiveDocument(ground, caller, params.id)
    await ground.store.transaction((tx) =>
      end.deleteDocuments(ground, tx, [document], caller, 'DeletedByUserOrApplication', now),
    )
  })

  serve(app, createActionUrl, async ({ caller, params, body }) =>
    actionUrl(ground, tickets, await requiredLiveDocument(ground, caller, params.id), body),
  )

  serve(app, cancelDocument, async ({ caller, params, body, now }) => {
    const document = await requiredLiveDocument(ground, caller, params.id)
    await end.cancelDocument(ground, document, caller, body.reason, now)
  })

  serve(app, refuseDocument, async ({ caller, params, body, now }) => {
    const document = await requiredLiveDocument(ground, caller, params.id)
    await end.refuseDocument(ground, document, caller, body.reason, now)
  })

  serve(app, listDocuments, ({ caller, query }) => list.listDocuments(ground, caller, query))

  serve(app, editFlow, async ({ caller, params, body, now }) => {
    const document = await requiredLiveDocument(ground, caller, params.id)
    return edit.editFlow(ground, caller, document, body, now)
  })

  serve(app, addVersion, async ({ caller, params, body, now }) => {
    const document = await requiredLiveDocument(ground, caller, params.id)
    await versions.addVersion(ground, caller, document, { files: [body.file] }, now)
  })

  serve(app, addEnvelopeVersion, async ({ caller, params, body, now }) => {
    const document = await requiredLiveDocument(ground, caller, params.id)
    await versions.addVersion(ground, caller, document, body, now)
  })

  serve(app, moveDocument, async ({ caller, params, body, now }) => {
    const document = await requiredLiveDocument(ground, caller, params.id)
    await move.moveDocuments(ground, caller, [document], body, now)
  })

  serve(app, moveDocuments, ({ caller, body, now }) => move.moveEach(ground, caller, body.documents, body, now))

  serve(app, setNotifiedEmails, async ({ caller, params, body, now }) => {
    const document = await requiredLiveDocument(ground, caller, params.id)
    await setNotified(ground, document, body.emails, now)
  })

  serve(app, countDocuments, ({ caller, body }) => countCreated(ground, caller, body))

  serve(app, readTimeline, async ({ caller, params }) =>
    timelineOf(ground, await requiredDocument(ground, caller, params.id)),
  )
}
