// A degree is annulled by its registrar: for one of the layout's reasons, and by as many people as the registrar asks for
// (credentials-platform facts 2.1).
import type { Transaction } from 'kysely'
import type { DegreeCancellation } from '../../contract/degrees.ts'
import { refuse, wrongData } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import type { DegreeRow } from '../../store/document-tables.ts'
import { findItem } from '../../store/items.ts'
import type { Tables } from '../../store/tables.ts'
import type { Issuing } from '../curriculums/curriculums.ts'
import { actorOf, change, requireMayEnd, requireMove } from '../items/item-changes.ts'
import { isAgreed, type Weighty } from '../items/two-people.ts'
import { record } from '../tenants/acting.ts'
import { changeTranscript } from '../transcripts/transcripts.ts'

/** One of the ways in which a degree ends; undefined where it is only proposed. */
export type Way = (
  issuing: Issuing,
  tx: Transaction<Tables>,
  caller: Caller,
  degree: DegreeRow,
  asked: DegreeCancellation,
  now: Date,
) => Promise<DegreeRow | undefined>

export const annul: Way = async (issuing, tx, caller, degree, asked, now) => {
  requireMayEnd(caller, degree)
  requireMove('Degree', degree, 'annul')
  const instituteId = await requireOwnRegistrar(tx, caller, degree)
  await requireNoRequest(tx, degree)
  const { reason, cancellationReason, cancelAcademicTranscript = true } = asked
  if (cancellationReason === undefined)
    throw wrongData({ cancellationReason: ['is needed to annul a concluded degree'] })
  const told = { reason, cancellationReason }
  const terms = { cancellationReason, cancelAcademicTranscript }
  if (!(await agreed(tx, caller, degree, { instituteId, act: 'annul', terms, told }, now))) return undefined
  const ended = { annulled_at: now.toISOString(), was_restored: 0, suspended_until: null }
  const set = { reason, cancellation_reason: cancellationReason, ...ended }
  const moved = { kind: 'Degree', id: degree.id, move: 'annul', set, event: 'DegreeCanceled' } as const
  const row = await change(issuing.context, tx, { ...moved, data: told }, actorOf(caller), now)
  await endTranscript(issuing, tx, caller, row, asked, now)
  return row
}

const proposed = { annul: 'DegreeAnnulmentProposed', restore: 'DegreeRestorationProposed' } as const

interface Decision extends Omit<Weighty, 'itemId'> {
  /** As the audit shows it. */
  readonly told: object
}

/** Whether it may be done now; else it is proposed, which the audit tells. */
export async function agreed(
  tx: Transaction<Tables>,
  caller: Caller,
  { id }: DegreeRow,
  { told, ...decision }: Decision,
  now: Date,
): Promise<boolean> {
  if (await isAgreed(tx, { itemId: id, ...decision }, caller, now)) return true
  await record(tx, caller, { type: proposed[decision.act], entity: { type: 'Degree', id }, data: told }, now)
  return false
}

/** The institution that registered a degree, where it is one of the caller's organization. */
export async function ownRegistrar(
  tx: Transaction<Tables>,
  { subscriptionId }: Caller,
  { registrar_institute_id }: DegreeRow,
): Promise<string | undefined> {
  const own = tx.selectFrom('institute').select('id').where('subscription_id', '=', subscriptionId)
  return (await own.where('id', '=', registrar_institute_id ?? '').executeTakeFirst())?.id
}

/** An annulment enters the list of the registrar: whoever only issued the degree does not annul it. */
async function requireOwnRegistrar(tx: Transaction<Tables>, caller: Caller, degree: DegreeRow): Promise<string> {
  const own = await ownRegistrar(tx, caller, degree)
  if (own === undefined)
    throw refuse('forbidden', { reason: 'A degree is annulled by the institution that registered it.' })
  return own
}

/** What came of a registration request is annulled there, by as many people as the registrar asks for. */
async function requireNoRequest(tx: Transaction<Tables>, { emission_id }: DegreeRow): Promise<void> {
  if (emission_id === null) return
  const request = await tx
    .selectFrom('registration')
    .select('id')
    .where('emission_id', '=', emission_id)
    .where('status', '=', 'Signed')
    .executeTakeFirst()
  if (request) throw refuse('forbidden', { reason: 'It is annulled at its registration request.', request: request.id })
}

/** The final transcript ends with its degree, unless it ended before. */
export async function endTranscript(
  issuing: Issuing,
  tx: Transaction<Tables>,
  caller: Caller,
  { transcript_id: id }: DegreeRow,
  { cancelAcademicTranscript = true, reason }: DegreeCancellation,
  now: Date,
): Promise<void> {
  if (id === null || !cancelAcademicTranscript) return
  const transcript = await findItem(tx, 'AcademicTranscript', id)
  if (transcript && transcript.status !== 'Canceled')
    await changeTranscript(issuing, tx, id, 'cancel', reason, actorOf(caller), now)
}
