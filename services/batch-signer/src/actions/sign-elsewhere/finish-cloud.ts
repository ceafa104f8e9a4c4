// An approver comes back from the hub.
import { MINUTE, plus, SECOND } from '@chancela/service-kernel/clock'
import { type CloudHub, LinkProblem, nonceHashOf } from '@chancela/service-links'
import type { SigningOutcome } from '../../contract/portal-signing.ts'
import { approverKey } from '../../rules/approval-rule.ts'
import { findByReference, takeSigning } from '../../store/approver-signings.ts'
import type { ApproverSigningRow } from '../../store/tables.ts'
import type { Elsewhere } from './begin-signing.ts'
import { endedAs } from './ends.ts'
import { signAll } from './sign-all.ts'

/** As the query has it, which anybody can write. */
interface Returned {
  readonly state: string | undefined
  readonly session: string | undefined
  readonly error: string | undefined
}

interface Person {
  readonly email: string
  readonly sessionId: string
}

const PORTAL = '/approvals'

/** One page for all of them: who tries out values learns nothing. The log tells which it was. */
const UNMATCHED = `${PORTAL}?cloud=unmatched`

type Unmatched = 'no-session' | 'unknown' | 'other-approver' | 'expired' | 'used' | 'other-session'

/** Where the browser goes next. Never throws: what fails on the way is told there. */
export async function finishCloud(
  given: Elsewhere,
  returned: Returned,
  person: Person | undefined,
  now: Date,
): Promise<string> {
  const row = await claimed(given, returned.state, person, now)
  if (typeof row === 'string') return unmatched(given, row)
  const outcome = await outcomeOf(given, row, returned)
  await endedAs(given, row, outcome === 'other-session' ? 'failed' : outcome)
  return outcome === 'other-session' ? unmatched(given, outcome) : `${PORTAL}?signing=${row.id}`
}

function unmatched({ context: { logger } }: Elsewhere, reason: Unmatched): string {
  logger.warn({ reason }, 'the return of an approver from a cloud provider was not accepted')
  return UNMATCHED
}

/** What the person began in this browser, taken for good: a state is used once, in whatever process. */
async function claimed(
  { context }: Elsewhere,
  state: string | undefined,
  person: Person | undefined,
  now: Date,
): Promise<ApproverSigningRow | Unmatched> {
  if (!person) return 'no-session'
  const row = state === undefined ? undefined : await findByReference(context.store.db, nonceHashOf(state))
  if (row?.way !== 'cloud') return 'unknown'
  if (row.approver_key !== approverKey(person.email) || row.session_id !== person.sessionId) return 'other-approver'
  if (row.taken_at !== null || row.outcome !== null) return 'used'
  if (row.expires_at <= now.toISOString()) return 'expired'
  const busyUntil = plus(now, context.settings.CloudHub.TimeoutSeconds * SECOND + MINUTE)
  return (await takeSigning(context.store, row.id, { now, busyUntil })) ? row : 'used'
}

async function outcomeOf(
  given: Elsewhere,
  row: ApproverSigningRow,
  { session, error }: Returned,
): Promise<SigningOutcome | 'other-session'> {
  const { hub } = given.links
  if (error !== undefined && error !== 'access_denied') return 'provider-failed'
  if (error !== undefined || session === undefined) return 'denied'
  if (!hub) return 'provider-failed'
  try {
    // A session that was authorized for another request is not used.
    if ((await hub.customState(session)) !== row.reference) return 'other-session'
    return await signInSession(given, hub, row, session)
  } catch (problem) {
    return failure(given, row, problem)
  }
}

/** The certificate, and so what is to be signed, are only known now. An authorization that is left is ended. */
async function signInSession(
  given: Elsewhere,
  hub: CloudHub,
  row: ApproverSigningRow,
  session: string,
): Promise<SigningOutcome> {
  try {
    const { content, alias } = await hub.certificate(session)
    const cloudService = await serviceNameOf(hub, session)
    const sign = (hashes: readonly string[], digestAlgorithm: string) =>
      signHashes(hub, { session, digestAlgorithm, certificateAlias: alias }, hashes)
    const certificate = Buffer.from(content, 'base64')
    return await signAll(given, row, { certificate, means: 'cloud', cloudService, sign, allOrNothing: false })
  } finally {
    void hub.end(session).catch(() => {})
  }
}

/** One call of the provider, which may ask its holder for each. */
const signHashes = async (
  hub: CloudHub,
  how: { readonly session: string; readonly digestAlgorithm: string; readonly certificateAlias: string },
  hashes: readonly string[],
): Promise<readonly Buffer[]> =>
  hashes.length === 1
    ? [await hub.signHash({ ...how, hash: hashes[0]! })]
    : hub.signHashes({ ...how, hashes: [...hashes] })

/** Only hubs of this suite tell it. */
const serviceNameOf = (hub: CloudHub, session: string): Promise<string | null> =>
  hub.serviceName(session).catch((error: unknown) => {
    if (error instanceof LinkProblem) return null
    throw error
  })

const ends: Readonly<Record<string, SigningOutcome>> = {
  SessionExpired: 'expired',
  SessionInvalidOrAlreadyUsed: 'expired',
  // Who signed in there has no certificate of the person.
  CertificateNotFound: 'denied',
}

function failure({ context: { logger } }: Elsewhere, { id }: ApproverSigningRow, error: unknown): SigningOutcome {
  const isLink = error instanceof LinkProblem
  const outcome = isLink ? (Object.hasOwn(ends, error.code) ? ends[error.code]! : 'provider-failed') : 'failed'
  logger.error({ err: error, signing: id, ...(isLink && { code: error.code }) }, 'a cloud certificate did not sign')
  return outcome
}
