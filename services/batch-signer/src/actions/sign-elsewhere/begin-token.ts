import { randomUUID } from 'node:crypto'
import { MINUTE, plus } from '@chancela/service-kernel/clock'
import { orUnavailable } from '../../parts/approvals/signing-links.ts'
import { approverKey } from '../../rules/approval-rule.ts'
import { waitingTokens, withdrawSigning } from '../../store/approver-signings.ts'
import type { ApproverSigningRow } from '../../store/tables.ts'
import { type Asking, beginSigning, type Elsewhere } from './begin-signing.ts'

/** How long the end of an approval can be read after it has expired. */
const READABLE = 10 * MINUTE

/** What the window at the workstation shows of a name. */
const MOST_LETTERS = 200

interface Request extends Asking {
  /** The site that asks, as the window at the workstation names it. */
  readonly site: string
}

/** Asks for a token of the approver. What was asked before is withdrawn: one window at a time. */
export async function beginToken(
  given: Elsewhere,
  asking: Request,
  asked: { readonly ids: readonly string[]; readonly reason?: string | null | undefined },
  now: Date,
): Promise<{ readonly id: string; readonly code: string; readonly expiresAt: string }> {
  const begun = await beginSigning(given, asking, asked, now)
  for (const before of await waitingTokens(given.context.store.db, approverKey(asking.email)))
    await withdraw(given, before)
  const approval = await orUnavailable(given, 'server', (server) =>
    server.begin({
      site: asking.site.slice(0, MOST_LETTERS),
      requester: asking.email.slice(0, MOST_LETTERS),
      documents: begun.fileNames.map((name) => name.slice(0, MOST_LETTERS)),
      cpf: begun.cpf,
    }),
  )
  const id = randomUUID()
  const expires_at = plus(new Date(approval.expiresAt), READABLE).toISOString()
  await begun.store({ id, way: 'token', reference: approval.id, expires_at })
  return { id, code: approval.code, expiresAt: approval.expiresAt }
}

/** Withdraws a request that nobody has taken; a window that cannot be closed closes by itself. */
export async function withdraw({ context, links }: Elsewhere, row: ApproverSigningRow): Promise<void> {
  if (!(await withdrawSigning(context.store, row.id)) || row.way !== 'token') return
  await links.server
    ?.cancel(row.reference)
    .catch((err: unknown) => context.logger.warn({ err }, 'request to a workstation could not be withdrawn'))
}
