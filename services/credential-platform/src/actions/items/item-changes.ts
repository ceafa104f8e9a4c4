// Whoever makes or changes an item does it here: its state, the webhooks and the audit, in one transaction.
import { changesOf } from '@chancela/service-kernel/events'
import { move } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import type { EventKind } from '../../contract/vocabulary.ts'
import * as moves from '../../rules/moves.ts'
import { refuse } from '../../rules/refuse.ts'
import { type Caller, requireOperation } from '../../rules/rights.ts'
import { type NewEntityEvent, recordEvents } from '../../store/entity-events.ts'
import { findItem, lockItem, type Owner, type RowOfKind, tableOfKind } from '../../store/items.ts'
import type { Tables } from '../../store/tables.ts'
import { announce } from '../webhooks/announce.ts'

/** Who did it, as the audit shows it. */
export type Actor = Pick<NewEntityEvent, 'actor_kind' | 'actor_id' | 'actor_name' | 'address'>

export const actorOf = ({ kind, id, name, address }: Caller): Actor => ({
  actor_kind: kind,
  actor_id: id,
  actor_name: name,
  address,
})

/** What follows from the last signature is nobody's own act. */
export const signingDesk: Actor = { actor_kind: 'worker', actor_id: 'signing-desk', actor_name: 'Signing desk' }

const machines = {
  Degree: moves.degreeMoves,
  Emission: moves.emissionMoves,
  AcademicTranscript: moves.transcriptMoves,
  Curriculum: moves.curriculumMoves,
} as const

type Machines = typeof machines

export type ChangingKind = keyof Machines

export interface Change<Kind extends ChangingKind> {
  readonly kind: Kind
  readonly id: string
  readonly move: keyof Machines[Kind] & string
  readonly set?: Partial<Omit<RowOfKind<Kind>, 'id' | 'status'>>
  /** As the audit names it. */
  readonly event: string
  readonly data?: object
  /** Nobody is told: the models do not show the difference. */
  readonly silent?: boolean
}

/** Moves an item by its table; one that is in another state is refused, and of two at once one wins. */
export async function change<Kind extends ChangingKind>(
  context: Context,
  tx: Transaction<Tables>,
  { kind, id, move: name, set = {}, event, data, silent = false }: Change<Kind>,
  actor: Actor,
  now: Date,
): Promise<RowOfKind<Kind>> {
  const before = await statusBefore(tx, kind, id, name)
  const request = { table: tableOfKind[kind], column: 'status', moves: machines[kind], move: name, id }
  // Kysely cannot follow a table named by a type parameter; the signature has checked the names.
  const moved = await move(tx, { ...request, set: { ...set, updated_at: now.toISOString() } } as never)
  const row = moved as RowOfKind<Kind> | undefined
  if (!row) throw await wrongState(tx, kind, id, name)
  if (!silent) await announce(context, tx, [{ kind, item: row }], now)
  const changes = before === undefined ? undefined : changesOf({ status: before }, { status: row.status })
  await tell(tx, kind, row, { type: event, data, changes }, actor, now)
  return row
}

/** Most moves begin in one state; of the others somebody else may change the item at this moment. */
async function statusBefore(
  tx: Transaction<Tables>,
  kind: ChangingKind,
  id: string,
  name: string,
): Promise<string | undefined> {
  const [only, ...others] = statesBefore(kind, name)
  if (others.length === 0) return only
  await lockItem(tx, kind, id)
  return (await findItem(tx, kind, id))?.status
}

const wrongState = async (tx: Transaction<Tables>, kind: ChangingKind, id: string, name: string) =>
  refuseMove(kind, (await findItem(tx, kind, id))?.status ?? 'absent', name)

const statesBefore = (kind: ChangingKind, name: string) => (machines[kind] as moves.AnyMoves)[name]!.from

const refuseMove = (kind: ChangingKind, status: string, name: string) =>
  refuse('invalid-transition', { status, allowed: statesBefore(kind, name).join(', ') })

/** Refuses early what the table does not allow: it is not even proposed. */
export function requireMove<Kind extends ChangingKind>(
  kind: Kind,
  { status }: { readonly status: string },
  name: keyof Machines[Kind] & string,
): void {
  if (!statesBefore(kind, name).includes(status)) throw refuseMove(kind, status, name)
}

/** Tells webhooks and the audit of a new item. */
export async function tellCreated(
  context: Context,
  tx: Transaction<Tables>,
  kind: ChangingKind,
  item: Owner,
  actor: Actor,
  now: Date,
): Promise<void> {
  await announce(context, tx, [{ kind, item }], now)
  await tell(tx, kind, item, { type: `${kind}Created` }, actor, now)
}

const tell = (
  tx: Transaction<Tables>,
  kind: EventKind,
  { id, subscription_id }: Owner,
  told: Pick<NewEntityEvent, 'type' | 'data' | 'changes'>,
  actor: Actor,
  now: Date,
): Promise<void> => recordEvents(tx, [{ subscription_id, ...told, ...actor, entity_type: kind, entity_id: id }], now)

/** What was valid once is ended for good only by whoever may do what cannot be undone. */
export function requireMayEnd(caller: Caller, { status }: { readonly status: string }): void {
  if (status === 'Concluded' || status === 'CanceledTemporarily') requireOperation(caller, 'documents.annul')
}
