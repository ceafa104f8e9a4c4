// A document at the document platform is read again: whatever was told of it, its own state counts.
import { Refusal } from '@chancela/service-kernel/errors'
import type { Db } from '@chancela/service-kernel/store'
import { returnedProblem } from '../../parts/signing/judge-returned.ts'
import { PLATFORM_TAG } from '../../parts/signing/platform-request.ts'
import { platformWords } from '../../rules/platform-words.ts'
import { recordEvents } from '../../store/entity-events.ts'
import { tellPlatform } from '../../store/items.ts'
import { findConnection } from '../../store/platform-connections.ts'
import { moveSending, noteLook } from '../../store/platform-documents.ts'
import type { PlatformDocumentRow } from '../../store/platform-tables.ts'
import type { XmlDocumentRow } from '../../store/signing-tables.ts'
import type { Tables } from '../../store/tables.ts'
import { type DocumentPlatform, type PlatformDocument, PlatformProblem } from '../../upstream/document-platform.ts'
import { eventOf, failSigning, ownerKindOf } from './platform-outcomes.ts'
import { oldestOf, type PlatformParts, withdrawn } from './send-to-platform.ts'

type Complete = (tx: Db<Tables>) => Promise<void>

interface Look {
  readonly platform: DocumentPlatform
  readonly sending: PlatformDocumentRow
  readonly document: XmlDocumentRow
  readonly complete: Complete
}

export async function lookAtPlatform(parts: PlatformParts, given: Omit<Look, 'platform'>, now: Date): Promise<void> {
  const { context } = parts
  const { sending, document } = given
  const connection = await findConnection(context.store.db, document.subscription_id)
  if (!connection) return failSigning(context, sending, document, platformWords('none-any-more'), now)
  const look = { ...given, platform: parts.platforms.of(connection) }
  if (sending.tries > 1) await oldestOf(look.platform, sending, sending.signer_document_id!)
  const found = await readThere(look)
  const end = found && endOf(found)
  if (!found || found.isDeleted) return failSigning(context, sending, document, platformWords('deleted'), now)
  if (end !== undefined) return failSigning(context, sending, document, sentence(end, found), now)
  if (found.status === 'Concluded') return take(parts, look, now)
  await noteLook(context.store.db, sending.id, now, null)
}

/** How a document ends there without its signatures. */
const ends = ['Refused', 'Canceled', 'Expired'] as const

type End = (typeof ends)[number]

const endOf = ({ status }: PlatformDocument): End | undefined => ends.find((end) => end === status)

function sentence(end: End, { statusUpdateReason, flowActions = [] }: PlatformDocument): string {
  const said = statusUpdateReason ?? flowActions.find(({ refusalReason }) => refusalReason)?.refusalReason
  return said ? platformWords(`${end}-because`, { said }).slice(0, 2000) : platformWords(end)
}

async function readThere({ platform, sending }: Look): Promise<PlatformDocument | undefined> {
  try {
    return await platform.read(sending.signer_document_id!)
  } catch (error) {
    if (error instanceof PlatformProblem && error.isFinal) return undefined
    throw error
  }
}

/** Nothing is kept before it is judged. */
async function take(parts: PlatformParts, look: Look, now: Date): Promise<void> {
  const { context, desk } = parts
  const { platform, sending, document, complete } = look
  const after = await platform.content(sending.signer_document_id!)
  const before = await desk.bytesOf(document)
  const problem = await returnedProblem(parts, { document, before, after }, now)
  if (problem !== undefined)
    return failSigning(context, sending, document, `What came back is refused. ${problem}`, now)
  const signed = { before, after, step: lastSigned(parts, document, after), signer: null }
  await desk.advance(document, signed, now, (tx) => keepTaken(tx, sending, document, complete, now)).catch(unlessLate)
}

/** Another worker took it meanwhile. */
function unlessLate(error: unknown): void {
  if (!(error instanceof Refusal && error.code === 'changed-meanwhile')) throw error
}

const lastSigned = ({ desk }: PlatformParts, document: XmlDocumentRow, bytes: Uint8Array): string | null =>
  desk.progressOf(document, bytes).steps.findLast(({ signatures }) => signatures.length > 0)?.step.name ?? null

async function keepTaken(
  tx: Db<Tables>,
  sending: PlatformDocumentRow,
  document: XmlDocumentRow,
  complete: Complete,
  now: Date,
): Promise<void> {
  const taken = await moveSending(tx, sending.id, 'take', { error: null }, now)
  if (!taken) throw new Error(`The sending ${sending.id} is in no state to be taken.`)
  await tellPlatform(tx, ownerKindOf(document), document.owner_id, { signing_error: null })
  await recordEvents(tx, [eventOf('DocumentSignedAtPlatform', taken, document)], now)
  await complete(tx)
}

/** Nobody needs it there any more. */
export async function withdrawThere(parts: PlatformParts, sending: PlatformDocumentRow): Promise<void> {
  const connection = await findConnection(parts.context.store.db, sending.subscription_id)
  if (!connection) return
  const platform = parts.platforms.of(connection)
  const { signer_document_id: known, tries } = sending
  const ids = known === null ? (tries > 0 ? await platform.tagged(PLATFORM_TAG, sending.id) : []) : [known]
  for (const id of ids) await withdrawn(platform, id)
}
