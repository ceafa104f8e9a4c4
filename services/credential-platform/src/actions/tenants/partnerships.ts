// Partnerships between issuers and registrars: one side proposes, the other accepts, either ends it.
import { changesOf } from '@chancela/service-kernel/events'
import { type Db, isUniqueViolation, move, newRowId } from '@chancela/service-kernel/store'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { listPartnerships, PartnershipView, proposePartnership } from '../../contract/partnerships.ts'
import { partnershipMoves } from '../../rules/moves.ts'
import { askedOf, pageOf } from '../../rules/paging.ts'
import { refuse, wrongData } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { idOf } from '../../rules/texts.ts'
import {
  findPartnership,
  type KnownPartnership,
  listPartnerships as listRows,
  partnershipOf,
} from '../../store/partnerships.ts'
import type { Tables } from '../../store/tables.ts'
import type { InstituteRow, PartnershipRow } from '../../store/tenant-tables.ts'
import { made, record } from './acting.ts'

const viewFor =
  ({ subscriptionId }: Caller) =>
  (row: KnownPartnership): PartnershipView => ({
    id: row.id,
    issuer: {
      instituteId: row.issuer_institute_id,
      name: row.issuer_name,
      code: row.issuer_code,
      own: row.issuer_subscription_id === subscriptionId,
    },
    registrar: {
      instituteId: row.registrar_institute_id,
      name: row.registrar_name,
      code: row.registrar_code,
      own: row.registrar_subscription_id === subscriptionId,
    },
    status: row.status,
    proposedByUs: row.proposed_by === subscriptionId,
    creationDate: row.created_at,
    updateDate: row.updated_at,
  })

export async function listed({ store }: Context, caller: Caller, query: Static<typeof listPartnerships.query>) {
  const asked = askedOf(query)
  const { subscriptionId } = caller
  const { items, total } = await listRows(store.db, { ...asked, subscriptionId, status: query.status })
  return pageOf(asked, items.map(viewFor(caller)), total)
}

async function required(db: Db<Tables>, { subscriptionId }: Caller, id: string): Promise<KnownPartnership> {
  const found = await findPartnership(db, subscriptionId, idOf(id))
  if (!found) throw refuse('partnership-not-found', { id })
  return found
}

/** An institution of any organization: whoever knows its id was told it. */
async function anyInstitute(db: Db<Tables>, id: string): Promise<InstituteRow> {
  const query = db.selectFrom('institute').selectAll().where('id', '=', idOf(id)).where('deleted_at', 'is', null)
  const found = await query.executeTakeFirst()
  if (!found) throw refuse('institute-not-found', { id })
  return found
}

function requireFitting(caller: Caller, issuer: InstituteRow, registrar: InstituteRow): void {
  const own = [issuer, registrar].filter(({ subscription_id }) => subscription_id === caller.subscriptionId)
  if (own.length === 0) throw refuse('institute-not-found', { id: issuer.id })
  if (issuer.kind === 'Registrar') throw wrongData({ issuerInstituteId: ['does not issue'] })
  if (registrar.kind === 'Issuer') throw wrongData({ registrarInstituteId: ['does not register'] })
  if (issuer.id === registrar.id) throw wrongData({ registrarInstituteId: ['is the issuer, which needs no partner'] })
}

const taken = (cause?: unknown) =>
  refuse('already-exists', { fields: { registrarInstituteId: ['is a partner of the issuer, or was proposed'] } }, cause)

const told = ({ issuer_institute_id, registrar_institute_id, status }: PartnershipRow) => ({
  issuerInstituteId: issuer_institute_id,
  registrarInstituteId: registrar_institute_id,
  status,
})

const actOf = (type: string, row: PartnershipRow, former: PartnershipRow | undefined) => ({
  type,
  entity: { type: 'Partnership', id: row.id },
  changes: former ? changesOf(told(former), told(row)) : made(told(row)),
})

/** Between institutions of one organization there is nobody else to ask; one that was ended is proposed anew. */
export async function propose(
  { store }: Context,
  caller: Caller,
  { issuerInstituteId, registrarInstituteId }: Static<typeof proposePartnership.body>,
  now: Date,
): Promise<PartnershipView> {
  try {
    return await store.transaction(async (tx) => {
      const [issuer, registrar] = [
        await anyInstitute(tx, issuerInstituteId),
        await anyInstitute(tx, registrarInstituteId),
      ]
      requireFitting(caller, issuer, registrar)
      const known = await partnershipOf(tx, issuer.id, registrar.id)
      const id = known ? await again(tx, caller, known.id, now) : await first(tx, caller, issuer, registrar, now)
      if (issuer.subscription_id === registrar.subscription_id) await moved(tx, id, 'accept', now)
      const row = await required(tx, caller, id)
      await record(tx, caller, actOf('PartnershipProposed', row, known), now)
      return viewFor(caller)(row)
    })
  } catch (error) {
    throw isUniqueViolation(error) ? taken(error) : error
  }
}

async function first(tx: Db<Tables>, caller: Caller, issuer: InstituteRow, registrar: InstituteRow, now: Date) {
  const id = newRowId(now)
  const at = now.toISOString()
  await tx
    .insertInto('partnership')
    .values({
      id,
      issuer_subscription_id: issuer.subscription_id,
      issuer_institute_id: issuer.id,
      registrar_subscription_id: registrar.subscription_id,
      registrar_institute_id: registrar.id,
      proposed_by: caller.subscriptionId,
      status: 'Proposed',
      created_at: at,
      updated_at: at,
    })
    .execute()
  return id
}

async function again(tx: Db<Tables>, { subscriptionId }: Caller, id: string, now: Date): Promise<string> {
  if (!(await moved(tx, id, 'propose', now, { proposed_by: subscriptionId }))) throw taken()
  return id
}

const moved = (
  tx: Db<Tables>,
  id: string,
  name: keyof typeof partnershipMoves,
  now: Date,
  set: { readonly proposed_by?: string } = {},
) =>
  move(tx, {
    table: 'partnership',
    column: 'status',
    moves: partnershipMoves,
    move: name,
    id,
    set: { ...set, updated_at: now.toISOString() },
  })

/** Whoever proposed it does not accept it. */
export function accept({ store }: Context, caller: Caller, id: string, now: Date): Promise<PartnershipView> {
  return store.transaction(async (tx) => {
    const known = await required(tx, caller, id)
    if (known.proposed_by === caller.subscriptionId || !(await moved(tx, known.id, 'accept', now)))
      throw refuse('invalid-transition', { status: known.status })
    const row = await required(tx, caller, id)
    await record(tx, caller, actOf('PartnershipAccepted', row, known), now)
    return viewFor(caller)(row)
  })
}

export function end({ store }: Context, caller: Caller, id: string, now: Date): Promise<PartnershipView> {
  return store.transaction(async (tx) => {
    const known = await required(tx, caller, id)
    if (!(await moved(tx, known.id, 'end', now))) throw refuse('invalid-transition', { status: known.status })
    const row = await required(tx, caller, id)
    await record(tx, caller, actOf('PartnershipEnded', row, known), now)
    return viewFor(caller)(row)
  })
}
