// Places in status lists: given once, at random, so that neighbours in a list are not neighbours in a class.
import { randomBytes, randomInt } from 'node:crypto'
import { SHORTEST_LIST, type StatusPurpose } from '@chancela/academic-documents/wallet'
import { type Db, isUniqueViolation } from '@chancela/service-kernel/store'
import type { Tables } from './tables.ts'
import type { WalletEntryRow } from './wallet-tables.ts'

/** A list that is so full is followed by another: a free place is found with two draws on average at most. */
const FULL = SHORTEST_LIST / 2
const MOST_DRAWS = 64

const findEntry = (db: Db<Tables>, itemId: string): Promise<WalletEntryRow | undefined> =>
  db.selectFrom('wallet_entry').selectAll().where('item_id', '=', itemId).executeTakeFirst()

/** The place of an item; where two ask at once, one of them gives it. */
export async function entryOf(
  db: Db<Tables>,
  item: { readonly id: string; readonly institute_id: string },
  now: Date,
): Promise<WalletEntryRow> {
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    const known = await findEntry(db, item.id)
    if (known) return known
    await tryPlace(db, item, now)
  }
  throw new Error(`No free place in the status lists of ${item.institute_id}.`)
}

async function tryPlace(
  db: Db<Tables>,
  { id: item_id, institute_id }: { readonly id: string; readonly institute_id: string },
  now: Date,
): Promise<void> {
  const list = await openList(db, institute_id)
  const salt = randomBytes(16).toString('base64url')
  const place = { list, position: randomInt(SHORTEST_LIST), salt, created_at: now.toISOString() }
  try {
    await db
      .insertInto('wallet_entry')
      .values({ item_id, institute_id, ...place })
      .execute()
  } catch (error) {
    // The place is taken, or the item has got one meanwhile.
    if (!isUniqueViolation(error)) throw error
  }
}

async function openList(db: Db<Tables>, instituteId: string): Promise<number> {
  const newest = await db
    .selectFrom('wallet_entry')
    .select((row) => ['list', row.fn.countAll<number | string>().as('entries')])
    .where('institute_id', '=', instituteId)
    .groupBy('list')
    .orderBy('list', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!newest) return 1
  return Number(newest.entries) < FULL ? newest.list : newest.list + 1
}

/** Whether anything was ever placed in a list. */
export async function hasList(db: Db<Tables>, instituteId: string, list: number): Promise<boolean> {
  const query = db.selectFrom('wallet_entry').select('position').where('institute_id', '=', instituteId)
  return (await query.where('list', '=', list).limit(1).executeTakeFirst()) !== undefined
}

/** The state in which the bit of each purpose is set. */
const states = { revocation: 'Canceled', suspension: 'CanceledTemporarily' } as const

/** Places whose bit is set, in order: read from the states of the documents, so that nothing can differ from them. */
export async function setPositions(
  db: Db<Tables>,
  instituteId: string,
  list: number,
  purpose: StatusPurpose,
): Promise<readonly number[]> {
  const found = await Promise.all(
    (['degree', 'academic_transcript'] as const).map((table) =>
      db
        .selectFrom(table as 'degree')
        .innerJoin('wallet_entry', 'wallet_entry.item_id', `${table as 'degree'}.id`)
        .select('wallet_entry.position')
        .where(`${table as 'degree'}.institute_id`, '=', instituteId)
        .where(`${table as 'degree'}.status`, '=', states[purpose])
        .where('wallet_entry.list', '=', list)
        .execute(),
    ),
  )
  return found
    .flat()
    .map(({ position }) => position)
    .toSorted((a, b) => a - b)
}
