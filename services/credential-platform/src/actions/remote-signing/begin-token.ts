import { randomUUID } from 'node:crypto'
import { MINUTE, plus } from '@chancela/service-kernel/clock'
import { orUnavailable } from '../../parts/signing/signing-links.ts'
import type { Caller } from '../../rules/rights.ts'
import type { RemoteSigningRow } from '../../store/remote-signing-tables.ts'
import { insertSigning, withdrawTokens } from '../../store/remote-signings.ts'
import { findSubscription } from '../../store/subscriptions.ts'
import { fresh, prepared, type RemoteDependencies, rowsOf } from './begin-signing.ts'

/** How long the end of an approval can be read after it has expired. */
const READABLE = 10 * MINUTE

/** Asks for a token of the person. What was asked before is withdrawn: one window at a time. */
export async function beginToken(given: RemoteDependencies, caller: Caller, ids: readonly string[], now: Date) {
  const { context } = given
  const { person, chosen, signable, owner } = await prepared(given, caller, ids)
  await withdraw(given, person.id)
  const organization = await findSubscription(context.store.db, person.subscriptionId)
  const approval = await orUnavailable(given, 'server', (server) =>
    server.begin({
      site: new URL(context.publicUrl).host.slice(0, 200),
      requester: (organization?.name ?? person.name).slice(0, 200),
      documents: signable.map(({ title }) => title),
      cpf: person.cpf!,
    }),
  )
  const row: RemoteSigningRow = {
    ...fresh(now),
    ...owner,
    id: randomUUID(),
    way: 'token',
    reference: approval.id,
    expires_at: plus(new Date(approval.expiresAt), READABLE).toISOString(),
  }
  await context.store.transaction((tx) => insertSigning(tx, row, rowsOf(row.id, chosen)))
  return { id: row.id, code: approval.code, expiresAt: approval.expiresAt }
}

/** Withdraws what a person asked tokens for; a window that cannot be closed closes by itself. */
export async function withdraw({ context, links }: RemoteDependencies, userId: string): Promise<void> {
  for (const { reference } of await withdrawTokens(context.store.db, userId))
    await links.server
      ?.cancel(reference)
      .catch((err: unknown) => context.logger.warn({ err }, 'request to a workstation could not be withdrawn'))
}
