// Where an institution asks for two people: what one asks for is done when another asks for the same.
import type { Db } from '@chancela/service-kernel/store'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { endProposals, propose, replaceProposal } from '../../store/proposals.ts'
import { registryRules } from '../../store/registry.ts'
import type { ProposalRow, ProposedAct } from '../../store/registry-tables.ts'
import type { Tables } from '../../store/tables.ts'

/** What a call changed, or asked for. */
export interface Outcome<Model> {
  readonly model: Model
  /** True: nothing is done before another person asks for the same. */
  readonly isProposed: boolean
}

export interface Weighty {
  /** Of an item that is locked, so that of several at the same moment each sees what the one before asked for. */
  readonly itemId: string
  /** Whose rules say how many people it takes. */
  readonly instituteId: string
  readonly act: ProposedAct
  /** What both have to ask for, besides the act; in an order that is always the same. */
  readonly terms: object
}

/**
 * Whether it may be done now: nobody's consent is needed, or somebody else asked for the same before. False: it is kept
 * as a proposal. Whoever does not agree with the terms of a proposal makes another in its place.
 */
export async function isAgreed(db: Db<Tables>, asked: Weighty, caller: Caller, now: Date): Promise<boolean> {
  if (await isAgreedBefore(db, asked, caller, now)) {
    await endProposals(db, asked.itemId)
    return true
  }
  return false
}

async function isAgreedBefore(
  db: Db<Tables>,
  { itemId, instituteId, act, terms }: Weighty,
  caller: Caller,
  now: Date,
): Promise<boolean> {
  if (!(await needsTwo(db, instituteId))) return true
  const actor = { actor_kind: caller.kind, actor_id: caller.id }
  const own = { item_id: itemId, act, ...actor, terms: JSON.stringify(terms), created_at: now.toISOString() }
  const standing = await propose(db, own)
  if (!standing) return false
  if (standing.terms !== own.terms) {
    await replaceProposal(db, own)
    return false
  }
  if (isSamePerson(standing, caller)) throw refuse('second-person-required', { proposed: standing.created_at })
  return true
}

export const needsTwo = async (db: Db<Tables>, instituteId: string): Promise<boolean> =>
  (await registryRules(db, instituteId)).requires_two_people === 1

type Person = Pick<ProposalRow, 'actor_kind' | 'actor_id'>

/** Each application counts as a person. */
export const isSamePerson = ({ actor_kind, actor_id }: Person, { kind, id }: Pick<Caller, 'kind' | 'id'>): boolean =>
  actor_kind === kind && actor_id === id
