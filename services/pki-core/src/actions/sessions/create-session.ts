// The beginning of a signature session (pki-core facts 4.1).
import { randomBytes, randomUUID } from 'node:crypto'
import { HOUR, plus } from '@chancela/service-kernel/clock'
import { invalidField } from '@chancela/service-kernel/errors'
import { isUniqueViolation } from '@chancela/service-kernel/store'
import type { CreateSessionRequest, SessionDocumentRequest } from '../../contract/signature-sessions.ts'
import type { Taker } from '../../parts/files/files.ts'
import { readRequirements } from '../../rules/certificate-requirements.ts'
import type { Culture } from '../../rules/cultures.ts'
import { homeAddress } from '../../rules/home-address.ts'
import { readMetadata } from '../../rules/metadata.ts'
import { readReturnUrl } from '../../rules/return-url.ts'
import type { Caller } from '../../rules/rights.ts'
import { signatureTypeOf } from '../../rules/signature-type.ts'
import { idOf } from '../../store/authentications.ts'
import { isDocument } from '../../store/documents.ts'
import { callbackContext } from '../../store/sealed-sessions.ts'
import type { SessionDocumentRow, SessionRow } from '../../store/session-tables.ts'
import { insertSession } from '../../store/sessions.ts'
import { freeKey, requiredContext, type SigningDependencies } from '../signatures/prepare-signature.ts'
import { optionsFor, type SessionOptions, sessionDocument, takeExtra } from './session-document.ts'

/** Path of the page; the token is its parameter, because clients refuse a fragment (pki-core facts 4.1). */
export const SESSION_PAGE = '/signature-session/sign'

const TOKEN_BYTES = 32

interface Asking {
  readonly culture: Culture
  readonly base: string
  readonly now: Date
}

export async function createSession(
  dependencies: SigningDependencies,
  caller: Caller,
  request: CreateSessionRequest,
  { culture, base, now }: Asking,
): Promise<{ sessionId: string; redirectUrl: string }> {
  const { settings, store } = dependencies.context
  const id = randomUUID()
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const taker = { subscriptionId: caller.subscriptionId, base, now }
  const row = await sessionRow(dependencies, caller, request, { id, token, taker })
  const documents = await documentRows(dependencies, caller, request, { id, taker, culture })
  try {
    await store.transaction((tx) => insertSession(tx, row, documents))
  } catch (error) {
    if (isUniqueViolation(error)) throw invalidField('documents.id', 'is the id of another document')
    throw error
  }
  return { sessionId: id, redirectUrl: `${homeAddress(settings.Http, base)}${SESSION_PAGE}?token=${token}` }
}

interface New {
  readonly id: string
  readonly taker: Taker
}

async function sessionRow(
  dependencies: SigningDependencies,
  caller: Caller,
  request: CreateSessionRequest,
  { id, token, taker }: New & { readonly token: string },
): Promise<SessionRow> {
  const { secrets, settings } = dependencies.context
  const { now } = taker
  const context = await requiredContext(dependencies, caller, request.securityContextId)
  const options = sessionOptions(request)
  const extra = await takeExtra(dependencies.files, options, '', taker)
  const { callbackArgument, returnUrl } = request
  return {
    id,
    subscription_id: caller.subscriptionId,
    application_id: caller.applicationId,
    application: caller.application,
    token_id: idOf(token),
    status: 'Pending',
    context_id: context.id,
    return_url: returnUrl ? readReturnUrl(returnUrl) : null,
    sealed_callback: callbackArgument ? secrets.seal(callbackArgument, callbackContext(id)) : null,
    is_background: request.enableBackgroundProcessing ? 1 : 0,
    gives_out: request.disableDownloads ? 0 : 1,
    takes_uploads: request.documents?.length ? 0 : 1,
    metadata: JSON.stringify(uploadMetadata(request)),
    requirements: JSON.stringify(readRequirements(request.certificateRequirements ?? [])),
    options: JSON.stringify(options),
    extra: extra ? JSON.stringify(extra) : null,
    extra_digest: extra?.digest ?? null,
    revision: randomUUID(),
    certificate: null,
    issuers: null,
    error_code: null,
    created_at: now.toISOString(),
    expires_at: plus(now, settings.Sessions.ValidHours * HOUR).toISOString(),
    ended_at: null,
  }
}

/** The data of a signature belong to one document, and not to all of a session. */
function sessionOptions({ pdfSignatureOptions, cmsSignatureOptions }: CreateSessionRequest): SessionOptions {
  if (cmsSignatureOptions?.dataFile || cmsSignatureOptions?.dataHashes?.length)
    throw invalidField('cmsSignatureOptions', 'names data, which belong to a document')
  return { pdfSignatureOptions: pdfSignatureOptions ?? null, cmsSignatureOptions: cmsSignatureOptions ?? null }
}

function uploadMetadata({ documents, documentMetadata }: CreateSessionRequest) {
  if (!documentMetadata) return {}
  if (documents?.length && Object.keys(documentMetadata).length > 0)
    throw invalidField('documentMetadata', 'is for documents that the person uploads')
  return readMetadata(documentMetadata, 'documentMetadata')
}

async function documentRows(
  dependencies: SigningDependencies,
  caller: Caller,
  { documents, ...session }: CreateSessionRequest,
  asking: New & { readonly culture: Culture },
): Promise<readonly SessionDocumentRow[]> {
  const rows: SessionDocumentRow[] = []
  for (const [position, document] of (documents ?? []).entries())
    rows.push(await documentRow(dependencies, caller, { document, session, position }, asking))
  const keys = rows.flatMap(({ document_key }) => document_key ?? [])
  if (new Set(keys).size < keys.length) throw invalidField('documents.documentKey', 'is the key of two documents')
  return rows
}

interface Given {
  readonly document: SessionDocumentRequest
  readonly session: SessionOptions
  readonly position: number
}

async function documentRow(
  dependencies: SigningDependencies,
  caller: Caller,
  { document, session, position }: Given,
  { id, taker, culture }: New & { readonly culture: Culture },
): Promise<SessionDocumentRow> {
  const { files } = dependencies
  const field = `documents.${position}.`
  const file = await files.take(document.file, `${field}file`, taker)
  const type = document.signatureType ?? signatureTypeOf(file)
  const { pdfSignatureOptions = null, cmsSignatureOptions = null } = document
  const options = optionsFor(type, { pdfSignatureOptions, cmsSignatureOptions }, session)
  const arriving = {
    id: await freeId(dependencies, document.id, `${field}id`),
    sessionId: id,
    position,
    isUploaded: false,
    type,
    options,
    extra: await takeExtra(files, options, field, taker),
    file,
    url: document.file.url ?? document.file.location ?? undefined,
    metadata: document.metadata ? readMetadata(document.metadata, `${field}metadata`) : {},
    documentKey: await freeKey(dependencies, caller, document.documentKey),
  }
  return sessionDocument(files, arriving, { taker, culture })
}

async function freeId(
  { context }: SigningDependencies,
  id: string | null | undefined,
  field: string,
): Promise<string | undefined> {
  if (!id) return undefined
  // One of another subscription, too: ids are unique in the instance, and who signs must not learn it at the end.
  if (await isDocument(context.store.db, id.toLowerCase())) throw invalidField(field, 'is the id of another document')
  return id.toLowerCase()
}
