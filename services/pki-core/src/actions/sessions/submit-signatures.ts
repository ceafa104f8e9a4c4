// The end of a session: signatures of all documents become documents, at once or in the background.
import { enqueueJob } from '@chancela/outbox/queue'
import { invalidField } from '@chancela/service-kernel/errors'
import { notify } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { SubmitRequest } from '../../contract/session-page.ts'
import { judgeSigner } from '../../parts/signing/judge-signer.ts'
import type { Culture } from '../../rules/cultures.ts'
import { refuse } from '../../rules/refuse.ts'
import { isSignedBy } from '../../rules/signed-by.ts'
import { onlyError } from '../../rules/validation-results.ts'
import type { SessionDocumentRow, SessionRow } from '../../store/session-tables.ts'
import { moveSession, moveSessionDocument, sessionChannel, sessionDocuments } from '../../store/sessions.ts'
import type { Tables } from '../../store/tables.ts'
import { type NewDocument, recordDocument } from '../documents/record-document.ts'
import { requiredContext, type SigningDependencies } from '../signatures/prepare-signature.ts'
import { requirePending, shownSession } from './session-page.ts'
import { holderOf, signedSessionDocument } from './signed-session-document.ts'

/** The queue of sessions whose signatures are there. */
export const SESSION_QUEUE = 'signature-sessions'

export interface SessionJob {
  readonly sessionId: string
}

interface Submitting {
  readonly culture: Culture
  readonly now: Date
}

interface Signed {
  readonly row: SessionDocumentRow
  readonly signature: string
}

/** Of two who submit, one ends the session; the other, and who comes later, is refused. */
export async function submitSignatures(
  dependencies: SigningDependencies,
  session: SessionRow,
  request: SubmitRequest,
  { culture, now }: Submitting,
) {
  requirePending(session, now)
  if (session.certificate === null || session.revision !== request.state)
    throw refuse('BadSignatureSessionOperation', { reason: 'This is not what was prepared last.' })
  const rows = await sessionDocuments(dependencies.context.store.db, session.id)
  const signed = requireSigned(rows, session, request, culture)
  if (session.is_background === 1) await hand(dependencies, session, signed, now)
  else await finish(dependencies, session, signed, { culture, now })
  return shownSession(dependencies, session, now)
}

/** One signature for each document, by the key of the certificate. */
function requireSigned(
  rows: readonly SessionDocumentRow[],
  { certificate }: SessionRow,
  { signatures }: SubmitRequest,
  culture: Culture,
): readonly Signed[] {
  const given = new Map(signatures.map(({ documentId, signature }) => [documentId.toLowerCase(), signature]))
  if (given.size !== signatures.length || given.size !== rows.length)
    throw invalidField('signatures', `must be ${rows.length}, one for each document`)
  return rows.map((row) => {
    const signature = given.get(row.id)
    if (signature === undefined) throw invalidField('signatures', `has none for the document ${row.id}`)
    if (!isSignedBy(certificate!, row.to_sign!, signature))
      throw refuse('ValidationError', {
        documentId: row.id,
        validationResults: onlyError('SignatureAlgorithmValidationFailed', culture),
      })
    return { row, signature }
  })
}

const lost = () => refuse('BadSignatureSessionOperation', { reason: 'The session has ended or changed meanwhile.' })

/** The signatures are durable with the job that makes documents of them. */
async function hand(
  { context }: SigningDependencies,
  session: SessionRow,
  signed: readonly Signed[],
  now: Date,
): Promise<void> {
  await context.store.transaction(async (tx) => {
    if (!(await moveSession(tx, session.id, 'process', {}, session.revision))) throw lost()
    for (const { row, signature } of signed) await moveSessionDocument(tx, row.id, 'process', { signature })
    const payload: SessionJob = { sessionId: session.id }
    await enqueueJob<Tables>(tx, SESSION_QUEUE, { payload, dedupeKey: session.id }, now)
  })
}

/** All documents or none: whoever is cut off sends the same signatures again. */
async function finish(
  dependencies: SigningDependencies,
  session: SessionRow,
  signed: readonly Signed[],
  { culture, now }: Submitting,
): Promise<void> {
  await requireValid(dependencies, session, { culture, now })
  const made: NewDocument[] = []
  for (const { row, signature } of signed)
    made.push(await signedSessionDocument(dependencies, session, { ...row, signature }, culture))
  await dependencies.context.store.transaction(async (tx) => {
    if (!(await moveSession(tx, session.id, 'complete', { ended_at: now.toISOString() }, session.revision)))
      throw lost()
    for (const document of made) await recordSigned(tx, session, document, now)
    await notify(tx, sessionChannel(session.id))
  })
}

async function requireValid(
  dependencies: SigningDependencies,
  session: SessionRow,
  { culture, now }: Submitting,
): Promise<void> {
  const owner = { subscriptionId: session.subscription_id }
  const context = await requiredContext(dependencies, owner, session.context_id)
  const { certificate } = holderOf(session)
  const { isValid, validationResults } = await judgeSigner(
    certificate,
    context,
    { culture, ignoresUnknown: false },
    now,
  )
  if (!isValid) throw refuse('ValidationError', { validationResults })
}

/** Makes the document of a session's document; false where somebody has made it already. */
export async function recordSigned(
  tx: Transaction<Tables>,
  session: SessionRow,
  document: NewDocument,
  now: Date,
): Promise<boolean> {
  const signed_at = document.signers.at(-1)!.date.toISOString()
  const set = { file_digest: null, extra_digest: null, signature: null, signed_at }
  if (!(await moveSessionDocument(tx, document.id, 'complete', set))) return false
  const owner = { subscriptionId: session.subscription_id, applicationId: session.application_id }
  await recordDocument(tx, owner, document, now)
  return true
}
