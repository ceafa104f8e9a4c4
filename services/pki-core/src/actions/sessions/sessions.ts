import type { SessionView } from '../../contract/signature-sessions.ts'
import type { SessionWaits } from '../../parts/sessions/session-waits.ts'
import { refuse } from '../../rules/refuse.ts'
import { progressOf, statusAt } from '../../rules/session-states.ts'
import type { SessionRow } from '../../store/session-tables.ts'
import { findSession, removeSession, type SessionOwner, sessionDocuments } from '../../store/sessions.ts'
import type { DocumentDependencies } from '../documents/document-view.ts'
import { withdrawTokens } from './elsewhere/begin-token.ts'
import type { WayDependencies } from './elsewhere/sign-elsewhere.ts'
import { sessionView } from './session-view.ts'

/** A session of the application; those of others do not exist for it. */
async function requiredSession(
  { context }: DocumentDependencies,
  owner: SessionOwner,
  id: string,
): Promise<SessionRow> {
  const row = await findSession(context.store.db, owner, id.toLowerCase())
  if (!row) throw refuse('SignatureSessionNotFound', { id })
  return row
}

export const readSession = async (
  dependencies: DocumentDependencies,
  owner: SessionOwner,
  id: string,
  showing: { readonly base: string; readonly now: Date },
): Promise<SessionView> => sessionView(dependencies, await requiredSession(dependencies, owner, id), showing)

/** Waits for the end of the background processing; who asks before anybody signed is told so. */
export async function whenCompleted(
  dependencies: DocumentDependencies & { readonly waits: SessionWaits },
  owner: SessionOwner,
  id: string,
  { gone, now }: { readonly gone: AbortSignal; readonly now: Date },
): Promise<{ completed: boolean; progress: number }> {
  const row = await requiredSession(dependencies, owner, id)
  if (statusAt(row, now) === 'Pending') throw refuse('BadSignatureSessionOperation', { status: row.status })
  if (row.status === 'Processing') await dependencies.waits.end(row.id, gone)
  const { status } = await requiredSession(dependencies, owner, id)
  if (status !== 'Processing') return { completed: true, progress: 100 }
  return { completed: false, progress: progressOf(await sessionDocuments(dependencies.context.store.db, row.id)) }
}

export async function deleteSession(dependencies: WayDependencies, owner: SessionOwner, id: string): Promise<void> {
  const row = await requiredSession(dependencies, owner, id)
  await withdrawTokens(dependencies, row)
  if (await removeSession(dependencies.context.store.db, row.id)) return
  // It was processed, or somebody else was quicker.
  await requiredSession(dependencies, owner, id)
  throw refuse('BackgroundProcessing', { id })
}
