import { serve } from '@chancela/service-kernel/http'
import * as keys from '../actions/documents/document-keys.ts'
import * as documents from '../actions/documents/documents.ts'
import type { Parts } from '../compose.ts'
import * as contract from '../contract/documents.ts'
import type { CoreApp } from './core-app.ts'
import { linkBase } from './link-base.ts'

/** Signed documents and their keys. */
export function serveDocuments(app: CoreApp, parts: Parts): void {
  serve(app, contract.readDocument, ({ caller, params, request }) =>
    documents.readOne(parts, caller, params.id, linkBase(request)),
  )
  serve(app, contract.findDocumentByKey, ({ caller, params, request }) =>
    documents.readByKey(parts, caller, params.key, linkBase(request)),
  )
  serve(app, contract.setDocumentMetadata, ({ caller, params, body, request }) =>
    documents.setMetadata(parts, caller, params.id, body, linkBase(request)),
  )
  serve(app, contract.deleteDocument, ({ caller, params }) => documents.remove(parts, caller, params.id))

  serve(app, contract.allocateDocumentKey, async ({ caller, body, now }) => {
    const [key] = await keys.allocate(parts, caller, { ...body, count: 1 }, now)
    return key!
  })
  serve(app, contract.allocateDocumentKeys, ({ caller, body, now }) => keys.allocate(parts, caller, body, now))
  serve(app, contract.readDocumentKey, ({ caller, params, request }) =>
    keys.readKey(parts, caller, params.key, linkBase(request)),
  )
  serve(app, contract.listUnusedDocumentKeys, ({ caller, query }) => keys.listUnused(parts, caller, query))
}
