// A degree is suspended, restored, annulled, or canceled before it was one (credentials-platform facts 2.1).
import type { Transaction } from 'kysely'
import type { DegreeCancellation } from '../../contract/degrees.ts'
import type { EventModels } from '../../contract/models.ts'
import { refuse, wrongData } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import type { DegreeRow } from '../../store/document-tables.ts'
import { endProposals } from '../../store/proposals.ts'
import { freeBookEntry } from '../../store/registry.ts'
import type { Tables } from '../../store/tables.ts'
import type { Issuing } from '../curriculums/curriculums.ts'
import { actorOf, change, requireMove } from '../items/item-changes.ts'
import { lockedItem, requiredItem, viewOf } from '../items/item-reads.ts'
import type { Outcome } from '../items/two-people.ts'
import { requiredInstitute } from '../tenants/institutes.ts'
import { insertTranscript } from '../transcripts/transcripts.ts'
import { agreed, annul, endTranscript, ownRegistrar, type Way } from './annul-degree.ts'
import { degreeTranscript } from './make-degree.ts'

type Answer = Promise<Outcome<EventModels['Degree']>>

export const cancel = (issuing: Issuing, caller: Caller, id: string, asked: DegreeCancellation, now: Date): Answer =>
  issuing.context.store.transaction(async (tx) => {
    const degree = await lockedItem(tx, caller, 'Degree', id)
    if (asked.until !== undefined && !asked.temporary) throw wrongData({ until: ['is of suspensions'] })
    const row = await ways[wayOf(degree, asked)](issuing, tx, caller, degree, asked, now)
    return outcomeOf(degree, row)
  })

export const restore = ({ context }: Issuing, caller: Caller, id: string, reason: string, now: Date): Answer =>
  context.store.transaction(async (tx) => {
    const degree = await lockedItem(tx, caller, 'Degree', id)
    requireMove('Degree', degree, 'restore')
    const instituteId = (await ownRegistrar(tx, caller, degree)) ?? degree.institute_id
    if (!(await agreed(tx, caller, degree, { instituteId, act: 'restore', terms: {}, told: { reason } }, now)))
      return outcomeOf(degree, undefined)
    const set = { reason, was_restored: 1, suspended_until: null }
    const moved = { kind: 'Degree', id: degree.id, move: 'restore', set, event: 'DegreeRestored' } as const
    return outcomeOf(degree, await change(context, tx, { ...moved, data: { reason } }, actorOf(caller), now))
  })

/** Undefined of a change that is only proposed. */
const outcomeOf = (known: DegreeRow, changed: DegreeRow | undefined): Outcome<EventModels['Degree']> => ({
  model: viewOf('Degree', changed ?? known),
  isProposed: changed === undefined,
})

const pending = ['Pending', 'PendingPublicXml']

const wayOf = ({ status }: DegreeRow, { temporary = false }: DegreeCancellation) =>
  temporary ? 'suspend' : pending.includes(status) ? 'cancel' : 'annul'

const ways: Readonly<Record<ReturnType<typeof wayOf>, Way>> = {
  async suspend({ context }, tx, caller, { id }, { reason, cancellationReason, until }, now) {
    requireNoCancellationReason(cancellationReason, 'is of annulments, not of suspensions')
    await endProposals(tx, id)
    const set = { reason, was_restored: 0, suspended_until: until === undefined ? null : endOf(until, now) }
    const moved = { kind: 'Degree', id, move: 'suspend', set, event: 'DegreeCanceledTemporarily' } as const
    return change(context, tx, { ...moved, data: { reason, ...(until && { until }) } }, actorOf(caller), now)
  },

  /** One that never was a degree is in no list. */
  async cancel(issuing, tx, caller, degree, asked, now) {
    const { reason, cancellationReason } = asked
    requireNoCancellationReason(cancellationReason, 'is of concluded degrees')
    const moved = { kind: 'Degree', id: degree.id, move: 'cancel', set: { reason }, event: 'DegreeCanceled' } as const
    const row = await change(issuing.context, tx, { ...moved, data: { reason } }, actorOf(caller), now)
    await issuing.desk.withdraw(tx, row.id, now)
    if (row.verification_code === null) await freeBookEntry(tx, row.id)
    await endTranscript(issuing, tx, caller, row, asked, now)
    return row
  },

  annul,
}

/** When a day begins in Brasília, which has had no summer time since 2019. */
function endOf(day: string, now: Date): string {
  const end = new Date(`${day}T00:00:00-03:00`)
  if (end <= now) throw wrongData({ until: ['must be a day to come'] })
  return end.toISOString()
}

function requireNoCancellationReason(given: string | undefined, sentence: string): void {
  if (given !== undefined) throw wrongData({ cancellationReason: [sentence] })
}

/** For a degree that was made without a transcript, or whose transcript failed or was canceled. */
export async function createTranscript(
  issuing: Issuing,
  caller: Caller,
  id: string,
  flowId: string | null | undefined,
  now: Date,
): Promise<EventModels['AcademicTranscript']> {
  const { store } = issuing.context
  const degree = await requiredItem(store.db, caller, 'Degree', id)
  if (degree.status === 'Canceled') throw refuse('invalid-transition', { status: degree.status })
  const institute = await requiredInstitute(store.db, caller, degree.institute_id)
  const made = await degreeTranscript(issuing, caller, degree, institute, flowId, now)
  return store.transaction(async (tx) => {
    const set = { transcript_id: made.row.id, transcript_creation_error: null, updated_at: now.toISOString() }
    const linked = await tx
      .updateTable('degree')
      .set(set)
      .where('id', '=', degree.id)
      .where((row) => row.or([row('transcript_id', 'is', null), row('transcript_id', 'in', canceledTranscripts(tx))]))
      .executeTakeFirst()
    if (linked.numUpdatedRows === 0n) throw refuse('already-exists', { fields: { id: ['has a transcript'] } })
    await insertTranscript(issuing, tx, made, actorOf(caller), now)
    return viewOf('AcademicTranscript', made.row)
  })
}

const canceledTranscripts = (tx: Transaction<Tables>) =>
  tx.selectFrom('academic_transcript').select('id').where('status', '=', 'Canceled')
