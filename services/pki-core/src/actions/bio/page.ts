// What the person does on the capture page, apart from being looked at.
import { type BioPage, CONSENT_VERSION } from '../../contract/bio-page.ts'
import type { PageCaller } from '../../parts/bio/bio-access.ts'
import { type AttemptFailure, type Hint, instructionOf, progressOf } from '../../rules/bio/capture.ts'
import { isRunning } from '../../rules/bio/session-states.ts'
import { ticketOf } from '../../rules/bio/tokens.ts'
import { refuse } from '../../rules/refuse.ts'
import { moveSession } from '../../store/bio/sessions.ts'
import type { BioSessionRow } from '../../store/bio/tables.ts'
import { newAttempt, openAttempt, sealAttempt } from './capture-state.ts'
import type { BioDependencies } from './dependencies.ts'
import { stateOf } from './read-session.ts'

/** What the last frame led to, besides the session's state. */
export interface Told {
  readonly hint?: Hint
  readonly attemptFailure?: AttemptFailure
}

/** The session as its page shows it. */
export function pageOf(
  { context }: BioDependencies,
  { session, token }: PageCaller,
  now: Date,
  { hint, attemptFailure }: Told = {},
): BioPage {
  const { Attempts, ChallengeSeconds } = context.settings.Biometrics
  const state = stateOf(session, now)
  const capture = state === 'InProgress' ? openAttempt(context, session)?.capture : undefined
  const ticket = isRunning(state) ? null : ticketOf(token)
  return {
    sessionType: session.type,
    application: session.application,
    state,
    consentVersion: CONSENT_VERSION,
    frame: session.frame,
    instruction: capture ? instructionOf(capture) : null,
    progress: capture ? progressOf(capture) : state === 'Succeeded' ? 1 : 0,
    attempt: session.attempts,
    attempts: Attempts,
    secondsEach: ChallengeSeconds,
    hint: hint ?? null,
    attemptFailure: attemptFailure ?? null,
    trustedOrigin: session.trusted_origin,
    returnUrl: ticket && session.return_url ? withTicket(session.return_url, ticket) : null,
    completeTicket: ticket,
  }
}

function withTicket(returnUrl: string, ticket: string): string {
  const url = new URL(returnUrl)
  url.searchParams.set('completeTicket', ticket)
  return url.href
}

/** The time of a session is its token's: afterwards the page can read how it ended, and nothing else. */
export function requireTime(session: BioSessionRow, now: Date): void {
  if (stateOf(session, now) === 'Expired') throw refuse('ExpiredBioSessionToken')
}

/** The person agrees; only then a frame is taken. Agreeing again, after a reload, changes nothing. */
export async function consent(
  dependencies: BioDependencies,
  caller: PageCaller,
  address: string,
  now: Date,
): Promise<BioPage> {
  const { context } = dependencies
  const { session } = caller
  requireTime(session, now)
  if (session.state === 'InProgress') return pageOf(dependencies, caller, now)
  const moved = await moveSession(context.store.db, session.id, 'consent', {
    consent: JSON.stringify({ date: now.toISOString(), textVersion: CONSENT_VERSION, address }),
    attempts: 1,
    capture: sealAttempt(context, session, newAttempt(context, now)),
  })
  if (!moved) throw refuse('BadBioSessionOperation', { sessionId: session.id, state: session.state })
  return pageOf(dependencies, { ...caller, session: moved }, now)
}

/** The person gives up: nothing of what was captured stays. */
export async function abort(dependencies: BioDependencies, caller: PageCaller, now: Date): Promise<BioPage> {
  const { session } = caller
  requireTime(session, now)
  const ended = { ended_at: now.toISOString(), capture: null, face_image: null }
  const moved = await moveSession(dependencies.context.store.db, session.id, 'abort', ended)
  if (!moved) throw refuse('BadBioSessionOperation', { sessionId: session.id, state: session.state })
  return pageOf(dependencies, { ...caller, session: moved }, now)
}
