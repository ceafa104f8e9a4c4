// A session that is bound to a list signs its hashes, each of them once. The list is kept row by row and apart from the
// provider's grant: calls for different hashes run at the same time, and of a server that is killed only the hashes it
// had sent are lost.
import type { Db } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import type { ListedHashState } from '../../contract/models.ts'
import { refuse } from '../../rules/refuse.ts'
import { creationById } from '../../store/creations.ts'
import type { KnownSession } from '../../store/known-sessions.ts'
import { holdSession, isListSigned, listedStates, moveListed } from '../../store/listed-hashes.ts'
import { namesContext } from '../../store/sealed-columns.ts'
import type { Tables } from '../../store/tables.ts'
import { knownHashesOf } from '../../upstream/authorization-order.ts'

/** Whether a session is bound to a list. */
export const isBound = ({ list_size }: Pick<KnownSession, 'list_size'>): boolean => list_size !== null

const textsOf = (hashes: readonly Buffer[]): readonly string[] => hashes.map((hash) => hash.toString('base64'))

/** Why a hash is refused: not in the list, twice in one call, or what became of it. */
type Reason = 'unlisted' | 'repeated' | Exclude<ListedHashState, 'open'>

/** Refuses hashes the list of a session does not have, or has no more, before anything is used up. */
export async function requireListed(db: Db<Tables>, row: KnownSession, hashes: readonly Buffer[]): Promise<void> {
  const states = await listedStates(db, row.id)
  const before = new Set<string>()
  for (const hash of textsOf(hashes)) {
    const reason = before.has(hash) ? 'repeated' : reasonOf(states.get(hash))
    if (reason !== undefined) throw refuse('HashNotAuthorized', { hash, reason })
    before.add(hash)
  }
}

const reasonOf = (state: ListedHashState | undefined): Reason | undefined =>
  state === undefined ? 'unlisted' : state === 'open' ? undefined : state

/** Marks hashes before they are sent to the provider; false when another call was first. */
export async function sendListed(tx: Db<Tables>, row: KnownSession, hashes: readonly Buffer[]): Promise<boolean> {
  if (!isBound(row)) return true
  await holdSession(tx, row.id)
  return moveListed(tx, row.id, 'send', textsOf(hashes))
}

/** Marks hashes as signed; returns whether nothing of the list is left. */
export async function signListed(tx: Db<Tables>, { id }: KnownSession, hashes: readonly Buffer[]): Promise<boolean> {
  await holdSession(tx, id)
  await moveListed(tx, id, 'sign', textsOf(hashes))
  return isListSigned(tx, id)
}

/** Nothing was signed: the hashes may be sent again. */
export async function giveBackListed(tx: Db<Tables>, row: KnownSession, hashes: readonly Buffer[]): Promise<void> {
  if (!isBound(row)) return
  await holdSession(tx, row.id)
  await moveListed(tx, row.id, 'giveBack', textsOf(hashes))
}

/** The list with the state of each hash, in its order; undefined where there is none. */
export async function listOf({ store, secrets }: Context, row: KnownSession) {
  if (!isBound(row)) return undefined
  const creation = await creationById(store.db, secrets, row.creation_id)
  const names = JSON.parse(secrets.openText(creation.sealed_names!, namesContext(creation.id))) as readonly string[]
  const states = await listedStates(store.db, row.id)
  return knownHashesOf(creation).map((hash, at) => ({ name: names[at]!, hash, state: states.get(hash)! }))
}
