import { sealedTable } from '@chancela/service-kernel/secrets'
import type { Db } from '@chancela/service-kernel/store'
import type { Tables } from './tables.ts'
import type { InstituteCertificateRow } from './tenant-tables.ts'

/** A key opens for its institution alone. */
export const keyContext = (instituteId: string): string => `institute_certificate ${instituteId} key`

/** For the sealed tables of the service, so that a rotation of the master key includes them. */
export const sealedInstituteCertificates = sealedTable<InstituteCertificateRow>({
  table: 'institute_certificate',
  idColumn: 'institute_id',
  columns: ['sealed_key'],
  context: ({ institute_id }) => keyContext(institute_id),
})

export const findCertificate = (db: Db<Tables>, instituteId: string): Promise<InstituteCertificateRow | undefined> =>
  db.selectFrom('institute_certificate').selectAll().where('institute_id', '=', instituteId).executeTakeFirst()

/** The next institutions with a key, in the order of their ids. */
export const certificatesAfter = (
  db: Db<Tables>,
  { after, most }: { readonly after: string; readonly most: number },
): Promise<readonly Pick<InstituteCertificateRow, 'institute_id'>[]> =>
  db
    .selectFrom('institute_certificate')
    .select('institute_id')
    .where('institute_id', '>', after)
    .orderBy('institute_id')
    .limit(most)
    .execute()

/** The certificate of an institution that ends first; undefined where none has one. */
export const firstToEnd = (
  db: Db<Tables>,
): Promise<Pick<InstituteCertificateRow, 'created_at' | 'not_after'> | undefined> =>
  db
    .selectFrom('institute_certificate')
    .select(['created_at', 'not_after'])
    .orderBy('not_after')
    .limit(1)
    .executeTakeFirst()

export async function writeCertificate(db: Db<Tables>, row: InstituteCertificateRow): Promise<void> {
  const { institute_id: _, ...set } = row
  await db
    .insertInto('institute_certificate')
    .values(row)
    .onConflict((conflict) => conflict.column('institute_id').doUpdateSet(set))
    .execute()
}

export async function deleteCertificate(db: Db<Tables>, instituteId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('institute_certificate')
    .where('institute_id', '=', instituteId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
