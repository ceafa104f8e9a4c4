// A request is canceled, or the degree that came of it annulled. What one side cancels is canceled on the other
// (credentials-platform facts 2.3).

import { move } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import type { EventModels } from '../../contract/models.ts'
import type { CancellationReason } from '../../contract/vocabulary.ts'
import type { SigningDesk } from '../../parts/signing/desk.ts'
import { degreeMoves } from '../../rules/moves.ts'
import { wrongData } from '../../rules/refuse.ts'
import { type Caller, requireOperation } from '../../rules/rights.ts'
import type { EmissionRow, RegistrationRow } from '../../store/document-tables.ts'
import { mirrorOnEmission, moveEmission, moveRegistration } from '../../store/registrations.ts'
import type { Tables } from '../../store/tables.ts'
import { lockedItem } from '../items/item-reads.ts'
import { registrationView } from '../items/item-views.ts'
import { isAgreed, type Outcome } from '../items/two-people.ts'
import { record, statusChange } from '../tenants/acting.ts'
import { announce } from '../webhooks/announce.ts'
import { mirror, recordPartner } from './mirror.ts'
import { refuseMove } from './required-registration.ts'

export interface Dependencies {
  readonly context: Context
  readonly desk: SigningDesk
}

interface Cancellation {
  readonly reason: string
  readonly cancellationReason?: CancellationReason
}

/** What the other side reads where a cancellation was not its own. */
const standardReasons = {
  byRegistrar: 'Cancelado pela instituição registradora.',
  byIssuer: 'Cancelado pela instituição emissora.',
  elsewhere: 'O diploma foi registrado fora da plataforma, e a emissora enviou o XML.',
} as const

export function cancel(
  dependencies: Dependencies,
  caller: Caller,
  id: string,
  asked: Cancellation,
  now: Date,
): Promise<Outcome<EventModels['Registration']>> {
  return dependencies.context.store.transaction(async (tx) => {
    const known = await lockedItem(tx, caller, 'Registration', id)
    if (known.status === 'Signed') return annul(dependencies, tx, caller, known, asked, now)
    if (asked.cancellationReason !== undefined)
      throw wrongData({ cancellationReason: ['is for degrees that were signed'] })
    const row = await withdrawn(dependencies, tx, known, asked.reason, now)
    if (!row) throw refuseMove(known.status, 'cancel')
    await record(tx, caller, { ...actOf('RegistrationCanceled', row, asked), changes: statusChange(known, row) }, now)
    const emission = await mirror(dependencies.context, tx, row, 'cancel', mirrored(asked), now)
    if (emission) await cancelEmission(dependencies, tx, emission, now)
    return { model: registrationView(row), isProposed: false }
  })
}

const mirrored = ({ reason }: Cancellation) => ({ registration_cancellation_reason: reason })

const actOf = (type: string, { id }: RegistrationRow, data: Cancellation) => ({
  type,
  entity: { type: 'Registration', id },
  data,
})

/** The request ends before its signature. */
async function withdrawn(
  { context, desk }: Dependencies,
  tx: Transaction<Tables>,
  { id }: Pick<RegistrationRow, 'id'>,
  reason: string,
  now: Date,
): Promise<RegistrationRow | undefined> {
  const row = await moveRegistration(tx, id, 'cancel', { reason }, now)
  if (!row) return undefined
  await desk.withdraw(tx, row.id, now)
  await announce(context, tx, [{ kind: 'Registration', item: row }], now)
  return row
}

/** The issuer's side of a request that its registrar canceled. */
async function cancelEmission(
  { context }: Dependencies,
  tx: Transaction<Tables>,
  { id, status }: EmissionRow,
  now: Date,
): Promise<void> {
  const set = { reason: standardReasons.byRegistrar, status_before: status }
  const emission = await moveEmission(tx, id, 'cancel', set, now)
  if (!emission) return
  await announce(context, tx, [{ kind: 'Emission', item: emission }], now)
  await recordPartner(tx, emission, { type: 'EmissionCanceled', entity: 'Emission', partner: 'registrar' }, now)
}

