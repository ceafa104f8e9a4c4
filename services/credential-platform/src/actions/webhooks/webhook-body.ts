// The body of a delivery: type and data of the item as it is when it is sent (spec 3 B; credentials-platform facts 4.1).
import type { Context } from '../../context.ts'
import type { EventType } from '../../contract/event-types.ts'
import type { EventModels } from '../../contract/models.ts'
import { type EventKind, eventKinds } from '../../contract/vocabulary.ts'
import { eventTypeOf } from '../../rules/event-type.ts'
import { findItem, type RowOfKind } from '../../store/items.ts'
import * as views from '../items/item-views.ts'

/** What is told of an item; without a type there is nothing to tell. */
interface Told<Kind extends EventKind = EventKind> {
  readonly type: EventType | undefined
  readonly data: EventModels[Kind]
}

type Telling = { readonly [Kind in EventKind]: (row: RowOfKind<Kind>) => Told<Kind> }

const told: Telling = {
  Degree: (row) => ({
    type: eventTypeOf('Degree', { status: row.status, wasRestored: row.was_restored === 1 }),
    data: views.degreeView(row),
  }),
  Emission: (row) => ({ type: eventTypeOf('Emission', row), data: views.emissionView(row) }),
  EmissionRegistration: (row) => ({
    type: eventTypeOf('EmissionRegistration', { registrationStatus: row.registration_status }),
    data: views.emissionRegistrationView(row),
  }),
  Registration: (row) => ({ type: eventTypeOf('Registration', row), data: views.registrationView(row) }),
  AcademicTranscript: (row) => ({ type: eventTypeOf('AcademicTranscript', row), data: views.transcriptView(row) }),
  Curriculum: (row) => ({ type: eventTypeOf('Curriculum', row), data: views.curriculumView(row) }),
  CancellationList: (row) => ({
    type: eventTypeOf('CancellationList', row),
    data: views.cancellationListView(row),
  }),
  InspectionFile: (row) => ({ type: eventTypeOf('InspectionFile', row), data: views.inspectionFileView(row) }),
  Restamp: (row) => ({
    type: eventTypeOf('Restamp', { status: row.status, wasUpdated: row.updates > 0 }),
    data: views.restampView(row),
  }),
}

const isKind = (text: string): text is EventKind => (eventKinds as readonly string[]).includes(text)

interface Queued {
  readonly type: string
  readonly subject: string
}

/** Undefined where there is nothing to tell: the item is gone, or its kind is not told of any more. */
export async function webhookBody(
  { store, settings }: Pick<Context, 'store' | 'settings'>,
  { type: kind, subject }: Queued,
): Promise<string | undefined> {
  if (!isKind(kind) || (kind === 'Restamp' && !settings.Webhooks.RestampEvents)) return undefined
  const row = await findItem(store.db, kind, subject)
  if (!row) return undefined
  const { type, data } = (told[kind] as (row: unknown) => Told)(row)
  return type === undefined ? undefined : JSON.stringify({ type, data })
}
