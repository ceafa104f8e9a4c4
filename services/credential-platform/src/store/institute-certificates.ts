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