/** The registrar's side of an emission that its issuer canceled: a request that is still open ends, too. */
export async function cancelRequestOf(
  dependencies: Dependencies,
  tx: Transaction<Tables>,
  emission: Pick<EmissionRow, 'registration_id'>,
  now: Date,
): Promise<void> {
  if (emission.registration_id === null) return
  const row = await withdrawn(dependencies, tx, { id: emission.registration_id }, standardReasons.byIssuer, now)
  if (!row) return
  const event = { type: 'RegistrationCanceled', entity: 'Registration', partner: 'issuer' }
  await recordPartner(tx, row, event, now)
  await mirror(dependencies.context, tx, row, 'cancel', mirrored({ reason: standardReasons.byIssuer }), now)
}

/** The degree was registered elsewhere: a request that nobody granted here ends; one that is being signed here stands. */
export async function cancelRequestElsewhere(
  dependencies: Dependencies,
  tx: Transaction<Tables>,
  { registration_id }: Pick<EmissionRow, 'registration_id'>,
  now: Date,
): Promise<void> {
  if (registration_id === null) return
  const known = await tx
    .selectFrom('registration')
    .select('status')
    .where('id', '=', registration_id)
    .executeTakeFirst()
  if (known?.status === 'Registered' || known?.status === 'Signed') throw refuseMove(known.status, 'cancel')
  const row = await withdrawn(dependencies, tx, { id: registration_id }, standardReasons.elsewhere, now)
  // Who brought the degree is told of that, and not of the request besides.
  if (row) await mirrorOnEmission(tx, row, 'cancel', mirrored({ reason: standardReasons.elsewhere }), now)
}

/** What was signed is annulled by the registrar, whose list names it; by two people where the institution asks for it. */
async function annul(
  { context }: Dependencies,
  tx: Transaction<Tables>,
  caller: Caller,
  known: RegistrationRow,
  asked: Cancellation,
  now: Date,
): Promise<Outcome<EventModels['Registration']>> {
  requireOperation(caller, 'registrations.annul')
  const { reason, cancellationReason } = asked
  if (cancellationReason === undefined) throw wrongData({ cancellationReason: ['is required for what was signed'] })
  const weighty = {
    itemId: known.id,
    instituteId: known.institute_id,
    act: 'annul',
    terms: { cancellationReason },
  } as const
  if (!(await isAgreed(tx, weighty, caller, now))) {
    await record(tx, caller, actOf('RegistrationAnnulmentProposed', known, asked), now)
    return { model: registrationView(known), isProposed: true }
  }
  const annulment = { reason, cancellation_reason: cancellationReason, annulled_at: now.toISOString() }
  const row = await moveRegistration(tx, known.id, 'annul', annulment, now)
  if (!row) throw refuseMove(known.status, 'annul')
  await announce(context, tx, [{ kind: 'Registration', item: row }], now)
  await record(tx, caller, { ...actOf('RegistrationAnnulled', row, asked), changes: statusChange(known, row) }, now)
  await mirror(context, tx, row, 'annul', mirrored(asked), now)
  await annulDegree(context, tx, row, annulment, now)
  return { model: registrationView(row), isProposed: false }
}

type Annulment = Pick<RegistrationRow, 'reason' | 'cancellation_reason' | 'annulled_at'>

/** The issuer's degree, suspended or not, is annulled with it. */
async function annulDegree(
  context: Context,
  tx: Transaction<Tables>,
  { emission_id, verification_code }: RegistrationRow,
  annulment: Annulment,
  now: Date,
): Promise<void> {
  if (emission_id === null) return
  const known = await tx
    .selectFrom('degree')
    .select('id')
    .where('emission_id', '=', emission_id)
    .where('verification_code', '=', verification_code)
    .executeTakeFirst()
  if (!known) return
  const request = { table: 'degree', column: 'status', moves: degreeMoves, move: 'annul', id: known.id } as const
  const degree = await move(tx, {
    ...request,
    set: { ...annulment, was_restored: 0, suspended_until: null, updated_at: now.toISOString() },
  })
  if (!degree) return
  await announce(context, tx, [{ kind: 'Degree', item: degree }], now)
  await recordPartner(tx, degree, { type: 'DegreeCanceled', entity: 'Degree', partner: 'registrar' }, now)
}
