// What a session may still sign.
import type { SessionType } from '../../contract/models.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Grant } from '../../upstream/provider.ts'
import { isBound } from './bound-list.ts'
import type { OpenSession } from './open-session.ts'

type Calls = Grant['calls']

/** What the holder consented to, even if the provider's token allows more. */
const callsOfType: Readonly<Record<SessionType, Calls>> = {
  SingleSignature: 'one',
  MultiSignature: 'one',
  SignatureSession: 'many',
  AuthenticationSession: 'none',
}

const rising: readonly Calls[] = ['none', 'one', 'many']

/** Provider calls a session allows: the lesser of what was requested and what was granted. */
export const callsOf = ({ row, grant }: OpenSession): Calls =>
  rising[Math.min(rising.indexOf(callsOfType[row.type]), rising.indexOf(grant.calls))]!

/** Most hashes of one call; zero when the provider counts them and all are signed. */
const mostHashes = ({ row, grant }: OpenSession): number =>
  row.type === 'SingleSignature' ? 1 : Math.min(grant.maxHashes ?? MANY, row.list_size ?? MANY)

const MANY = Number.POSITIVE_INFINITY

/** Whether calls must not overlap: only one is allowed, or each uses up some hashes, or returns a new grant. */
export const isExclusive = (session: OpenSession): boolean =>
  callsOf(session) === 'one' || session.grant.boundTo !== undefined || session.grant.inTurn === true

/** Refuses hashes the session does not cover, before anything is used up. */
export function requireCovered(session: OpenSession, hashes: readonly Buffer[]): void {
  const most = mostHashes(session)
  if (callsOf(session) === 'none' || most === 0) throw refuse('SessionInvalidOrAlreadyUsed')
  if (hashes.length > most) throw refuse('TooManyHashes')
  if (!hasLeft(session.grant, hashes)) throw refuse('HashNotAuthorized')
}

/** Whether one provider call may sign all of these. */
export const covers = (session: OpenSession, hashes: readonly Buffer[]): boolean =>
  hashes.length <= mostHashes(session) && hasLeft(session.grant, hashes) && !(isBound(session.row) && repeats(hashes))

const repeats = (hashes: readonly Buffer[]): boolean =>
  new Set(hashes.map((hash) => hash.toString('base64'))).size < hashes.length

/** Whether a call with these hashes is full. */
export const fills = (session: OpenSession, hashes: readonly Buffer[]): boolean =>
  hashes.length >= mostHashes(session) || leftOf(session.grant, hashes)?.length === 0

const hasLeft = (grant: Grant, hashes: readonly Buffer[]): boolean =>
  grant.boundTo === undefined || leftOf(grant, hashes) !== undefined

const leftOf = ({ boundTo }: Grant, hashes: readonly Buffer[]): readonly string[] | undefined =>
  boundTo && without(boundTo, hashes)

/**
 * The hashes that stay authorized after these are signed; undefined when one of these is not authorized. A hash
 * authorized twice may be signed twice, and no more.
 */
export function without(authorized: readonly string[], hashes: readonly Buffer[]): readonly string[] | undefined {
  const left = [...authorized]
  for (const hash of hashes) {
    const at = left.findIndex((each) => hash.equals(Buffer.from(each, 'base64')))
    if (at < 0) return undefined
    left.splice(at, 1)
  }
  return left
}
