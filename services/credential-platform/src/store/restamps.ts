// Archives of signed files, and the plans to renew them (credentials-platform facts 1.8, 2.8).
import { type Db, move, tablesOf } from '@chancela/service-kernel/store'
import type { RestampedDocument, RestampStatus } from '../contract/vocabulary.ts'
import { restampMoves } from '../rules/moves.ts'
import type { DocumentTables, RestampRow } from './document-tables.ts'
import type { ArchiveRow } from './registry-tables.ts'
import type { Tables } from './tables.ts'

/** Signed files whose archives are renewed, by the items they belong to: while valid, and while suspended. */
interface Source {
  readonly table: 'degree' | 'registration' | 'emission' | 'academic_transcript' | 'curriculum'
  readonly name: string
  readonly type: RestampedDocument
  readonly identifier: string
  readonly states: readonly string[]
}

const live = ['Concluded', 'CanceledTemporarily']

export const archiveSources: readonly Source[] = [
  { table: 'degree', name: 'public-xml', type: 'Degree', identifier: 'verification_code', states: live },
  { table: 'degree', name: 'academic-documentation', type: 'AcademicDocumentation', identifier: 'nonce', states: live },
  { table: 'registration', name: 'public-xml', type: 'Degree', identifier: 'verification_code', states: ['Signed'] },
  {
    table: 'registration',
    name: 'academic-documentation',
    type: 'AcademicDocumentation',
    identifier: 'nonce',
    states: ['AwaitingAcceptance', 'Accepted', 'Approved', 'Registered', 'Signed'],
  },
  {
    table: 'emission',
    name: 'academic-documentation',
    type: 'AcademicDocumentation',
    identifier: 'nonce',
    states: ['Signed', 'SentToRegistry'],
  },
  {
    table: 'academic_transcript',
    name: 'xml',
    type: 'AcademicTranscript',
    identifier: 'verification_code',
    states: live,
  },
  { table: 'curriculum', name: 'xml', type: 'Curriculum', identifier: 'validation_code', states: live },
]

interface AnyItem {
  id: string
  status: string
  subscription_id: string
  institute_id: string
  identifier: string
}

// Kysely cannot follow a table and a column named by data; the table above checks the names.
const rows = tablesOf<{ row: AnyItem; item_file: DocumentTables['item_file']; archive: ArchiveRow }>()

/** Files whose newest version was not read yet. */
export const unreadArchives = (db: Db<Tables>, { table, name, identifier, states }: Source, limit: number) =>
  rows(db)
    .selectFrom(`${table} as row` as 'row')
    .innerJoin('item_file', 'item_file.item_id', 'row.id')
    .leftJoin('archive', (join) =>
      join.onRef('archive.item_id', '=', 'row.id').onRef('archive.name', '=', 'item_file.name'),
    )
    .select(['row.id', 'row.subscription_id', 'row.institute_id', 'item_file.digest'])
    .select(`row.${identifier} as identifier` as 'row.identifier')
    .where('item_file.name', '=', name)
    .where('row.status', 'in', [...states])
    .where((row) =>
      row.or([row('archive.digest', 'is', null), row('archive.digest', '<>', row.ref('item_file.digest'))]),
    )
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('item_file as newer')
            .select('newer.version')
            .whereRef('newer.item_id', '=', 'item_file.item_id')
            .whereRef('newer.name', '=', 'item_file.name')
            .whereRef('newer.version', '>', 'item_file.version'),
        ),
      ),
    )
    .orderBy('row.id')
    .limit(limit)
    .execute()

/** Items that are not valid any more: their archives end. */
export async function forgetEnded(db: Db<Tables>, { table, name, type, states }: Source): Promise<void> {
  const ended = rows(db)
    .selectFrom(`${table} as row` as 'row')
    .select('row.id')
    .where('row.status', 'not in', [...states])
  await rows(db)
    .deleteFrom('archive')
    .where('name', '=', name)
    .where('document_type', '=', type)
    .where('item_id', 'in', ended)
    .execute()
}

export async function keepArchive(db: Db<Tables>, row: ArchiveRow): Promise<void> {
  const { item_id: _item, document_type: _type, ...set } = row
  await db
    .insertInto('archive')
    .values(row)
    .onConflict((conflict) => conflict.columns(['item_id', 'document_type']).doUpdateSet(set))
    .execute()
}

/** Archives that end before this moment, and that nobody plans to renew. */
export const unplannedArchives = (db: Db<Tables>, before: Date, limit: number): Promise<readonly ArchiveRow[]> =>
  db
    .selectFrom('archive')
    .selectAll()
    .where('expires_at', '<', before.toISOString())
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('restamp')
            .select('restamp.id')
            .whereRef('restamp.document_id', '=', 'archive.item_id')
            .whereRef('restamp.document_type', '=', 'archive.document_type')
            .where('restamp.status', 'in', ['Scheduled', 'ApplyingError']),
        ),
      ),
    )
    .orderBy('expires_at')
    .limit(limit)
    .execute()

/** Plans that are due now. */
export const dueRestamps = (db: Db<Tables>, now: Date, limit: number): Promise<readonly RestampRow[]> =>
  db
    .selectFrom('restamp')
    .selectAll()
    .where('status', '=', 'Scheduled')
    .where('due_at', '<=', now.toISOString())
    .orderBy('due_at')
    .limit(limit)
    .execute()

/** Those that failed before this moment, and still have something to renew. */
export const failedRestamps = (db: Db<Tables>, before: Date, limit: number): Promise<readonly RestampRow[]> =>
  db
    .selectFrom('restamp')
    .selectAll()
    .where('status', '=', 'ApplyingError')
    .where('updated_at', '<', before.toISOString())
    .where('document_id', 'in', (row) => row.selectFrom('archive').select('archive.item_id'))
    .orderBy('updated_at')
    .limit(limit)
    .execute()

type RestampChange = Partial<Pick<RestampRow, 'archiving_expires_at' | 'due_at' | 'error_reason' | 'updates'>>

export const moveRestamp = (
  db: Db<Tables>,
  id: string,
  name: keyof typeof restampMoves,
  set: RestampChange,
  now: Date,
): Promise<RestampRow | undefined> => {
  const request = { table: 'restamp', column: 'status', moves: restampMoves, move: name, id } as const
  return move(db, { ...request, set: { ...set, updated_at: now.toISOString() } })
}

export const archiveOf = (
  db: Db<Tables>,
  { document_id, document_type }: RestampRow,
): Promise<ArchiveRow | undefined> =>
  db
    .selectFrom('archive')
    .selectAll()
    .where('item_id', '=', document_id)
    .where('document_type', '=', document_type)
    .executeTakeFirst()

export const findRestamp = (db: Db<Tables>, subscriptionId: string, id: string): Promise<RestampRow | undefined> =>
  db
    .selectFrom('restamp')
    .selectAll()
    .where('id', '=', id)
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst()

interface Asked {
  readonly subscriptionId: string
  readonly status: RestampStatus | undefined
  readonly limit: number
  readonly offset: number
}

export async function listRestamps(db: Db<Tables>, { subscriptionId, status, limit, offset }: Asked) {
  const all = db
    .selectFrom('restamp')
    .where('subscription_id', '=', subscriptionId)
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
  const items = await all
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { n } = await all.select((row) => row.fn.countAll<number | string>().as('n')).executeTakeFirstOrThrow()
  return { items, total: Number(n) }
}
