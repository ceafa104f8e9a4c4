// A person comes back from the hub.
import { type CloudHub, cloudEndOf, LinkProblem, nonceHashOf, tieOf } from '@chancela/service-links'
import type { Static } from 'typebox'
import type { CloudOutcome, finishSessionCloud } from '../../../contract/session-signing.ts'
import { homeAddress } from '../../../rules/home-address.ts'
import { endSigning, findCloudSigning, takeSigning } from '../../../store/session-signings.ts'
import type { SessionSigningRow } from '../../../store/session-tables.ts'
import { SESSION_PAGE } from '../create-session.ts'
import type { BrowserTie } from './begin-cloud.ts'
import { type Asking, outcomeOf, signElsewhere, type WayDependencies } from './sign-elsewhere.ts'

interface Returned {
  readonly query: Static<typeof finishSessionCloud.query>
  readonly cookies: string | undefined
}

/** Where the browser goes next. A repeated return changes nothing. */
export async function finishCloud(dependencies: WayDependencies, returned: Returned, asking: Asking): Promise<string> {
  const { settings } = dependencies.context
  const page = `${homeAddress(settings.Http, asking.base)}${SESSION_PAGE}`
  const begun = await begunHere(dependencies, returned)
  const at = (outcome: CloudOutcome, parameters = {}) =>
    `${page}?${new URLSearchParams({ ...parameters, cloud: outcome })}`
  // Of a browser that did not begin it, or whose cookie has expired.
  if (!begun) return at('elsewhere')
  const outcome = await outcomeFor(dependencies, begun, returned, asking).catch((error) =>
    takenOrTold(dependencies, begun, error),
  )
  return at(outcome, { token: begun.tie.token })
}

/** A signature started in the browser that returns. */
interface BegunHere {
  readonly tie: BrowserTie
  readonly row: SessionSigningRow
}

async function begunHere(
  { context }: WayDependencies,
  { query: { signing: id }, cookies }: Returned,
): Promise<BegunHere | undefined> {
  const tie = tieOf<BrowserTie>(context, id, cookies)
  const row = tie && (await findCloudSigning(context.store.db, { id: id!, nonceHash: nonceHashOf(tie.nonce) }))
  return tie && row && { tie, row }
}

async function outcomeFor(
  dependencies: WayDependencies,
  begun: BegunHere,
  { query: { session, error } }: Returned,
  asking: Asking,
): Promise<CloudOutcome> {
  const { context, ways } = dependencies
  const { row, tie } = begun
  if (row.taken_at !== null) return (row.outcome as CloudOutcome | null) ?? 'under-way'
  if (row.expires_at <= asking.now.toISOString() || !ways.hub) return 'expired'
  // Not marked as taken: a holder who declined at one provider may go back and choose another.
  if (error !== undefined && error !== 'access_denied') return 'provider-failed'
  if (error !== undefined || session === undefined) return 'denied'
  // A session authorized for another signature is rejected here.
  if ((await ways.hub.customState(session)) !== tie.nonce) return 'failed'
  if (!(await takeSigning(context.store.db, row.id, asking.now))) return 'under-way'
  const outcome = await signInSession(dependencies, ways.hub, row, session, asking).catch((thrown) =>
    told(dependencies, row, thrown),
  )
  await endSigning(context.store.db, row.id, outcome)
  // An unused authorization could still sign, so it is ended; a failure to end it does not change the outcome.
  if (outcome !== 'signed')
    void ways.hub
      .end(session)
      .catch((err: unknown) => context.logger.warn({ err, signing: row.id }, 'unused authorization could not be ended'))
  return outcome
}

/** Signs as with any certificate: the certificate, and so the bytes to sign, are only known now. */
async function signInSession(
  dependencies: WayDependencies,
  hub: CloudHub,
  row: SessionSigningRow,
  session: string,
  asking: Asking,
): Promise<CloudOutcome> {
  const { content, alias } = await hub.certificate(session)
  const how = { session, digestAlgorithm: 'SHA-256', certificateAlias: alias }
  const sign = async ([hash, ...others]: readonly string[]) =>
    others.length === 0
      ? [await hub.signHash({ ...how, hash: hash! })]
      : hub.signHashes({ ...how, hashes: [hash!, ...others] })
  return signElsewhere(dependencies, row, { certificate: content, sign }, asking)
}

/** Of two concurrent returns, the later one finds the session in use: the outcome of the earlier one counts. */
async function takenOrTold(dependencies: WayDependencies, { row }: BegunHere, error: unknown): Promise<CloudOutcome> {
  const { id, reference: nonceHash } = row
  const now = await findCloudSigning(dependencies.context.store.db, { id, nonceHash })
  return now?.taken_at ? ((now.outcome as CloudOutcome | null) ?? 'under-way') : told(dependencies, row, error)
}

/** The outcome of a failure; failures only an operator can fix are logged. */
async function told(dependencies: WayDependencies, row: SessionSigningRow, error: unknown): Promise<CloudOutcome> {
  const outcome = error instanceof LinkProblem ? cloudEndOf(error) : await outcomeOf(dependencies, row, error)
  if (outcome === 'failed' || outcome === 'provider-failed')
    dependencies.context.logger.error({ err: error, sessionId: row.session_id }, 'cloud signing failed')
  return outcome
}
