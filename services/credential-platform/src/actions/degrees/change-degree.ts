// A degree is suspended, restored, annulled, or canceled before it was one (credentials-platform facts 2.1).
import type { Transaction } from 'kysely'
import type { DegreeCancellation } from '../../contract/degrees.ts'
import type { EventModels } from '../../contract/models.ts'
import { refuse, wrongData } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import type { DegreeRow } from '../../store/document-tables.ts'
import { findItem } from '../../store/items.ts'
import { freeBookEntry } from '../../store/registry.ts'
import type { Tables } from '../../store/tables.ts'
import type { Issuing } from '../curriculums/curriculums.ts'
import { actorOf, change, requireMayEnd } from '../items/item-changes.ts'
import { requiredItem, viewOf } from '../items/item-reads.ts'
import { requiredInstitute } from '../tenants/institutes.ts'
import { changeTranscript, insertTranscript } from '../transcripts/transcripts.ts'
import { degreeTranscript } from './make-degree.ts'

type Answer = Promise<EventModels['Degree']>

export const cancel = (issuing: Issuing, caller: Caller, id: string, asked: DegreeCancellation, now: Date): Answer =>
  issuing.context.store.transaction(async (tx) => {
    const degree = await requiredItem(tx, caller, 'Degree', id)
    const row = await ways[wayOf(degree, asked)](issuing, tx, caller, degree, asked, now)
    return viewOf('Degree', row)
  })

type Way = (
  issuing: Issuing,
  tx: Transaction<Tables>,
  caller: Caller,
  degree: DegreeRow,
  asked: DegreeCancellation,
  now: Date,
) => Promise<DegreeRow>

const pending = ['Pending', 'PendingPublicXml']

const wayOf = ({ status }: DegreeRow, { temporary = false }: DegreeCancellation) =>
  temporary ? 'suspend' : pending.includes(status) ? 'cancel' : 'annul'

const ways: Readonly<Record<ReturnType<typeof wayOf>, Way>> = {
  suspend({ context }, tx, caller, { id }, { reason, cancellationReason }, now) {
    requireNoCancellationReason(cancellationReason, 'is of annulments, not of suspensions')
    const set = { reason, was_restored: 0 }
    const moved = { kind: 'Degree', id, move: 'suspend', set, event: 'DegreeCanceledTemporarily' } as const
    return change(context, tx, { ...moved, data: { reason } }, actorOf(caller), now)
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

  async annul(issuing, tx, caller, degree, asked, now) {
    requireMayEnd(caller, degree)
    await requireOwnRegistrar(tx, caller, degree)
    await requireNoRequest(tx, degree)
    const { reason, cancellationReason } = asked
    if (cancellationReason === undefined)
      throw wrongData({ cancellationReason: ['is needed to annul a concluded degree'] })
    const set = { reason, cancellation_reason: cancellationReason, annulled_at: now.toISOString(), was_restored: 0 }
    const moved = { kind: 'Degree', id: degree.id, move: 'annul', set, event: 'DegreeCanceled' } as const
    const told = { ...moved, data: { reason, cancellationReason } }
    const row = await change(issuing.context, tx, told, actorOf(caller), now)
    await endTranscript(issuing, tx, caller, row, asked, now)
    return row
  },
}

function requireNoCancellationReason(given: string | undefined, sentence: string): void {
  if (given !== undefined) throw wrongData({ cancellationReason: [sentence] })
}

/** An annulment enters the list of the registrar: whoever only issued the degree does not annul it. */
async function requireOwnRegistrar(
  tx: Transaction<Tables>,
  { subscriptionId }: Caller,
  degree: DegreeRow,
): Promise<void> {
  const registrar = degree.registrar_institute_id
  const own = await tx
    .selectFrom('institute')
    .select('id')
    .where('id', '=', registrar ?? '')
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst()
  if (!own) throw refuse('forbidden', { reason: 'A degree is annulled by the institution that registered it.' })
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
async function endTranscript(
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

export const restore = ({ context }: Issuing, caller: Caller, id: string, reason: string, now: Date): Answer =>
  context.store.transaction(async (tx) => {
    const degree = await requiredItem(tx, caller, 'Degree', id)
    const set = { reason, was_restored: 1 }
    const moved = { kind: 'Degree', id: degree.id, move: 'restore', set, event: 'DegreeRestored' } as const
    return viewOf('Degree', await change(context, tx, { ...moved, data: { reason } }, actorOf(caller), now))
  })

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
