// Rows of lists and inspection files, and the degrees they name.
import { type Db, move } from '@chancela/service-kernel/store'
import type { CancellationReason } from '../contract/vocabulary.ts'
import { cancellationListMoves, inspectionFileMoves } from '../rules/moves.ts'
import type { CancellationListRow, InspectionFileRow } from './document-tables.ts'
import type { Tables } from './tables.ts'
import type { InstituteRow } from './tenant-tables.ts'

/** The newest list of a registrar, signed or not. */
export const newestList = (db: Db<Tables>, instituteId: string): Promise<CancellationListRow | undefined> =>
  db
    .selectFrom('cancellation_list')
    .selectAll()
    .where('institute_id', '=', instituteId)
    .orderBy('sequence_number', 'desc')
    .limit(1)
    .executeTakeFirst()

export interface AnnulledDegree {
  readonly code: string
  readonly annulledAt: string
  readonly reason: CancellationReason
  readonly note: string | null
}

/** Every degree ever annulled that the institution registered: for itself, and for others. */
export async function annulledDegrees(db: Db<Tables>, instituteId: string): Promise<readonly AnnulledDegree[]> {
  const columns = [
    'verification_code as code',
    'annulled_at as annulledAt',
    'cancellation_reason as reason',
    'reason as note',
  ] as const
  const own = await db
    .selectFrom('degree')
    .select(columns)
    .where('registrar_institute_id', '=', instituteId)
    .where('annulled_at', 'is not', null)
    .execute()
  const others = await db
    .selectFrom('registration')
    .select(columns)
    .where('institute_id', '=', instituteId)
    .where('annulled_at', 'is not', null)
    .execute()
  const byCode = new Map([...own, ...others].map((row) => [row.code, row as AnnulledDegree]))
  return [...byCode.values()].toSorted((a, b) =>
    a.annulledAt < b.annulledAt ? -1 : a.annulledAt > b.annulledAt ? 1 : 0,
  )
}

/** Institutions that register, and have registered something. */
export const activeRegistrars = (db: Db<Tables>): Promise<readonly InstituteRow[]> =>
  db
    .selectFrom('institute as i')
    .innerJoin('subscription as s', 's.id', 'i.subscription_id')
    .selectAll('i')
    .where('i.kind', '<>', 'Issuer')
    .where('i.deleted_at', 'is', null)
    .where('s.disabled_at', 'is', null)
    .where((row) =>
      row.or([
        row.exists(
          row
            .selectFrom('registration as r')
            .select('r.id')
            .whereRef('r.institute_id', '=', 'i.id')
            .where('r.sent_to_issuer_at', 'is not', null),
        ),
        row.exists(
          row
            .selectFrom('degree as d')
            .select('d.id')
            .whereRef('d.registrar_institute_id', '=', 'i.id')
            .where('d.concluded_at', 'is not', null),
        ),
        row.exists(row.selectFrom('cancellation_list as l').select('l.id').whereRef('l.institute_id', '=', 'i.id')),
      ]),
    )
    .execute()

export const moveList = (db: Db<Tables>, id: string, now: Date): Promise<CancellationListRow | undefined> => {
  const request = {
    table: 'cancellation_list',
    column: 'status',
    moves: cancellationListMoves,
    move: 'sign',
    id,
  } as const
  const at = now.toISOString()
  return move(db, { ...request, set: { signed_at: at, updated_at: at } })
}

export const moveInspection = (
  db: Db<Tables>,
  id: string,
  name: keyof typeof inspectionFileMoves,
  set: Partial<Pick<InspectionFileRow, 'inspected_degrees' | 'details'>>,
  now: Date,
): Promise<InspectionFileRow | undefined> => {
  const request = { table: 'inspection_file', column: 'status', moves: inspectionFileMoves, move: name, id } as const
  return move(db, { ...request, set: { ...set, updated_at: now.toISOString() } })
}

/** Files that are yet to be made, the oldest first. */
export const waitingInspections = (db: Db<Tables>, limit: number): Promise<readonly InspectionFileRow[]> =>
  db
    .selectFrom('inspection_file')
    .selectAll()
    .where('status', '=', 'Generating')
    .orderBy('created_at')
    .limit(limit)
    .execute()

interface Period {
  readonly instituteId: string
  readonly startDate: string
  readonly endDate: string
}

/** What an institution issued in a period, by the day of expedition. */
export const issuedDegrees = (db: Db<Tables>, { instituteId, startDate, endDate }: Period) =>
  db
    .selectFrom('degree')
    .select(['id', 'verification_code', 'student_cpf', 'emission_date', 'registration_date'])
    .where('institute_id', '=', instituteId)
    .where('emission_date', '>=', startDate)
    .where('emission_date', '<=', endDate)
    .where('concluded_at', 'is not', null)
    .orderBy('emission_date')
    .orderBy('id')
    .execute()

/** What an institution registered in a period: for itself, and for others. */
export async function registeredDegrees(db: Db<Tables>, { instituteId, startDate, endDate }: Period) {
  const columns = ['id', 'verification_code', 'student_cpf', 'registration_date', 'book', 'nonce'] as const
  const own = await db
    .selectFrom('degree')
    .select(columns)
    .where('registrar_institute_id', '=', instituteId)
    .where('registration_date', '>=', startDate)
    .where('registration_date', '<=', endDate)
    .where('concluded_at', 'is not', null)
    .orderBy('registration_date')
    .execute()
  const others = await db
    .selectFrom('registration')
    .select(columns)
    .where('institute_id', '=', instituteId)
    .where('registration_date', '>=', startDate)
    .where('registration_date', '<=', endDate)
    .where('sent_to_issuer_at', 'is not', null)
    .orderBy('registration_date')
    .execute()
  // A degree of an issuer on this platform is there twice, under one code.
  return [...new Map([...own, ...others].map((row) => [row.verification_code, row])).values()]
}

const auxiliary = { cancellation_list: true, inspection_file: true } as const

export type AuxiliaryTable = keyof typeof auxiliary

/** A page of the lists or files of an institution, the newest first, and how many there are. */
export async function pageOfInstitute<Table extends AuxiliaryTable>(
  db: Db<Tables>,
  table: Table,
  { instituteId, limit, offset }: { readonly instituteId: string; readonly limit: number; readonly offset: number },
): Promise<{ readonly items: readonly Tables[Table][]; readonly total: number }> {
  const all = db.selectFrom(table as 'cancellation_list').where('institute_id', '=', instituteId)
  const items = await all
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { n } = await all.select((row) => row.fn.countAll<number | string>().as('n')).executeTakeFirstOrThrow()
  return { items: items as unknown as Tables[Table][], total: Number(n) }
}

export async function oneOfInstitute<Table extends AuxiliaryTable>(
  db: Db<Tables>,
  table: Table,
  instituteId: string,
  id: string,
): Promise<Tables[Table] | undefined> {
  const query = db.selectFrom(table as 'cancellation_list').selectAll()
  const row = await query.where('institute_id', '=', instituteId).where('id', '=', id).executeTakeFirst()
  return row as unknown as Tables[Table] | undefined
}
