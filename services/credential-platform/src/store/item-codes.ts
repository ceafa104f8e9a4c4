// Codes by which the public finds documents: no two of an instance have one.
import type { Db } from '@chancela/service-kernel/store'
import type { CurriculumRow } from './document-tables.ts'
import type { Tables } from './tables.ts'

const codeColumns = {
  degree: 'verification_code',
  registration: 'verification_code',
  academic_transcript: 'verification_code',
  curriculum: 'validation_code',
} as const

/** Whether an item of this kind has the code. */
export async function isCodeTaken(db: Db<Tables>, table: keyof typeof codeColumns, code: string): Promise<boolean> {
  const column = codeColumns[table] as 'verification_code'
  const query = db.selectFrom(table as 'degree').select('id')
  return (await query.where(column, '=', code).executeTakeFirst()) !== undefined
}

/** Whether a degree, here or at a partner's, has this verification code. */
export const isDegreeCodeTaken = async (db: Db<Tables>, code: string): Promise<boolean> =>
  (await isCodeTaken(db, 'degree', code)) || (await isCodeTaken(db, 'registration', code))

/** The curriculum of an institution under a code that is signed, or being signed. */
export const liveCurriculum = (db: Db<Tables>, instituteId: string, code: string): Promise<CurriculumRow | undefined> =>
  db
    .selectFrom('curriculum')
    .selectAll()
    .where('institute_id', '=', instituteId)
    .where('code', '=', code)
    .where('status', '<>', 'Canceled')
    .executeTakeFirst()
