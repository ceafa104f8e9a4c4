// A page looks how far the signatures are.
import { MINUTE, plus, SECOND } from '@chancela/service-kernel/clock'
import type { SigningView } from '../../contract/remote-signing.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { idOf } from '../../rules/texts.ts'
import { findDocument } from '../../store/documents.ts'
import type { RemoteSignatureRow, RemoteSigningRow } from '../../store/remote-signing-tables.ts'
import { endSigning, findSigning, signaturesOf } from '../../store/remote-signings.ts'
import type { RemoteDependencies } from './begin-signing.ts'
import { withdraw } from './begin-token.ts'
import { lookToken } from './look-token.ts'
import { aboutDocument, requiredSigner } from './signer.ts'

/** The person's own; of those of others nobody learns. */
async function required({ context }: RemoteDependencies, caller: Caller, id: string): Promise<RemoteSigningRow> {
  const { id: userId } = await requiredSigner(context, caller)
  const row = await findSigning(context.store.db, idOf(id))
  if (row?.user_id !== userId) throw refuse('signing-not-found', { id })
  return row
}

export async function look(given: RemoteDependencies, caller: Caller, id: string, now: Date): Promise<SigningView> {
  const row = await required(given, caller, id)
  if (row.way === 'token' && row.outcome === null && row.taken_at === null) await lookToken(given, row, now)
  return viewOf(given, (await findSigning(given.context.store.db, row.id)) ?? row, now)
}

export async function cancel(given: RemoteDependencies, caller: Caller, id: string): Promise<void> {
  const row = await required(given, caller, id)
  if (row.way === 'token') return withdraw(given, row.user_id)
  if (row.taken_at === null) await endSigning(given.context.store.db, row.id, 'canceled')
}

async function viewOf({ context }: RemoteDependencies, row: RemoteSigningRow, now: Date): Promise<SigningView> {
  const rows = await signaturesOf(context.store.db, row.id)
  return {
    id: row.id,
    way: row.way,
    ...progressOf(context.settings, row, rows, now),
    documents: await Promise.all(
      rows.map(async ({ document_id, title, outcome, reason }) => {
        const document = await findDocument(context.store.db, document_id)
        return { ...aboutDocument(document!, title), outcome, reason }
      }),
    ),
    expiresAt: row.expires_at,
  }
}

function progressOf(
  settings: RemoteDependencies['context']['settings'],
  row: RemoteSigningRow,
  rows: readonly RemoteSignatureRow[],
  now: Date,
): Pick<SigningView, 'state' | 'outcome'> {
  const { outcome, taken_at, expires_at } = row
  if (outcome === 'signed' && rows.some((one) => one.outcome === null)) return { state: 'completing', outcome }
  if (outcome !== null) return { state: 'ended', outcome }
  if (taken_at === null)
    return expires_at > now.toISOString() ? { state: 'waiting', outcome } : { state: 'ended', outcome: 'expired' }
  // Whoever signed was killed before the key answered, or before the answer was kept: nothing was signed.
  const longest = Math.max(settings.CloudHub.TimeoutSeconds, settings.SessionServer.TimeoutSeconds) * SECOND + MINUTE
  const isLost = plus(new Date(taken_at), longest) <= now
  return isLost ? { state: 'ended', outcome: 'interrupted' } : { state: 'signing', outcome }
}
