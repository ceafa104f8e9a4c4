import { Certificate } from '@chancela/signature-engine/x509'
import type { SessionPageView } from '../../contract/session-page.ts'
import type { SessionView } from '../../contract/signature-sessions.ts'
import { certificateModel } from '../../rules/certificate-model.ts'
import { maskedRequirement } from '../../rules/certificate-requirements.ts'
import { formattedKey } from '../../rules/document-key.ts'
import { returnTo } from '../../rules/return-url.ts'
import { statusAt } from '../../rules/session-states.ts'
import type { DocumentRow } from '../../store/document-tables.ts'
import { fileOf } from '../../store/documents.ts'
import { callbackContext } from '../../store/sealed-sessions.ts'
import type { SessionDocumentRow, SessionRow } from '../../store/session-tables.ts'
import { sessionDocuments } from '../../store/sessions.ts'
import { findSubscription } from '../../store/subscriptions.ts'
import type { DocumentDependencies } from '../documents/document-view.ts'
import { fileIn } from './session-document.ts'

interface Showing {
  readonly base: string
  readonly now: Date
}

/** A session as its application reads it. */
export async function sessionView(
  dependencies: DocumentDependencies,
  row: SessionRow,
  { base, now }: Showing,
): Promise<SessionView> {
  const { store, secrets } = dependencies.context
  const documents = await sessionDocuments(store.db, row.id)
  const signed = await signedDocuments(dependencies, documents)
  return {
    id: row.id,
    status: statusAt(row, now),
    processingErrorCode: row.error_code,
    callbackArgument: row.sealed_callback && secrets.openText(row.sealed_callback, callbackContext(row.id)),
    signerCertificate: row.status === 'Pending' ? null : signerIn(row),
    documents: documents.map((one) => documentSummary(dependencies, one, signed.get(one.id), base)),
  }
}

/** The documents that came of those of a session; some may have been deleted since. */
async function signedDocuments(
  { context }: DocumentDependencies,
  rows: readonly SessionDocumentRow[],
): Promise<ReadonlyMap<string, DocumentRow>> {
  const ids = rows.filter(({ status }) => status === 'Completed').map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const found = await context.store.db.selectFrom('document').selectAll().where('id', 'in', ids).execute()
  return new Map(found.map((row) => [row.id, row]))
}

const read = (der: string) => Certificate.read(Buffer.from(der, 'base64'))

function signerIn({ certificate, issuers }: SessionRow) {
  if (certificate === null) return null
  return certificateModel(read(certificate), (JSON.parse(issuers ?? '[]') as string[]).map(read))
}

function documentSummary(
  { files }: DocumentDependencies,
  row: SessionDocumentRow,
  document: DocumentRow | undefined,
  base: string,
): SessionView['documents'][number] {
  const key = document?.key ?? row.document_key
  const file = (kind: 'original' | 'signed') =>
    document ? files.view(fileOf(document, kind), { kind, id: document.id }, base) : null
  const waiting = row.file_digest === null ? null : files.view(fileIn(row), { kind: 'session', id: row.id }, base)
  return {
    id: row.id,
    key,
    formattedKey: key && formattedKey(key),
    originalFile: waiting ?? file('original'),
    markedFile: null,
    signedFile: file('signed'),
    signatureType: row.signature_type,
    availableUntil: document?.available_until ?? null,
    status: row.status,
    dateSigned: row.signed_at,
  }
}

/** The same for its page: who has the link sees what is needed to sign. */
export async function pageView(
  dependencies: DocumentDependencies,
  row: SessionRow,
  now: Date,
): Promise<SessionPageView> {
  const { settings, store } = dependencies.context
  const { db } = store
  const documents = await sessionDocuments(db, row.id)
  const signed = await signedDocuments(dependencies, documents)
  return {
    id: row.id,
    status: statusAt(row, now),
    processingErrorCode: row.error_code,
    application: row.application,
    organization: (await findSubscription(db, row.subscription_id))?.name ?? '',
    returnUrl: row.return_url && returnTo(row.return_url, row.id),
    acceptsUploads: row.takes_uploads === 1,
    isBackground: row.is_background === 1,
    allowCloudCertificate: settings.CloudHub.ApiKey !== '',
    allowToken: settings.SessionServer.ApiKey !== '',
    certificateRequirements: JSON.parse(row.requirements).map(maskedRequirement),
    expiresAt: row.expires_at,
    documents: documents.map((one) => ({
      id: one.id,
      name: one.file_name,
      mimeType: one.file_type,
      length: one.file_size,
      sha256: one.sha256,
      signatureType: one.signature_type,
      status: one.status,
      dateSigned: one.signed_at,
      isUploaded: one.is_uploaded === 1,
      isSignedAvailable: row.gives_out === 1 && signed.has(one.id),
    })),
  }
}
