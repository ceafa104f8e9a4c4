// A person comes back from the hub.
import { type CloudHub, type CloudTie, nonceHashOf, tieOf } from '@chancela/service-links'
import type { Static } from 'typebox'
import type { finishCloudSigning as route, SigningOutcome } from '../../contract/remote-signing.ts'
import type { RemoteSigningRow } from '../../store/remote-signing-tables.ts'
import { endSigning, findSigning, takeSigning } from '../../store/remote-signings.ts'
import type { RemoteDependencies } from './begin-signing.ts'
import { told } from './outcomes.ts'
import { signAll } from './sign-all.ts'

interface Returned {
  readonly query: Static<typeof route.query>
  readonly cookies: string | undefined
}

/** What the page is told besides the ends of requests. */
type Shown = SigningOutcome | 'under-way' | 'elsewhere'

const PAGE = '/signatures'

/** Where the browser goes next. A repeated return changes nothing. */
export async function finishCloud(given: RemoteDependencies, returned: Returned, now: Date): Promise<string> {
  const begun = await begunHere(given, returned)
  const at = (cloud: Shown, more = {}) => `${PAGE}?${new URLSearchParams({ ...more, cloud })}`
  // Of a browser that did not begin it, or whose cookie has expired.
  if (!begun) return at('elsewhere')
  const outcome = await outcomeFor(given, begun, returned, now).catch((error) => takenOrTold(given, begun.row, error))
  return at(outcome, { signing: begun.row.id })
}

/** A signature begun in the browser that returns. */
interface BegunHere {
  readonly tie: CloudTie
  readonly row: RemoteSigningRow
}

async function begunHere(
  { context }: RemoteDependencies,
  { query: { signing: id }, cookies }: Returned,
): Promise<BegunHere | undefined> {
  const tie = tieOf(context, id, cookies)
  const row = tie && (await findSigning(context.store.db, id!))
  return tie && row?.reference === nonceHashOf(tie.nonce) ? { tie, row } : undefined
}

async function outcomeFor(
  given: RemoteDependencies,
  { row, tie }: BegunHere,
  { query: { session, error } }: Returned,
  now: Date,
): Promise<Shown> {
  const { context, links } = given
  if (row.outcome !== null || row.taken_at !== null) return row.outcome ?? 'under-way'
  if (row.expires_at <= now.toISOString() || !links.hub) return 'expired'
  // Not marked as taken: a holder who declined at one provider may go back and choose another.
  if (error !== undefined && error !== 'access_denied') return 'provider-failed'
  if (error !== undefined || session === undefined) return 'denied'
  // A session authorized for another request is rejected here.
  if ((await links.hub.customState(session)) !== tie.nonce) return 'failed'
  if (!(await takeSigning(context.store.db, row.id, now))) return 'under-way'
  const outcome = await signInSession(given, links.hub, row, session, now).catch((thrown) => told(context, row, thrown))
  await endSigning(context.store.db, row.id, outcome)
  // An unused authorization could still sign, so it is ended; a failure to end it does not change the outcome.
  if (outcome !== 'signed')
    void links.hub
      .end(session)
      .catch((err: unknown) => context.logger.warn({ err, signing: row.id }, 'unused authorization could not be ended'))
  return outcome
}

/** The certificate, and so what is to be signed, are only known now. */
async function signInSession(
  given: RemoteDependencies,
  hub: CloudHub,
  row: RemoteSigningRow,
  session: string,
  now: Date,
): Promise<SigningOutcome> {
  const { content, alias } = await hub.certificate(session)
  const how = { session, digestAlgorithm: 'SHA-256', certificateAlias: alias }
  const sign = async (hashes: readonly string[]) =>
    hashes.length === 1
      ? [await hub.signHash({ ...how, hash: hashes[0]! })]
      : hub.signHashes({ ...how, hashes: [...hashes] })
  return signAll(given, row, { certificate: content, sign, allOrNothing: false }, now)
}

/** Of two concurrent returns, the later one finds the session in use: the outcome of the earlier one counts. */
async function takenOrTold({ context }: RemoteDependencies, row: RemoteSigningRow, error: unknown): Promise<Shown> {
  const found = await findSigning(context.store.db, row.id)
  return found?.taken_at ? (found.outcome ?? 'under-way') : told(context, row, error)
}
