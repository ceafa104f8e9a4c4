import { randomUUID } from 'node:crypto'
import { MINUTE, plus } from '@chancela/service-kernel/clock'
import { isCpf } from '@chancela/signature-engine/x509'
import type { Static } from 'typebox'
import type { beginSessionToken } from '../../../contract/session-signing.ts'
import { orNotAvailable } from '../../../parts/sessions/signing-ways.ts'
import { homeAddress } from '../../../rules/home-address.ts'
import { refuse } from '../../../rules/refuse.ts'
import { findTokenSigning, keepSigning, withdrawTokenSignings } from '../../../store/session-signings.ts'
import type { SessionRow } from '../../../store/session-tables.ts'
import { sessionDocuments } from '../../../store/sessions.ts'
import { findSubscription } from '../../../store/subscriptions.ts'
import { requirePending } from '../session-page.ts'
import { type Asking, requiredCpf, shownDocuments, type WayDependencies } from './sign-elsewhere.ts'

/** How long the end can be read after the approval has expired. */
const READABLE = 10 * MINUTE

/** Asks for a token of the person. What was asked before is withdrawn: one window at a time. */
export async function beginToken(
  dependencies: WayDependencies,
  session: SessionRow,
  { base, now }: Asking,
): Promise<Static<typeof beginSessionToken.answer>> {
  requirePending(session, now)
  const { context } = dependencies
  const documents = await shownDocuments(dependencies, session)
  await withdrawTokens(dependencies, session)
  const request = await approvalRequest(dependencies, session, base)
  const approval = await orNotAvailable(dependencies, 'server', (server) => server.begin(request))
  const id = randomUUID()
  await keepSigning(context.store.db, {
    id,
    session_id: session.id,
    kind: 'token',
    reference: approval.id,
    documents,
    expires_at: plus(new Date(approval.expiresAt), READABLE).toISOString(),
    taken_at: null,
    outcome: null,
  })
  return { id, code: approval.code, expiresAt: approval.expiresAt }
}

/** What the holder reads in the window of the agent, within the limits of the session server. */
async function approvalRequest({ context }: WayDependencies, session: SessionRow, base: string) {
  const { db } = context.store
  const organization = (await findSubscription(db, session.subscription_id))?.name ?? ''
  const cpf = requiredCpf(session)
  return {
    site: new URL(homeAddress(context.settings.Http, base)).host.slice(0, 200),
    requester: `${session.application} (${organization})`.slice(0, 200),
    documents: (await sessionDocuments(db, session.id)).map(({ file_name }) => file_name.slice(0, 300)),
    ...(cpf !== undefined && isCpf(cpf) && { cpf }),
  }
}

/** Withdraws what was asked for in a session; a window that cannot be closed closes by itself. */
export async function withdrawTokens(
  { context, ways }: Pick<WayDependencies, 'context' | 'ways'>,
  { id }: Pick<SessionRow, 'id'>,
): Promise<void> {
  for (const { reference } of await withdrawTokenSignings(context.store.db, id))
    await ways.server
      ?.cancel(reference)
      .catch((err: unknown) => context.logger.warn({ err }, 'request to a workstation could not be withdrawn'))
}

/** The same by the id of one that is of this session. */
export async function cancelToken(dependencies: WayDependencies, session: SessionRow, id: string): Promise<void> {
  const begun = { id, sessionId: session.id }
  if (!(await findTokenSigning(dependencies.context.store.db, begun))) throw refuse('TokenSigningNotFound')
  await withdrawTokens(dependencies, session)
}
