// Rules of an institute's registry, who did what with a request, and the lines of the book.
import { type Db, isUniqueViolation } from '@chancela/service-kernel/store'
import { refuse } from '../rules/refuse.ts'
import type { Caller } from '../rules/rights.ts'
import type { RegistrationActRow, RegistryAct, RegistrySettingsRow } from './registry-tables.ts'
import type { Tables } from './tables.ts'

export type RegistryRules = Pick<RegistrySettingsRow, 'requires_two_people' | 'list_days'>

const defaults: RegistryRules = { requires_two_people: 1, list_days: 30 }

export async function registryRules(db: Db<Tables>, instituteId: string): Promise<RegistryRules> {
  const query = db.selectFrom('registry_settings').selectAll().where('institute_id', '=', instituteId)
  return (await query.executeTakeFirst()) ?? defaults
}

export async function writeRegistryRules(db: Db<Tables>, row: RegistrySettingsRow): Promise<void> {
  const { institute_id: _, ...set } = row
  await db
    .insertInto('registry_settings')
    .values(row)
    .onConflict((conflict) => conflict.column('institute_id').doUpdateSet(set))
    .execute()
}

export const actsOf = (db: Db<Tables>, registrationId: string): Promise<readonly RegistrationActRow[]> =>
  db.selectFrom('registration_act').selectAll().where('registration_id', '=', registrationId).execute()

/** Keeps who did it last. */
export async function keepAct(
  db: Db<Tables>,
  registrationId: string,
  act: RegistryAct,
  { kind, id }: Pick<Caller, 'kind' | 'id'>,
  now: Date,
): Promise<void> {
  const set = { actor_kind: kind, actor_id: id, at: now.toISOString() }
  await db
    .insertInto('registration_act')
    .values({ registration_id: registrationId, act, ...set })
    .onConflict((conflict) => conflict.columns(['registration_id', 'act']).doUpdateSet(set))
    .execute()
}

interface BookLine {
  readonly instituteId: string
  /** Undefined: the layout asks for none. */
  readonly entry: string | undefined
  readonly itemId: string
  /** Name of the book in the request. */
  readonly field: string
}

/** Writes a line of the book; a line that is written is nobody else's, even after an annulment. */
export async function claimBookEntry(
  db: Db<Tables>,
  { instituteId, entry, itemId, field }: BookLine,
  now: Date,
): Promise<void> {
  if (entry === undefined) return
  const row = { institute_id: instituteId, entry, item_id: itemId, created_at: now.toISOString() }
  try {
    await db.insertInto('book_entry').values(row).execute()
  } catch (error) {
    throw isUniqueViolation(error)
      ? refuse('already-exists', { fields: { [field]: ['has another degree at this place'] } }, error)
      : error
  }
}

/** The line of a degree that ended before its code was made: nothing names it, and another may have it. */
export async function freeBookEntry(db: Db<Tables>, itemId: string): Promise<void> {
  await db.deleteFrom('book_entry').where('item_id', '=', itemId).execute()
}
