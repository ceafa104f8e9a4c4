// The registrar takes a request up, approves it, or sends it back.
import type { Db } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import type { EventModels } from '../../contract/models.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import type { RegistrationRow } from '../../store/document-tables.ts'
import { moveRegistration } from '../../store/registrations.ts'
import { actsOf, keepAct } from '../../store/registry.ts'
import type { RegistryAct } from '../../store/registry-tables.ts'
import type { Tables } from '../../store/tables.ts'
import { lockedItem } from '../items/item-reads.ts'
import { registrationView } from '../items/item-views.ts'
import { isSamePerson, needsTwo } from '../items/two-people.ts'
import { record, statusChange } from '../tenants/acting.ts'
import { announce } from '../webhooks/announce.ts'
import { mirror } from './mirror.ts'
import { refuseMove } from './required-registration.ts'

type Decision = 'accept' | 'approve' | 'reject'

const events = {
  accept: 'RegistrationAccepted',
  approve: 'RegistrationApproved',
  reject: 'RegistrationRejected',
} as const

export const accept = (context: Context, caller: Caller, id: string, now: Date) =>
  decide(context, caller, id, { move: 'accept', reason: null }, now)

export const approve = (context: Context, caller: Caller, id: string, now: Date) =>
  decide(context, caller, id, { move: 'approve', reason: null }, now)

export const reject = (context: Context, caller: Caller, id: string, reason: string, now: Date) =>
  decide(context, caller, id, { move: 'reject', reason }, now)

function decide(
  context: Context,
  caller: Caller,
  id: string,
  { move, reason }: { readonly move: Decision; readonly reason: string | null },
  now: Date,
): Promise<EventModels['Registration']> {
  return context.store.transaction(async (tx) => {
    const known = await lockedItem(tx, caller, 'Registration', id)
    const row = await moveRegistration(tx, known.id, move, { reason }, now)
    if (!row) throw refuseMove(known.status, move)
    if (move === 'approve') await requireAnother(tx, row, caller, ['create', 'accept'])
    if (move !== 'reject') await keepAct(tx, row.id, move, caller, now)
    await mirror(context, tx, row, move, reason === null ? {} : { reason }, now)
    await announce(context, tx, [{ kind: 'Registration', item: row }], now)
    const entity = { type: 'Registration', id: row.id }
    const act = { type: events[move], entity, changes: statusChange(known, row) }
    await record(tx, caller, { ...act, ...(reason !== null && { data: { reason } }) }, now)
    return registrationView(row)
  })
}

/** Where the institution asks for two people: whoever did one of these does not do the next. */
async function requireAnother(
  tx: Db<Tables>,
  { id, institute_id }: RegistrationRow,
  caller: Caller,
  before: readonly RegistryAct[],
): Promise<void> {
  if (!(await needsTwo(tx, institute_id))) return
  const own = (await actsOf(tx, id)).filter((done) => before.includes(done.act) && isSamePerson(done, caller))
  if (own.length > 0) throw refuse('second-person-required', { did: own.map(({ act }) => act) })
}
