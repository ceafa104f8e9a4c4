// A document that comes to be with its signature: begun here, signed where the key is, written when it is completed.
// Whoever signs what they send needs two calls instead of four, and nobody ever sees a document that waits for them.
import { invalidField } from '@chancela/service-kernel/errors'
import { mediaTypeOrAny } from '@chancela/service-kernel/http'
import { isUniqueViolation, newRowId } from '@chancela/service-kernel/store'
import { decodeBase64 } from '@chancela/service-kernel/text'
import type { Static } from 'typebox'
import { recordWithDocument } from '../../actions/documents/act.ts'
import {
  actionRows,
  documentRow,
  type PlannedDocuments,
  planDocuments,
  writePlanned,
} from '../../actions/documents/create-documents.ts'
import { fileFacts, inspected } from '../../actions/documents/file-content.ts'
import type { StampedFile } from '../../actions/documents/stamp-files.ts'
import { type Acting, requireOpen } from '../../actions/participants/participant-access.ts'
import type { Context } from '../../context.ts'
import {
  type completeNewDocument as complete,
  LARGEST_NEW_FILE,
  type NewDocument,
  type startNewDocument as start,
} from '../../contract/signatures.ts'
import type { Caller } from '../../rules/caller.ts'
import type { ActionOptions, PlannedPerson } from '../../rules/flow-plan.ts'
import { readCertificate, requireOwnCertificate } from '../../rules/participant-certificate.ts'
import { refuse } from '../../rules/refuse.ts'
import { documentById } from '../../store/document-reads.ts'
import type { ContactRow } from '../../store/tables.ts'
import type { Signing } from './open-signing.ts'
import {
  actOf,
  begunSignature,
  type CompleteRequest,
  judged,
  NOT_BEGUN,
  requireCertificatesAllowed,
  requireHashSigning,
  signedFile,
} from './sign-with-certificate.ts'
import { newDocumentTokens } from './signature-token.ts'

type StartRequest = Static<typeof start.body>
type StartAnswer = Static<typeof start.answer>
type CompleteAnswer = Static<typeof complete.answer>

/** Gives the hash to sign. Everything the document will be is judged here; of it, only the bytes are kept. */
export async function startNewDocument(
  signing: Signing,
  caller: Caller,
  { file, document, certificate: encoded, ...wishes }: StartRequest,
  now: Date,
  signal: AbortSignal,
): Promise<StartAnswer> {
  const context = { ...signing.context, signal }
  requireOneSigner(document)
  const content = bytesOf(context, file.content)
  const certificate = readCertificate(encoded)
  requireHashSigning(certificate)
  const { results, verdict } = await judged(signing, certificate, now)
  if (!results.isValid) return { ...NOT_BEGUN, documentId: null, validationResults: results }
  const stored = {
    ...fileFacts(await context.blobs.put(content)),
    content_type: mediaTypeOrAny(file.contentType ?? ''),
  }
  const prepared = await inspected(context, file, stored, { ...document, isEnvelope: false })
  const planned = await planDocuments(context, caller, requestOf(document), now, { prepared: [prepared] })
  const stamped: StampedFile = { ...planned.files[0]!, documentId: newRowId(now) }
  const acting = actingIn(planned, stamped, now)
  requireOpen(acting, 'sign')
  requireCertificatesAllowed(acting)
  requireOwnCertificate(acting, certificate)
  const bytes = stamped.digest === stored.digest ? content : await context.blobs.read(stamped.digest)
  const begun = await begunSignature(signing, acting, bytes, { certificate, verdict: verdict! }, wishes, now)
  const { pagesBefore: _, ...kept } = stamped
  const { organizationId, id: callerId } = caller
  const token = newDocumentTokens.seal(
    context,
    { ...begun.token, callerId, organizationId, document, file: kept },
    context.clock(),
  )
  return { success: true, documentId: stamped.documentId!, ...begun.answer, token, validationResults: results }
}

/** Writes the document and its signature, both or neither. A token is completed once. */
export async function completeNewDocument(
  signing: Signing,
  caller: Caller,
  sealed: string,
  { signature, ...how }: CompleteRequest,
  now: Date,
): Promise<CompleteAnswer> {
  const { context } = signing
  const token = newDocumentTokens.open(context, sealed, now)
  if (token.callerId !== caller.id || token.organizationId !== caller.organizationId)
    throw refuse('SignatureTokenInvalidOrExpired')
  const { results, signed } = await signedFile(signing, token, signature, now)
  if (!signed) return { success: false, documentId: null, validationResults: results }
  const file: StampedFile = { ...token.file, pagesBefore: new Map() }
  const planned = await planDocuments(context, caller, requestOf(token.document), now, { stamped: [file] })
  const documentId = file.documentId!
  await onlyOnce(context, documentId, () =>
    recordWithDocument(
      context,
      async (tx) => {
        if (await documentById(tx, documentId)) throw completed()
        const [found] = await writePlanned(context, tx, { ...planned, isSigned: true }, now)
        const { document, steps } = found!
        const participantId = steps[0]!.participants[0]!.id
        const act = { documentId, participantId, ...actOf(token, signed, how, document.revision, now) }
        return { act, found: { document, steps } }
      },
      now,
    ),
  )
  signing.begun.forget(token.plan.uuid)
  return { success: true, documentId, validationResults: results }
}

/** With anybody else in it, a flow begins before somebody signs. */
function requireOneSigner({ flowActions }: Static<typeof NewDocument>): void {
  const [action] = flowActions
  if (flowActions.length === 1 && action!.type === 'Signer') return
  throw refuse('InvalidFlowAction', { field: 'flowActions', reason: 'must be one signer' })
}

/** What is no base64 would be decoded to something else than was meant. */
function bytesOf({ settings }: Pick<Context, 'settings'>, content: string): Buffer {
  const bytes = decodeBase64(content)
  if (!bytes || bytes.length === 0) throw invalidField('file.content', 'is not base64')
  const limit = Math.min(LARGEST_NEW_FILE, settings.Documents.MaxUploadSizeInBytes)
  if (bytes.length > limit) throw refuse('UploadTooLarge', { limit })
  return bytes
}

const requestOf = (document: Static<typeof NewDocument>) => ({ ...document, files: [], isEnvelope: false })

/** The signer of a document that is not written yet. */
function actingIn(planned: PlannedDocuments, file: StampedFile, now: Date): Acting {
  const document = documentRow({ ...planned, folderId: null, now }, file, planned.actions)
  const action = planned.actions[0]!
  const people = new Map(action.participants.map((person) => [person, strangerOf(planned.caller, person, now)]))
  const step = actionRows(document, [], action, 0, true, people, now)
  const options = JSON.parse(step.action.options) as ActionOptions
  const participant = step.participants[0]!
  return { document, steps: [step], step, participant, options, needsEmail: false, until: null, by: null }
}

/** Whom the organization may know already: that is looked up when the document is written. */
const strangerOf = (
  { organizationId }: Caller,
  { name, identifier, email, phone }: PlannedPerson,
  now: Date,
): ContactRow => ({
  organization_id: organizationId,
  id: '',
  name,
  identifier,
  email,
  phone,
  created_at: now.toISOString(),
  updated_at: now.toISOString(),
})

const completed = () => refuse('SignatureTokenInvalidOrExpired', { reason: 'It is completed.' })

/** Two processes may write the same document at once: one of them does. */
async function onlyOnce(context: Context, documentId: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (isUniqueViolation(error) && (await documentById(context.store.db, documentId))) throw completed()
    throw error
  }
}
