import type { Db } from '@chancela/service-kernel/store'
import type { Tables } from '../tables.ts'
import type { BioSubjectRow } from './tables.ts'

/** A subject of the subscription; those of others do not exist for it. */
export const findSubjectById = (
  db: Db<Tables>,
  subscriptionId: string,
  id: string,
): Promise<BioSubjectRow | undefined> =>
  db
    .selectFrom('bio_subject')
    .selectAll()
    .where('id', '=', id)
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst()

/** One of any subscription, for administrators. */
export const subjectById = (db: Db<Tables>, id: string): Promise<BioSubjectRow | undefined> =>
  db.selectFrom('bio_subject').selectAll().where('id', '=', id).executeTakeFirst()

export const findSubjectByIdentifier = (
  db: Db<Tables>,
  subscriptionId: string,
  identifier: string,
): Promise<BioSubjectRow | undefined> =>
  db
    .selectFrom('bio_subject')
    .selectAll()
    .where('identifier', '=', identifier)
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst()

export const insertSubject = async (db: Db<Tables>, row: BioSubjectRow): Promise<void> => {
  await db.insertInto('bio_subject').values(row).execute()
}

/** Replaces the face, if it is still the one that was read. */
export const replaceFace = async (
  db: Db<Tables>,
  { id, face_id }: BioSubjectRow,
  face: Pick<BioSubjectRow, 'face_id' | 'engine' | 'template' | 'face_image' | 'consent' | 'updated_at'>,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('bio_subject')
    .set(face)
    .where('id', '=', id)
    .where('face_id', face_id === null ? 'is' : '=', face_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Empties a subject; undefined when it was empty before. */
export const emptySubject = (
  db: Db<Tables>,
  subscriptionId: string,
  id: string,
  now: Date,
): Promise<BioSubjectRow | undefined> =>
  db
    .updateTable('bio_subject')
    .set({
      identifier: null,
      face_id: null,
      engine: null,
      template: null,
      face_image: null,
      consent: null,
      updated_at: now.toISOString(),
      deleted_at: now.toISOString(),
    })
    .where('id', '=', id)
    .where('subscription_id', '=', subscriptionId)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()

/** The templates of a subscription that an engine made, some after others by id. */
export const templatesAfter = (
  db: Db<Tables>,
  {
    subscriptionId,
    engine,
    after,
  }: { readonly subscriptionId: string; readonly engine: string; readonly after: string },
  limit: number,
): Promise<Pick<BioSubjectRow, 'id' | 'subscription_id' | 'template'>[]> =>
  db
    .selectFrom('bio_subject')
    .select(['id', 'subscription_id', 'template'])
    .where('subscription_id', '=', subscriptionId)
    .where('engine', '=', engine)
    .where('template', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
