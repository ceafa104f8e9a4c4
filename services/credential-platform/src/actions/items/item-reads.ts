// Items as callers read them: lists, one of them, and their files.
import type { Db } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import type { EventModels } from '../../contract/models.ts'
import { askedOf, pageOf } from '../../rules/paging.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { idOf } from '../../rules/texts.ts'
import { newestFile } from '../../store/documents.ts'
import { searchItems } from '../../store/item-search.ts'
import { findItem, lockItem, type RowOfKind, tableOfKind } from '../../store/items.ts'
import type { Tables } from '../../store/tables.ts'
import { curriculumView, degreeView, emissionRegistrationView, registrationView, transcriptView } from './item-views.ts'
import { isRepresentation, type Represented, representation } from './representations.ts'

const absent = {
  Degree: 'degree-not-found',
  Emission: 'emission-not-found',
  Registration: 'registration-not-found',
  AcademicTranscript: 'academic-transcript-not-found',
  Curriculum: 'curriculum-not-found',
} as const satisfies Readonly<Record<string, ErrorCode>>

export type ReadKind = keyof typeof absent

/** Whoever reads an emission also sees what the registrar does with it. */
type ModelOf<Kind extends ReadKind> = EventModels[Kind extends 'Emission' ? 'EmissionRegistration' : Kind]

const views: { readonly [Kind in ReadKind]: (row: RowOfKind<Kind>) => ModelOf<Kind> } = {
  Degree: degreeView,
  Emission: emissionRegistrationView,
  Registration: registrationView,
  AcademicTranscript: transcriptView,
  Curriculum: curriculumView,
}

/** An item as the models show it. */
export const viewOf = <Kind extends ReadKind>(kind: Kind, row: RowOfKind<Kind>): ModelOf<Kind> => views[kind](row)

/** An item of the caller's organization; that of another does not exist. */
export async function requiredItem<Kind extends ReadKind>(
  db: Db<Tables>,
  { subscriptionId }: Pick<Caller, 'subscriptionId'>,
  kind: Kind,
  id: string,
): Promise<RowOfKind<Kind>> {
  const row = await findItem(db, kind, idOf(id))
  if (row?.subscription_id !== subscriptionId) throw refuse(absent[kind], { id })
  return row
}

/** The same for whoever decides on it: of several at the same moment each sees what the one before did. */
export async function lockedItem<Kind extends ReadKind>(
  tx: Transaction<Tables>,
  caller: Pick<Caller, 'subscriptionId'>,
  kind: Kind,
  id: string,
): Promise<RowOfKind<Kind>> {
  const { id: own } = await requiredItem(tx, caller, kind, id)
  await lockItem(tx, kind, own)
  return requiredItem(tx, caller, kind, own)
}

export const readItem = async <Kind extends ReadKind>({ store }: Context, caller: Caller, kind: Kind, id: string) =>
  viewOf(kind, await requiredItem(store.db, caller, kind, id))

interface ItemQuery {
  readonly q?: string
  readonly page?: number
  readonly pageSize?: number
  readonly status?: string
  readonly instituteId?: string
  readonly batchId?: string
  readonly from?: string
  readonly to?: string
}

/** What one status of the models is in the store. */
const statesOf = (status: string): readonly string[] =>
  status === 'Pending' ? ['Pending', 'PendingPublicXml'] : [status]

const moment = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : new Date(text).toISOString()

export async function listItems<Kind extends ReadKind>(
  { store }: Context,
  { subscriptionId }: Caller,
  kind: Kind,
  query: ItemQuery,
) {
  const asked = askedOf(query)
  const { items, total } = await searchItems(store.db, tableOfKind[kind], {
    ...asked,
    subscriptionId,
    statuses: query.status === undefined ? undefined : statesOf(query.status),
    instituteId: query.instituteId === undefined ? undefined : idOf(query.instituteId),
    batchId: query.batchId === undefined ? undefined : idOf(query.batchId),
    from: moment(query.from),
    to: moment(query.to),
  })
  return pageOf(
    asked,
    items.map((row) => viewOf(kind, row as unknown as RowOfKind<Kind>)),
    total,
  )
}

/** A file of an item: as it was signed, or drawn from that. */
export async function readFile(
  context: Context,
  caller: Caller,
  kind: ReadKind,
  { id, name }: { readonly id: string; readonly name: string },
) {
  const { store } = context
  const item = await requiredItem(store.db, caller, kind, id)
  const file = isRepresentation(name)
    ? await representation(context, representedOf(item), name)
    : await newestFile(store.db, item.id, name)
  if (!file) throw refuse('file-not-found', { name })
  return file
}

/** Kinds name their codes differently, and some have no representation. */
export const representedOf = (item: RowOfKind<ReadKind>): Represented => {
  const {
    verification_code = null,
    validation_code = verification_code,
    concluded_at = null,
  } = item as {
    verification_code?: string | null
    validation_code?: string | null
    concluded_at?: string | null
  }
  const { id, subscription_id, institute_id } = item
  return { id, subscription_id, institute_id, concluded_at, code: validation_code }
}
