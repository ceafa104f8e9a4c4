// A participant comes back from the hub.
import { nonceHashOf, tieOf } from '@chancela/service-links'
import type { Static } from 'typebox'
import type { CloudOutcome, finishCloudSigning as route } from '../../../contract/cloud-signing.ts'
import { endCloudSigning, findCloudSigning, takeCloudSigning } from '../../../store/cloud-signings.ts'
import type { CloudSigningRow } from '../../../store/tables.ts'
import type { Origin } from '../evidence.ts'
import type { BrowserTie } from './browser-tie.ts'
import type { CloudSigning } from './open-cloud-signing.ts'
import { outcomeOf } from './outcome-of.ts'
import { signInSession } from './sign-in-session.ts'

interface Returned {
  readonly query: Static<typeof route.query>
  readonly cookies: string | undefined
  readonly origin: Origin
}

/** Page for a browser that did not start the signature, or whose cookie has expired. */
const ELSEWHERE = '/cloud-elsewhere'

/** Where the browser goes next. A repeated return changes nothing. */
export async function finishCloudSigning(cloud: CloudSigning, returned: Returned, now: Date): Promise<string> {
  const begun = await begunHere(cloud, returned)
  if (!begun) return ELSEWHERE
  const { key, ticket } = begun.tie
  const outcome = await outcomeFor(cloud, begun, returned, now).catch((error) => takenOrTold(cloud, begun, error))
  return `/document/key/${key}/sign?${new URLSearchParams({ ticket, cloud: outcome })}`
}

/** A signature started in the browser that returns. */
interface BegunHere {
  readonly tie: BrowserTie
  readonly row: CloudSigningRow
}

async function begunHere({ context }: CloudSigning, { query, cookies }: Returned): Promise<BegunHere | undefined> {
  const { signing: id } = query
  const tie = tieOf<BrowserTie>(context, id, cookies)
  const row = tie && (await findCloudSigning(context.store.db, { id: id!, nonceHash: nonceHashOf(tie.nonce) }))
  return tie && row && { tie, row }
}

async function outcomeFor(
  cloud: CloudSigning,
  begun: BegunHere,
  { query: { session, error }, origin }: Returned,
  now: Date,
): Promise<CloudOutcome> {
  const { context, hub } = cloud
  const { row, tie } = begun
  if (row.taken_at !== null) return row.outcome ?? 'under-way'
  if (row.expires_at <= now.toISOString() || !hub) return 'expired'
  // Not marked as taken: a holder who declined at one provider may go back and choose another.
  if (error !== undefined && error !== 'access_denied') return 'provider-failed'
  if (error !== undefined || session === undefined) return 'denied'
  // A session authorized for another signature is rejected here.
  if ((await hub.customState(session)) !== tie.nonce) return 'failed'
  if (!(await takeCloudSigning(context.store.db, row.id, now))) return 'under-way'
  const request = JSON.parse(row.wishes)
  const outcome = await signInSession(cloud, hub, { ...tie, session, row, request, origin }, now).catch((thrown) =>
    told(cloud, begun, thrown),
  )
  await endCloudSigning(context.store.db, row.id, outcome)
  // An unused authorization could still sign, so it is ended; a failure to end it does not change the outcome.
  if (outcome !== 'signed')
    void hub
      .end(session)
      .catch((err: unknown) => context.logger.warn({ err, signing: row.id }, 'unused authorization could not be ended'))
  return outcome
}

/** Of two concurrent returns, the later one finds the session in use: the outcome of the earlier one counts. */
async function takenOrTold(cloud: CloudSigning, begun: BegunHere, error: unknown): Promise<CloudOutcome> {
  const { id, nonce_hash: nonceHash } = begun.row
  const row = await findCloudSigning(cloud.context.store.db, { id, nonceHash })
  return row?.taken_at ? (row.outcome ?? 'under-way') : told(cloud, begun, error)
}

/** The outcome of a failure; failures only an operator can fix are logged. */
function told({ context }: CloudSigning, { row }: BegunHere, error: unknown): CloudOutcome {
  const outcome = outcomeOf(error)
  if (outcome === 'failed' || outcome === 'provider-failed')
    context.logger.error({ err: error, documentId: row.document_id }, 'cloud signing failed')
  return outcome
}
