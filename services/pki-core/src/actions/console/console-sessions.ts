// Signature sessions as administrators see them: of every subscription, without tokens and without what is signed.
import { DEFAULT_LIMIT, pageFrom } from '@chancela/admin-console'
import { type Delivery, listDeliveries } from '@chancela/outbox/webhooks'
import { plus } from '@chancela/service-kernel/clock'
import { notify } from '@chancela/service-kernel/store'
import { Certificate } from '@chancela/signature-engine/x509'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { ConsoleSessionView, listSignatureSessions } from '../../contract/console-sessions.ts'
import { idIn } from '../../rules/bio/ids.ts'
import { certificateModel } from '../../rules/certificate-model.ts'
import { maskedIdentifier } from '../../rules/masked-identifier.ts'
import { refuse } from '../../rules/refuse.ts'
import { statusAt } from '../../rules/session-states.ts'
import { type ListedSession, listSessions } from '../../store/console-lists.ts'
import type { SessionDocumentRow, SessionRow } from '../../store/session-tables.ts'
import { moveSession, sessionById, sessionChannel, sessionDocuments } from '../../store/sessions.ts'
import { findSubscription } from '../../store/subscriptions.ts'
import { act, type Manager } from '../management/acting.ts'
import { requirePending } from '../sessions/session-page.ts'
import { afterOf, keysOf } from './cursors.ts'

type Dependencies = { readonly context: Context }

const dateOf = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text))

export async function listedSessions(
  { context: { store } }: Dependencies,
  { limit = DEFAULT_LIMIT, cursor, from, to, ...asked }: Static<typeof listSignatureSessions.query>,
  now: Date,
) {
  const filter = { ...asked, from: dateOf(from), to: dateOf(to), after: afterOf(cursor), limit: limit + 1 }
  const view = (row: ListedSession) => ({ ...entry(row, row.subscription, now), documents: Number(row.documents) })
  return pageFrom(await listSessions(store.db, filter, now), limit, view, keysOf)
}

const entry = (row: Omit<ListedSession, 'documents' | 'subscription'>, subscription: string | null, now: Date) => ({
  id: row.id,
  status: statusAt(row, now),
  subscription: { id: row.subscription_id, name: subscription ?? '' },
  application: { id: row.application_id, name: row.application },
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  endedAt: row.ended_at,
  isBackground: row.is_background === 1,
})

async function requiredSession({ context: { store } }: Dependencies, id: string): Promise<SessionRow> {
  const row = await sessionById(store.db, idIn(id))
  if (!row) throw refuse('SignatureSessionNotFound', { id })
  return row
}

export async function shownToAdministrator(
  dependencies: Dependencies,
  id: string,
  now: Date,
): Promise<ConsoleSessionView> {
  const { db } = dependencies.context.store
  const row = await requiredSession(dependencies, id)
  const [documents, subscription] = [
    await sessionDocuments(db, row.id),
    await findSubscription(db, row.subscription_id),
  ]
  const deliveries = await deliveriesOf(dependencies, row, documents)
  return {
    ...entry(row, subscription?.name ?? null, now),
    errorCode: row.error_code,
    takesUploads: row.takes_uploads === 1,
    signer: row.status === 'Pending' ? null : signerIn(row),
    documents: documents.map((one) => documentView(one, deliveries)),
  }
}

function signerIn({ certificate }: SessionRow) {
  if (certificate === null) return null
  const model = certificateModel(Certificate.read(Buffer.from(certificate, 'base64')), [])
  return {
    name: model.subjectDisplayName ?? '',
    identifier: maskedIdentifier(model.subjectIdentifier),
    thumbprint: model.thumbprintSHA256,
  }
}

const documentView = (row: SessionDocumentRow, deliveries: readonly Delivery[]) => ({
  id: row.id,
  name: row.file_name,
  mimeType: row.file_type,
  length: row.file_size,
  sha256: row.sha256,
  signatureType: row.signature_type,
  status: row.status,
  isUploaded: row.is_uploaded === 1,
  errorCode: row.error_code,
  signedAt: row.signed_at,
  deliveries: deliveries.filter(({ subject }) => subject === row.id).map(deliveryView),
})

const deliveryView = ({ state, attempts, nextAttemptAt, finishedAt, createdAt, lastStatus }: Delivery) => ({
  state,
  attempts,
  at: finishedAt ?? nextAttemptAt ?? createdAt,
  lastStatus,
})

/** Deliveries are found by their time, for which there is an index: they are made with the documents. */
async function deliveriesOf(
  { context: { store } }: Dependencies,
  session: SessionRow,
  documents: readonly SessionDocumentRow[],
): Promise<readonly Delivery[]> {
  const subjects = documents.filter(({ status }) => status === 'Completed').map(({ id }) => id)
  if (subjects.length === 0) return []
  return listDeliveries(store.db, {
    ownerId: session.subscription_id,
    subjects,
    from: new Date(session.created_at),
    ...(session.ended_at && { to: plus(new Date(session.ended_at), 1) }),
    limit: 10 * subjects.length,
  })
}

/** Of an administrator and a person who signs, one is first; the other is refused. */
export async function cancelSession(
  dependencies: Dependencies,
  manager: Manager,
  id: string,
  now: Date,
): Promise<ConsoleSessionView> {
  const { store, events } = dependencies.context
  const row = await requiredSession(dependencies, id)
  requirePending(row, now)
  await store.transaction(async (tx) => {
    if (!(await moveSession(tx, row.id, 'cancel', { ended_at: now.toISOString() })))
      throw refuse('BadSignatureSessionOperation')
    const facts = { session: row.id, application: row.application }
    await events.record(tx, act('SignatureSessionCancelled', manager.actor, ['signature-session', row.id], facts))
    await notify(tx, sessionChannel(row.id))
  })
  return shownToAdministrator(dependencies, row.id, now)
}
