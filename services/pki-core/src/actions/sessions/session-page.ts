// What the person does on the page before signing: read, bring documents, or give up.
import { randomUUID } from 'node:crypto'
import type { BlobSource } from '@chancela/service-kernel/blobs'
import { notify } from '@chancela/service-kernel/store'
import { MOST_SESSION_DOCUMENTS } from '../../contract/signature-sessions.ts'
import type { FileValidation } from '../../parts/files/file-validation.ts'
import type { KeptFile } from '../../parts/files/files.ts'
import type { Culture } from '../../rules/cultures.ts'
import { fileName, mediaType, typeByName } from '../../rules/file-names.ts'
import { refuse } from '../../rules/refuse.ts'
import { statusAt } from '../../rules/session-states.ts'
import { signatureTypeOf } from '../../rules/signature-type.ts'
import { fileOf, findDocument } from '../../store/documents.ts'
import type { SessionDocumentRow, SessionRow } from '../../store/session-tables.ts'
import {
  insertSessionDocument,
  moveSession,
  removeUploaded,
  reviseSession,
  sessionById,
  sessionChannel,
  sessionDocuments,
} from '../../store/sessions.ts'
import type { DocumentDependencies } from '../documents/document-view.ts'
import { fileIn, optionsFor, sessionDocument } from './session-document.ts'
import { pageView } from './session-view.ts'

/** The session as it is now, for its page. */
export async function shownSession(dependencies: DocumentDependencies, { id }: Pick<SessionRow, 'id'>, now: Date) {
  const row = await sessionById(dependencies.context.store.db, id)
  if (!row) throw refuse('BadSignatureSessionToken')
  return pageView(dependencies, row, now)
}

/** Nothing of a session changes once somebody has signed, or its time is over. */
export function requirePending(row: SessionRow, now: Date): void {
  const status = statusAt(row, now)
  if (status === 'Processing') throw refuse('BackgroundProcessing', { id: row.id })
  if (status !== 'Pending') throw refuse('BadSignatureSessionOperation', { status })
}

export interface Brought {
  readonly bytes: BlobSource
  readonly name: string
  readonly contentType: string | undefined
}

export async function bringDocument(
  dependencies: DocumentDependencies & { readonly fileValidation: FileValidation },
  session: SessionRow,
  { bytes, name, contentType }: Brought,
  { culture, base, now }: { readonly culture: Culture; readonly base: string; readonly now: Date },
) {
  requirePending(session, now)
  if (session.takes_uploads !== 1)
    throw refuse('BadSignatureSessionOperation', { reason: 'The session takes no documents.' })
  const { files, fileValidation } = dependencies
  const given = fileName(name) || 'file'
  const rule = await fileValidation.ruleFor(session.subscription_id, given)
  const { digest, size } = await files.put(bytes)
  if (size === 0) throw refuse('UploadEmpty')
  const file = { digest, size, name: given, contentType: mediaType(contentType) ?? typeByName(given) }
  await fileValidation.require(rule, file)
  const taker = { subscriptionId: session.subscription_id, base, now }
  const arriving = { ...arrivingIn(session, file), position: 0 }
  const row = await sessionDocument(files, arriving, { taker, culture })
  await addDocument(dependencies, session, row)
  return shownSession(dependencies, session, now)
}

function arrivingIn(session: SessionRow, file: KeptFile) {
  const type = signatureTypeOf(file)
  const extra: KeptFile | undefined = session.extra ? JSON.parse(session.extra) : undefined
  return {
    id: undefined,
    sessionId: session.id,
    isUploaded: true,
    type,
    options: optionsFor(type, {}, JSON.parse(session.options)),
    extra: type === 'Pdf' ? extra : undefined,
    file,
    url: undefined,
    metadata: JSON.parse(session.metadata),
    documentKey: null,
  }
}

/** What was prepared is void: it was without this document. */
const VOID = { certificate: null, issuers: null } as const

async function addDocument(
  { context }: DocumentDependencies,
  session: SessionRow,
  row: SessionDocumentRow,
): Promise<void> {
  await context.store.transaction(async (tx) => {
    if (!(await reviseSession(tx, session.id, randomUUID(), VOID))) throw refuse('BadSignatureSessionOperation')
    const documents = await sessionDocuments(tx, session.id)
    if (documents.length >= MOST_SESSION_DOCUMENTS)
      throw refuse('BadSignatureSessionOperation', { reason: `It has ${documents.length} documents already.` })
    await insertSessionDocument(tx, { ...row, position: (documents.at(-1)?.position ?? -1) + 1 })
  })
}

export async function takeBack(dependencies: DocumentDependencies, session: SessionRow, id: string, now: Date) {
  requirePending(session, now)
  await dependencies.context.store.transaction(async (tx) => {
    if (!(await reviseSession(tx, session.id, randomUUID(), VOID))) throw refuse('BadSignatureSessionOperation')
    if (!(await removeUploaded(tx, session.id, id.toLowerCase()))) throw refuse('DocumentNotFound', { id })
  })
  return shownSession(dependencies, session, now)
}

export async function cancel(dependencies: DocumentDependencies, session: SessionRow, now: Date) {
  requirePending(session, now)
  await dependencies.context.store.transaction(async (tx) => {
    if (!(await moveSession(tx, session.id, 'cancel', { ended_at: now.toISOString() })))
      throw refuse('BadSignatureSessionOperation')
    await notify(tx, sessionChannel(session.id))
  })
  return shownSession(dependencies, session, now)
}

async function requiredDocument({ context }: DocumentDependencies, session: SessionRow, id: string) {
  const documents = await sessionDocuments(context.store.db, session.id)
  const row = documents.find((one) => one.id === id.toLowerCase())
  if (!row) throw refuse('DocumentNotFound', { id })
  return row
}

/** The bytes that are signed: those of the same digest that the signature is prepared and made with. */
export async function contentToSign(
  dependencies: DocumentDependencies,
  session: SessionRow,
  id: string,
): Promise<KeptFile> {
  const row = await requiredDocument(dependencies, session, id)
  if (row.file_digest !== null) return fileIn(row)
  const document = await findDocument(dependencies.context.store.db, session.subscription_id, row.id)
  if (!document) throw refuse('DocumentNotFound', { id })
  return fileOf(document, 'original')
}

export async function signedContent(
  dependencies: DocumentDependencies,
  session: SessionRow,
  id: string,
): Promise<KeptFile> {
  const row = await requiredDocument(dependencies, session, id)
  if (row.status === 'Processing') throw refuse('BackgroundProcessing', { id })
  if (session.gives_out !== 1 || row.status !== 'Completed')
    throw refuse('BadSignatureSessionOperation', { status: row.status })
  const document = await findDocument(dependencies.context.store.db, session.subscription_id, row.id)
  if (!document) throw refuse('DocumentNotFound', { id })
  return fileOf(document, 'signed')
}
