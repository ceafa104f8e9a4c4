// The page looks whether the holder has approved; the look that finds it signs.
import { MINUTE, plus, SECOND } from '@chancela/service-kernel/clock'
import { type Approval, endOf, LinkProblem } from '@chancela/service-links'
import type { Static } from 'typebox'
import type { lookSessionToken, TokenOutcome } from '../../../contract/session-signing.ts'
import { orNotAvailable } from '../../../parts/sessions/signing-ways.ts'
import { refuse } from '../../../rules/refuse.ts'
import { type SessionStatus, statusAt } from '../../../rules/session-states.ts'
import { endSigning, findTokenSigning, takeSigning } from '../../../store/session-signings.ts'
import type { SessionRow, SessionSigningRow } from '../../../store/session-tables.ts'
import { type Asking, outcomeOf, signElsewhere, type WayDependencies } from './sign-elsewhere.ts'

type Look = Static<typeof lookSessionToken.answer>

const WAITING: Look = { state: 'waiting', outcome: null }
const SIGNING: Look = { state: 'signing', outcome: null }

export async function lookToken(
  dependencies: WayDependencies,
  session: SessionRow,
  id: string,
  asking: Asking,
): Promise<Look> {
  const { db } = dependencies.context.store
  const row = await findTokenSigning(db, { id, sessionId: session.id })
  if (!row) throw refuse('TokenSigningNotFound')
  if (row.outcome) return ended(row.outcome as TokenOutcome)
  if (row.taken_at !== null) return taken(dependencies, row, session, asking.now)
  if (statusAt(session, asking.now) !== 'Pending') return overtaken(dependencies, row)
  const approval = await orNotAvailable(dependencies, 'server', (server) => server.readOrExpired(row.reference))
  const end = endOf(approval)
  if (end) return ending(dependencies, row, end)
  if (approval.state !== 'READY') return WAITING
  // Of two looks one signs.
  if (!(await takeSigning(db, row.id, asking.now))) return SIGNING
  return ending(dependencies, row, await signed(dependencies, row, approval, asking))
}

const ended = (outcome: TokenOutcome): Look => ({ state: 'ended', outcome })

/** How far a session is whose signatures are there. */
const signedStates: ReadonlySet<SessionStatus> = new Set(['Processing', 'Completed', 'ProcessingError'])

/** Preparing and finishing of large documents, besides the time of the token. */
const OWN_WORK = 5 * MINUTE

/** Another look signs, in this process or another; one that ended without a word has signed or not. */
function taken(
  { context: { settings } }: WayDependencies,
  { taken_at }: SessionSigningRow,
  session: SessionRow,
  now: Date,
): Look {
  if (signedStates.has(session.status)) return ended('signed')
  if (statusAt(session, now) !== 'Pending') return ended('not-pending')
  const longest = settings.SessionServer.TimeoutSeconds * SECOND + OWN_WORK
  return plus(new Date(taken_at!), longest) > now ? SIGNING : ended('failed')
}

/** The session ended in another way: nothing is to be approved for it any more. */
async function overtaken(dependencies: WayDependencies, row: SessionSigningRow): Promise<Look> {
  await cancelApproval(dependencies, row)
  return ending(dependencies, row, 'not-pending')
}

async function ending({ context }: WayDependencies, { id }: SessionSigningRow, outcome: TokenOutcome): Promise<Look> {
  await endSigning(context.store.db, id, outcome)
  return ended(outcome)
}

/** An approval that has ended already stays as it is. */
const cancelApproval = async ({ ways }: WayDependencies, { reference }: SessionSigningRow): Promise<void> =>
  ways.server?.cancel(reference).catch(() => {})

async function signed(
  dependencies: WayDependencies,
  row: SessionSigningRow,
  { certificate }: Pick<Approval, 'certificate'>,
  asking: Asking,
): Promise<TokenOutcome> {
  const sign = (hashes: readonly string[]) =>
    dependencies.ways.server!.sign(row.reference, {
      hashes: hashes.map((hash) => ({ hash, digestAlgorithm: 'SHA-256' as const })),
    })
  const key = { certificate: certificate!, sign }
  const outcome = await signElsewhere(dependencies, row, key, asking).catch((error: unknown) =>
    told(dependencies, row, error),
  )
  if (outcome !== 'signed') await cancelApproval(dependencies, row)
  return outcome
}

/** The outcome of a failure; failures only an operator can fix are logged. */
async function told(dependencies: WayDependencies, row: SessionSigningRow, error: unknown): Promise<TokenOutcome> {
  const outcome =
    error instanceof LinkProblem ? await endThere(dependencies, row, error) : await outcomeOf(dependencies, row, error)
  if (outcome === 'failed' || outcome === 'unavailable')
    dependencies.context.logger.error({ err: error, sessionId: row.session_id }, 'token signing failed')
  return outcome
}

/** Where the approval ended between two calls, the session server knows why. */
async function endThere({ ways }: WayDependencies, row: SessionSigningRow, error: LinkProblem): Promise<TokenOutcome> {
  if (error.code !== 'APPROVAL_OVER') return 'unavailable'
  const approval = await ways.server!.readOrExpired(row.reference).catch(() => undefined)
  return (approval && endOf(approval)) ?? 'failed'
}
