// A document goes to the document platform, once: what a sending created there is found by its tag before another try.
import type { Context } from '../../context.ts'
import type { SigningDesk } from '../../parts/signing/desk.ts'
import { planOf } from '../../parts/signing/desk.ts'
import type { Signing } from '../../parts/signing/open-signing.ts'
import { PLATFORM_TAG, platformRequest, signersThere, unsignable } from '../../parts/signing/platform-request.ts'
import type { Platforms } from '../../parts/signing/platforms.ts'
import type { PlatformSigner } from '../../parts/signing/signer-plan.ts'
import { documentTitles } from '../../rules/document-titles.ts'
import { platformWords } from '../../rules/platform-words.ts'
import { recordEvents } from '../../store/entity-events.ts'
import { findCertificate } from '../../store/institute-certificates.ts'
import { findItem, tellPlatform } from '../../store/items.ts'
import { findConnection } from '../../store/platform-connections.ts'
import { findSending, moveSending, noteTry } from '../../store/platform-documents.ts'
import type { PlatformConnectionRow, PlatformDocumentRow } from '../../store/platform-tables.ts'
import type { XmlDocumentRow } from '../../store/signing-tables.ts'
import { type DocumentPlatform, PlatformProblem } from '../../upstream/document-platform.ts'
import { eventOf, failSigning, ownerKindOf } from './platform-outcomes.ts'

export interface PlatformParts {
  readonly context: Context
  readonly desk: SigningDesk
  readonly signing: Signing
  readonly platforms: Platforms
}

export async function sendToPlatform(
  parts: PlatformParts,
  sending: PlatformDocumentRow,
  document: XmlDocumentRow,
  now: Date,
): Promise<void> {
  const { context, desk } = parts
  const connection = await findConnection(context.store.db, document.subscription_id)
  if (connection?.enabled !== 1) return failSigning(context, sending, document, platformWords('none-connected'), now)
  const bytes = await desk.bytesOf(document)
  const { steps } = desk.progressOf(document, bytes)
  const isStored = await storesCertificate(context, document)
  const signers = signersThere(document.document_kind, planOf(document), steps, isStored)
  if (signers.length === 0) return goOnHere(parts, sending, document, now)
  const problem = unsignable(signers, steps)
  if (problem !== undefined) return failSigning(context, sending, document, problem, now)
  try {
    const signerId = await createdThere(parts, { connection, sending, document, bytes, signers })
    const isKept = await keepSent(parts, connection, sending, document, signerId, now)
    if (!isKept) await takeBackUnknown(parts, connection, sending, signerId)
  } catch (error) {
    if (!(error instanceof PlatformProblem && error.isFinal)) throw error
    await failSigning(context, sending, document, platformWords('not-taken', { why: error.message }), now)
  }
}

/** Withdrawn while it was created: nobody else knows its id. One that another worker found and kept stays. */
async function takeBackUnknown(
  { context, platforms }: PlatformParts,
  connection: PlatformConnectionRow,
  { id }: PlatformDocumentRow,
  signerId: string,
): Promise<void> {
  const now = await findSending(context.store.db, id)
  if (now?.signer_document_id !== signerId) await withdrawn(platforms.of(connection), signerId)
}

const storesCertificate = async ({ store }: Context, { institute_id }: XmlDocumentRow): Promise<boolean> =>
  (await findCertificate(store.db, institute_id)) !== undefined

/** Everybody who would sign there has signed. */
const goOnHere = (
  { context, desk }: PlatformParts,
  sending: PlatformDocumentRow,
  document: XmlDocumentRow,
  now: Date,
): Promise<void> =>
  context.store.transaction(async (tx) => {
    if (await moveSending(tx, sending.id, 'withdraw', {}, now)) await desk.queue(tx, [document.id], now)
  })

interface Creation {
  readonly connection: PlatformConnectionRow
  readonly sending: PlatformDocumentRow
  readonly document: XmlDocumentRow
  readonly bytes: Uint8Array
  readonly signers: readonly PlatformSigner[]
}

/** Id of the document there: of the one that an earlier try made, if it did. */
async function createdThere(parts: PlatformParts, creation: Creation): Promise<string> {
  const { connection, sending } = creation
  const platform = parts.platforms.of(connection)
  const isAgain = sending.tries > 0
  const [known] = isAgain ? await platform.tagged(PLATFORM_TAG, sending.id) : []
  if (known !== undefined) return known
  const made = await create(parts.context, platform, creation)
  return isAgain ? oldestOf(platform, sending, made) : made
}

async function create(
  context: Context,
  platform: DocumentPlatform,
  { connection, sending, document, bytes, signers }: Creation,
): Promise<string> {
  const uploadId = await platform.upload(bytes)
  const name = await nameOf(context, document)
  const { document_kind: kind } = document
  const given = { kind, plan: planOf(document), bytes, signers, uploadId, id: sending.id, name }
  await noteTry(context.store.db, sending.id)
  return platform.create(platformRequest({ ...given, folderId: connection.folder_id }))
}

/** An earlier request may have been on its way for long: the oldest stays, and the others are taken back. */
export async function oldestOf(platform: DocumentPlatform, { id }: PlatformDocumentRow, made: string): Promise<string> {
  const [oldest = made, ...others] = await platform.tagged(PLATFORM_TAG, id)
  for (const other of others) await withdrawn(platform, other)
  return oldest
}

/** One that has ended, or is not there, needs nothing. */
export async function withdrawn(platform: DocumentPlatform, signerId: string): Promise<void> {
  try {
    await platform.cancel(signerId, 'Substituído ou cancelado na plataforma de credenciais.')
  } catch (error) {
    if (!(error instanceof PlatformProblem && error.isFinal)) throw error
  }
}

/** What people see in their list there. */
async function nameOf({ store }: Context, document: XmlDocumentRow): Promise<string> {
  const item = (await findItem(store.db, ownerKindOf(document), document.owner_id)) as
    | Readonly<Record<string, unknown>>
    | undefined
  const whose = item?.student_name ?? item?.course ?? item?.ies_name ?? item?.ies_code
  return [documentTitles[document.document_kind], ...(typeof whose === 'string' ? [whose] : [])]
    .join(' - ')
    .slice(0, 200)
}

/** Asked for at once: what happened there before its id was known was told to nobody. */
const keepSent = (
  { context, desk }: PlatformParts,
  { url }: PlatformConnectionRow,
  sending: PlatformDocumentRow,
  document: XmlDocumentRow,
  signerId: string,
  now: Date,
): Promise<boolean> =>
  context.store.transaction(async (tx) => {
    const set = { signer_document_id: signerId, signer_document_url: `${url}/documents/${signerId}` }
    const sent = await moveSending(tx, sending.id, 'send', { ...set, error: null }, now)
    if (!sent) return false
    await tellPlatform(tx, ownerKindOf(document), document.owner_id, { ...set, signing_error: null })
    await recordEvents(tx, [eventOf('DocumentSentToPlatform', sent, document)], now)
    await desk.queuePlatform(tx, [sending.id], now)
    return true
  })
