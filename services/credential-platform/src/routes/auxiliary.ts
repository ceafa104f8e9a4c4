import { inline, serve } from '@chancela/service-kernel/http'
import { askInspection, onInspectionSigned } from '../actions/inspections/make-inspection.ts'
import { actorOf } from '../actions/items/item-changes.ts'
import { cancellationListView, inspectionFileView } from '../actions/items/item-views.ts'
import { makeList, onListSigned } from '../actions/lists/make-list.ts'
import { fileOf, listOf, oneOf } from '../actions/lists/read-auxiliary.ts'
import { requireRegistrar } from '../actions/registrations/take-in.ts'
import { requiredInstitute } from '../actions/tenants/institutes.ts'
import type { Parts } from '../compose.ts'
import * as contract from '../contract/auxiliary.ts'
import type { CredentialApp } from './credential-app.ts'
import { sendFile } from './send-file.ts'

/** Lists of annulled degrees, and inspection files. */
export function serveAuxiliary(app: CredentialApp, parts: Parts): void {
  serveLists(app, parts)
  serveInspections(app, parts)
}

function serveLists(app: CredentialApp, parts: Parts): void {
  const { context, desk } = parts
  desk.onClosed('CancellationList', onListSigned(context))
  serve(app, contract.createCancellationList, async ({ caller, params, now }) => {
    const institute = await requiredInstitute(context.store.db, caller, params.id)
    requireRegistrar(institute)
    return cancellationListView(await makeList(parts, institute, actorOf(caller), now))
  })
  serve(app, contract.listCancellationLists, async ({ caller, params, query }) =>
    (await listOf(context, caller, 'cancellation_list', params.id, query)).page(cancellationListView),
  )
  serve(app, contract.readCancellationList, async ({ caller, params }) =>
    cancellationListView(await oneOf(context, caller, 'cancellation_list', params.id, params.listId)),
  )
  serve(app, contract.readCancellationListFile, async ({ caller, params, request, reply }) => {
    const file = await fileOf(context, caller, 'cancellation_list', params.id, params.listId)
    return sendFile(context, { request, reply }, file, inline('annulled-degrees.xml'))
  })
}

function serveInspections(app: CredentialApp, { context, desk }: Parts): void {
  desk.onClosed('InspectionFile', onInspectionSigned(context))
  serve(app, contract.createInspectionFile, ({ caller, params, body, now }) =>
    askInspection(context, caller, params.id, body, now),
  )
  serve(app, contract.listInspectionFiles, async ({ caller, params, query }) =>
    (await listOf(context, caller, 'inspection_file', params.id, query)).page(inspectionFileView),
  )
  serve(app, contract.readInspectionFile, async ({ caller, params }) =>
    inspectionFileView(await oneOf(context, caller, 'inspection_file', params.id, params.fileId)),
  )
  serve(app, contract.readInspectionFileContent, async ({ caller, params, request, reply }) => {
    const file = await fileOf(context, caller, 'inspection_file', params.id, params.fileId)
    return sendFile(context, { request, reply }, file, inline('inspection.xml'))
  })
}
