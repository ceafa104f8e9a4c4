// Items of every kind, where they are treated alike.
import { type Db, dialectOf, tablesOf } from '@chancela/service-kernel/store'
import type { EventKind } from '../contract/vocabulary.ts'
import type { DocumentTables } from './document-tables.ts'
import type { Tables } from './tables.ts'

/** What every item has. */
export interface Owner {
  readonly id: string
  readonly subscription_id: string
  readonly institute_id: string
}

/** The table of each kind of event; two kinds tell of emissions. */
export const tableOfKind = {
  Degree: 'degree',
  Emission: 'emission',
  EmissionRegistration: 'emission',
  Registration: 'registration',
  AcademicTranscript: 'academic_transcript',
  Curriculum: 'curriculum',
  CancellationList: 'cancellation_list',
  InspectionFile: 'inspection_file',
  Restamp: 'restamp',
} as const satisfies Readonly<Record<EventKind, keyof DocumentTables>>

export type RowOfKind<Kind extends EventKind> = DocumentTables[(typeof tableOfKind)[Kind]]

// Kysely cannot follow a table named by a type parameter; the signatures check the names.
const rows = tablesOf<{ row: Owner }>()

/** An item as it is now; undefined where there is none. */
export async function findItem<Kind extends EventKind>(
  db: Db<Tables>,
  kind: Kind,
  id: string,
): Promise<RowOfKind<Kind> | undefined> {
  const row = await rows(db)
    .selectFrom(tableOfKind[kind] as 'row')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row as unknown as RowOfKind<Kind> | undefined
}

/** Whose each of some items of a subscription is; those of others are left out. */
export const ownersOf = (
  db: Db<Tables>,
  kind: EventKind,
  subscriptionId: string,
  ids: readonly string[],
): Promise<readonly Owner[]> =>
  rows(db)
    .selectFrom(tableOfKind[kind] as 'row')
    .select(['id', 'institute_id', 'subscription_id'])
    .where('subscription_id', '=', subscriptionId)
    .where('id', 'in', ids)
    .execute()

/** Whoever changes the item meanwhile is waited for: what is read of it from now on holds until the transaction ends. */
export async function lockItem(db: Db<Tables>, kind: EventKind, id: string): Promise<void> {
  // On SQLite transactions are serialized.
  if (dialectOf(db) !== 'postgres') return
  await rows(db)
    .selectFrom(tableOfKind[kind] as 'row')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .execute()
}

/** What items tell of their document at the document platform. */
interface AtPlatform {
  readonly signer_document_id?: string | null
  readonly signer_document_url?: string | null
  readonly signing_error?: string | null
}

const signedRows = tablesOf<{ row: Owner & AtPlatform }>()

/** Every kind that has documents has these columns. */
export async function tellPlatform(
  db: Db<Tables>,
  kind: Exclude<EventKind, 'Restamp'>,
  id: string,
  set: AtPlatform,
): Promise<void> {
  await signedRows(db)
    .updateTable(tableOfKind[kind] as 'row')
    .set(set)
    .where('id', '=', id)
    .execute()
}
