// Every field and value that a public client can send is known here or refused by name: the table in test-support against
// the contract. `prove-published.test.ts` holds it against the list it was made from.
import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import * as documents from '../src/contract/documents.ts'
import * as flows from '../src/contract/flows.ts'
import * as folders from '../src/contract/folders.ts'
import * as organizations from '../src/contract/organizations.ts'
import * as signatures from '../src/contract/signatures.ts'
import * as uploads from '../src/contract/uploads.ts'
import { fieldsOf, refusedFields, requestEnumerations, requestModels } from './test-support/client-models.ts'

/** The routes that take a model. */
const bodies: readonly (readonly [string, TSchema])[] = [
  ['DocumentsCreateDocumentRequest', documents.createDocuments.body],
  ['DocumentsCreateDocumentRequest', flows.createDocumentMarksSession.body],
  ['DocumentsDocumentAddVersionRequest', documents.addVersion.body],
  ['DocumentsEnvelopeAddVersionRequest', documents.addEnvelopeVersion.body],
  ['DocumentsDocumentFlowEditRequest', documents.editFlow.body],
  ['DocumentsActionUrlRequest', documents.createActionUrl.body],
  ['DocumentsCancelDocumentRequest', documents.cancelDocument.body],
  ['RefusalRefusalRequest', documents.refuseDocument.body],
  ['DocumentsMoveDocumentRequest', documents.moveDocument.body],
  ['DocumentsMoveDocumentBatchRequest', documents.moveDocuments.body],
  ['DocumentsDocumentNotifiedEmailsEditRequest', documents.setNotifiedEmails.body],
  ['DocumentFlowsDocumentFlowCreateRequest', flows.createFlow.body],
  ['DocumentFlowsDocumentFlowData', flows.updateFlow.body],
  ['DocumentMarkMarksSessionCreateRequest', flows.createMarksSession.body],
  ['FoldersFolderCreateRequest', folders.createFolder.body],
  ['FoldersFolderDeleteRequest', folders.deleteFolder.body],
  ['InvoicesUpdateInvoicePaymentStatusRequest', organizations.payInvoice.body],
  ['NotificationsCreateFlowActionReminderRequest', flows.remindAction.body],
  ['NotificationsEmailListNotificationRequest', flows.notifyPending.body],
  ['OrganizationsOrganizationUserPostRequest', organizations.addOwnUser.body],
  ['SignatureSignaturesInfoRequest', signatures.validateSignatures.body],
  ['UploadsUploadBytesRequest', uploads.uploadBytes.body],
]

/** Enumerations of queries, and the type of a document, which the models leave out. */
const elsewhere: Readonly<Record<string, TSchema>> = {
  DocumentDownloadTypes: documents.readContent.query.properties.type,
  DocumentTicketType: documents.createContentTicket.query.properties.type,
  DocumentFilterStatus: documents.listDocuments.query.properties.status,
  DocumentQueryTypes: documents.listDocuments.query.properties.queryType,
  DocumentTypes: documents.createDocuments.body.properties.type,
  FolderType: documents.listDocuments.query.properties.folderType,
  PaginationOrders: documents.listDocuments.query.properties.order,
  ParticipantQueryTypes: documents.listDocuments.query.properties.participantQueryType,
}

interface Keywords {
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly enum?: readonly unknown[]
}

const branches = (schema: TSchema): readonly Keywords[] => (schema as Keywords).anyOf ?? [schema as Keywords]

const propertyOf = (schema: TSchema, name: string): TSchema | undefined =>
  branches(schema).flatMap(({ properties }) => properties?.[name] ?? [])[0]

const itemOf = (schema: TSchema): TSchema | undefined => branches(schema).flatMap(({ items }) => items ?? [])[0]

const valuesOf = (text: string): readonly string[] => text.split(', ')

/** Fields and values of a model that a schema does not take, as `Model.field`. */
function missing(model: string, schema: TSchema): readonly string[] {
  return fieldsOf(requestModels[model]!).flatMap(({ name, type, isList }) => {
    const at = `${model}.${name}`
    const property = propertyOf(schema, name)
    const value = property && isList ? itemOf(property) : property
    if (!value) return [at]
    if (Object.hasOwn(requestModels, type)) return missing(type, value)
    if (!Object.hasOwn(requestEnumerations, type)) return []
    return valuesOf(requestEnumerations[type]!)
      .filter((each) => !Check(value, each))
      .map((each) => `${at}=${each}`)
  })
}

describe('what public clients can send', () => {
  test.each(bodies)('every field of %s is known, and every value of its enumerations accepted', (model, body) => {
    expect(missing(model, body)).toEqual([])
  })

  test('every value of a query is accepted', () => {
    for (const [name, schema] of Object.entries(elsewhere))
      expect([name, valuesOf(requestEnumerations[name]!).filter((value) => !Check(schema, value))]).toEqual([name, []])
  })

  test('a folder is deleted by the values of clients and by no other', () => {
    const { deleteAction } = folders.deleteFolder.body.properties
    expect(branches(deleteAction).flatMap((branch) => branch.enum ?? [])).toEqual(
      valuesOf(requestEnumerations.DeleteAction!),
    )
  })

  test('what is refused by name is a field of the table', () => {
    for (const field of Object.keys(refusedFields)) {
      const [model, name] = field.split('.') as [string, string]
      expect(fieldsOf(requestModels[model]!).map((each) => each.name)).toContain(name)
    }
  })
})
