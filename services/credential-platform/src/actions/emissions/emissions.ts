// Emissions: the academic documentation of a degree that another institution registers, until it is signed
// (credentials-platform facts 2.2).
import { WRITTEN_VERSION } from '@chancela/academic-documents/layouts'
import { type Db, newRowId } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { NewEmission } from '../../contract/degrees.ts'
import type { EventModels } from '../../contract/models.ts'
import type { KeptBytes } from '../../parts/signing/desk.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import type { EmissionRow } from '../../store/document-tables.ts'
import { addTerms } from '../../store/item-terms.ts'
import type { Tables } from '../../store/tables.ts'
import type { Issuing, Making } from '../curriculums/curriculums.ts'
import { makeDocumentation } from '../degrees/documentation.ts'
import { studentColumns } from '../degrees/make-degree.ts'
import { type ChosenFlow, courseOf, flowOf, requireIssuer } from '../items/institution-data.ts'
import { type Actor, actorOf, change, signingDesk, tellCreated } from '../items/item-changes.ts'
import { requiredItem, viewOf } from '../items/item-reads.ts'
import { unsigned } from '../items/making.ts'
import { once } from '../once.ts'
import { cancelRequestOf } from '../registrations/cancel.ts'
import { requiredInstitute } from '../tenants/institutes.ts'

type Answer = Promise<EventModels['EmissionRegistration']>

export async function create(
  issuing: Issuing,
  caller: Caller,
  asked: NewEmission,
  key: string | undefined,
  now: Date,
): Answer {
  const { context } = issuing
  const made = await makeEmission(issuing, await emissionPlace(context.store.db, caller, asked), asked, now)
  const asking = { caller, operation: 'createEmission', key, request: asked }
  return once(context, asking, (tx) => insertEmission(issuing, tx, actorOf(caller), made, now), now)
}

/** Where emissions are made, and by whom they are signed: the same for every emission of a batch. */
export type EmissionPlace = Awaited<ReturnType<typeof emissionPlace>>

export async function emissionPlace(db: Db<Tables>, caller: Caller, asked: Omit<NewEmission, 'data'>) {
  const institute = await requiredInstitute(db, caller, asked.instituteId)
  requireIssuer(institute)
  const course = await courseOf(db, caller, institute, asked.courseId)
  return { institute, course, flow: await flowOf(db, caller, institute, 'AcademicDocumentation', asked.flowId) }
}

export interface MadeEmission {
  readonly row: EmissionRow
  readonly kept: KeptBytes
  readonly flow: ChosenFlow | undefined
}

interface EmissionContent extends Pick<NewEmission, 'data'> {
  readonly batchId?: string
}

/** Writes an emission and stores its bytes; nothing is inserted yet. */
export async function makeEmission(
  { desk }: Making,
  { institute, course, flow }: EmissionPlace,
  { data, batchId }: EmissionContent,
  now: Date,
): Promise<MadeEmission> {
  const documentation = makeDocumentation(data, institute, course)
  const kept = await desk.keep(documentation.bytes)
  const { nonce, form, request, student, course: studies } = documentation
  const at = now.toISOString()
  const row: EmissionRow = {
    id: newRowId(now),
    subscription_id: institute.subscription_id,
    institute_id: institute.id,
    version: WRITTEN_VERSION,
    status: 'Created',
    status_before: null,
    ...studentColumns(documentation, institute),
    course_id: course?.id ?? null,
    ...unsigned,
    flow_id: flow?.id ?? null,
    nonce,
    reason: null,
    partnership_id: null,
    registrar_institute_id: null,
    registration_id: null,
    registration_status: null,
    registration_cancellation_reason: null,
    degree_id: null,
    batch_id: batchId ?? null,
    input: JSON.stringify({ nonce, form, request, student, course: studies }),
    sent_at: null,
    created_at: at,
    updated_at: at,
  }
  return { row, kept, flow }
}

/** Inserts an emission that was made, and has it signed. */
export async function insertEmission(
  { context, desk }: Issuing,
  tx: Transaction<Tables>,
  actor: Actor,
  { row, kept, flow }: MadeEmission,
  now: Date,
) {
  await tx.insertInto('emission').values(row).execute()
  await addTerms(tx, 'emission', [row])
  const owner = { kind: 'Emission', item: row } as const
  const given = { owner, documentKind: 'academicDocumentation', kept, fileName: 'academic-documentation' } as const
  await desk.open(tx, { ...given, flow: flow?.steps }, now)
  await tellCreated(context, tx, 'Emission', row, actor, now)
  return viewOf('Emission', row)
}

/** The last signature of its documentation makes an emission ready to be sent. */
export function signEmissions({ context, desk }: Issuing): void {
  desk.onClosed('Emission', {
    async closed(tx, { owner_id: id }, _, now) {
      await change(context, tx, { kind: 'Emission', id, move: 'sign', event: 'EmissionSigned' }, signingDesk, now)
    },
  })
}

export const cancel = ({ context, desk }: Issuing, caller: Caller, id: string, reason: string, now: Date): Answer =>
  context.store.transaction(async (tx) => {
    const emission = await requiredItem(tx, caller, 'Emission', id)
    const set = { reason, status_before: emission.status }
    const moved = { kind: 'Emission', id: emission.id, move: 'cancel', set, event: 'EmissionCanceled' } as const
    const row = await change(context, tx, { ...moved, data: { reason } }, actorOf(caller), now)
    await desk.withdraw(tx, row.id, now)
    await cancelRequestOf({ context, desk }, tx, row, now)
    return viewOf('Emission', row)
  })

const returns = {
  Created: 'restoreCreated',
  Signed: 'restoreSigned',
  SentToRegistry: 'restoreSentToRegistry',
} as const

/** Back to what it was; there is no event of it, as none is named. */
export const restore = ({ context, desk }: Issuing, caller: Caller, id: string, reason: string, now: Date): Answer =>
  context.store.transaction(async (tx) => {
    const { id: own, status, status_before } = await requiredItem(tx, caller, 'Emission', id)
    const move = returns[(status_before ?? '') as keyof typeof returns]
    if (status !== 'Canceled' || move === undefined) throw refuse('invalid-transition', { status, allowed: 'Canceled' })
    const set = { reason, status_before: null }
    const moved = { kind: 'Emission', id: own, move, set, event: 'EmissionRestored', silent: true } as const
    const row = await change(context, tx, { ...moved, data: { reason } }, actorOf(caller), now)
    await desk.resume(tx, own, now)
    return viewOf('Emission', row)
  })
