// Archives are renewed before they end: found, planned, applied, tried again (credentials-platform facts 1.8, 2.8).

import { WRITTEN_VERSION } from '@chancela/academic-documents/layouts'
import { archivingExpiringDate, restamp, SigningRefusal } from '@chancela/academic-documents/signatures'
import { DAY, plus } from '@chancela/service-kernel/clock'
import { isUniqueViolation, newRowId } from '@chancela/service-kernel/store'
import { EngineError } from '@chancela/signature-engine'
import type { Context } from '../../context.ts'
import type { EventModels } from '../../contract/models.ts'
import type { RestampStatus } from '../../contract/vocabulary.ts'
import type { Signing } from '../../parts/signing/open-signing.ts'
import { askedOf, pageOf } from '../../rules/paging.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { idOf } from '../../rules/texts.ts'
import type { RestampRow } from '../../store/document-tables.ts'
import { addItemFile, newestFile } from '../../store/documents.ts'
import type { ArchiveRow } from '../../store/registry-tables.ts'
import {
  archiveOf,
  archiveSources,
  dueRestamps,
  failedRestamps,
  findRestamp,
  forgetEnded,
  keepArchive,
  listRestamps,
  moveRestamp,
  unplannedArchives,
  unreadArchives,
} from '../../store/restamps.ts'
import { restampView } from '../items/item-views.ts'
import { record, statusChange } from '../tenants/acting.ts'
import { announce } from '../webhooks/announce.ts'

export interface Dependencies {
  readonly context: Context
  readonly signing: Pick<Signing, 'trust' | 'timestamps'>
}

const AT_ONCE = 100

/** Reads when the archives of new files end; true while there may be more. */
export async function readArchives({ context }: Dependencies): Promise<boolean> {
  const { store, blobs } = context
  let isMore = false
  for (const source of archiveSources) {
    await forgetEnded(store.db, source)
    const found = await unreadArchives(store.db, source, AT_ONCE)
    isMore ||= found.length === AT_ONCE
    for (const { id, subscription_id, institute_id, digest, identifier } of found) {
      const expires_at = endOf(await blobs.read(digest))
      const row = { item_id: id, document_type: source.type, subscription_id, institute_id }
      await keepArchive(store.db, { ...row, name: source.name, digest, identifier, expires_at })
    }
  }
  return isMore
}

/** What is not archived is never renewed. */
const NEVER = '9999-12-31T00:00:00.000Z'

function endOf(bytes: Buffer): string {
  try {
    return archivingExpiringDate(bytes).toISOString()
  } catch (error) {
    if (error instanceof SigningRefusal || error instanceof EngineError) return NEVER
    throw error
  }
}

/** So long before its end the renewal of an archive is planned, and so long before it is due. */
const PLANNED = 180 * DAY
const DUE = 90 * DAY

export async function planRestamps({ context }: Dependencies, now: Date): Promise<boolean> {
  const found = await unplannedArchives(context.store.db, plus(now, PLANNED), AT_ONCE)
  for (const archive of found) await plan(context, archive, now)
  return found.length === AT_ONCE
}

async function plan(context: Context, archive: ArchiveRow, now: Date): Promise<void> {
  const due = new Date(Math.max(now.getTime(), plus(new Date(archive.expires_at), -DUE).getTime()))
  const at = now.toISOString()
  const row: RestampRow = {
    id: newRowId(now),
    subscription_id: archive.subscription_id,
    institute_id: archive.institute_id,
    version: WRITTEN_VERSION,
    status: 'Scheduled',
    document_type: archive.document_type,
    document_id: archive.item_id,
    identifier: archive.identifier,
    archiving_expires_at: archive.expires_at,
    due_at: due.toISOString(),
    error_reason: null,
    updates: 0,
    created_at: at,
    updated_at: at,
  }
  try {
    await context.store.transaction(async (tx) => {
      await tx.insertInto('restamp').values(row).execute()
      await announce(context, tx, [{ kind: 'Restamp', item: row }], now)
    })
  } catch (error) {
    // Another process planned it at the same moment.
    if (!isUniqueViolation(error)) throw error
  }
}

/** Renews what is due. */
export async function applyRestamps(dependencies: Dependencies, now: Date): Promise<boolean> {
  const due = await dueRestamps(dependencies.context.store.db, now, AT_ONCE)
  for (const row of due) await apply(dependencies, row, now)
  return due.length === AT_ONCE
}

async function apply(dependencies: Dependencies, row: RestampRow, now: Date): Promise<void> {
  try {
    await renew(dependencies, row, now)
  } catch (error) {
    if (!(error instanceof SigningRefusal || error instanceof EngineError || error instanceof NotRenewed)) throw error
    await moved(dependencies.context, row.id, 'fail', { error_reason: error.message }, now)
  }
}

class NotRenewed extends Error {}

async function renew({ context, signing }: Dependencies, row: RestampRow, now: Date): Promise<void> {
  const { store, blobs } = context
  const archive = await archiveOf(store.db, row)
  const file = archive && (await newestFile(store.db, archive.item_id, archive.name))
  if (!archive || !file) throw new NotRenewed('The document is not valid any more, and its archive is not renewed.')
  if (!signing.timestamps)
    throw new NotRenewed('There is no timestamp authority: Signing:TimestampAuthority is not set.')
  const helpers = { now, timestamps: signing.timestamps, judge: await signing.trust.judge() }
  const renewed = await restamp(await blobs.read(file.digest), helpers)
  const { digest, size } = await blobs.put(renewed.bytes)
  const expires_at = renewed.archivingExpiringDate.toISOString()
  await store.transaction(async (tx) => {
    const done = await moveRestamp(tx, row.id, 'apply', { archiving_expires_at: expires_at, error_reason: null }, now)
    if (!done) return
    const { item_id, name, media_type } = file
    await addItemFile(tx, { item_id, name, digest, bytes: size, media_type }, now)
    await keepArchive(tx, { ...archive, digest, expires_at })
    await announce(context, tx, [{ kind: 'Restamp', item: done }], now)
  })
}

/** What failed is tried again the next day, by itself. */
export async function retryRestamps({ context }: Dependencies, now: Date): Promise<boolean> {
  const failed = await failedRestamps(context.store.db, plus(now, -DAY), AT_ONCE)
  for (const row of failed) await moved(context, row.id, 'retry', again(row, now), now)
  return failed.length === AT_ONCE
}

const again = ({ updates }: RestampRow, now: Date) => ({
  updates: updates + 1,
  due_at: now.toISOString(),
  error_reason: null,
})

const moved = (
  context: Context,
  id: string,
  name: Parameters<typeof moveRestamp>[2],
  set: Parameters<typeof moveRestamp>[3],
  now: Date,
): Promise<RestampRow | undefined> =>
  context.store.transaction(async (tx) => {
    const row = await moveRestamp(tx, id, name, set, now)
    if (row) await announce(context, tx, [{ kind: 'Restamp', item: row }], now)
    return row
  })

export async function listed(
  { store }: Context,
  { subscriptionId }: Caller,
  query: { readonly page?: number; readonly pageSize?: number; readonly status?: RestampStatus },
) {
  const asked = askedOf(query)
  const { items, total } = await listRestamps(store.db, { ...asked, subscriptionId, status: query.status })
  return pageOf(asked, items.map(restampView), total)
}

export async function retry(context: Context, caller: Caller, id: string, now: Date): Promise<EventModels['Restamp']> {
  const known = await findRestamp(context.store.db, caller.subscriptionId, idOf(id))
  if (!known) throw refuse('restamp-not-found', { id })
  const row = await moved(context, known.id, 'retry', again(known, now), now)
  if (!row) throw refuse('invalid-transition', { fields: { status: [`is ${known.status}; this needs ApplyingError`] } })
  const act = { type: 'RestampRetried', entity: { type: 'Restamp', id: row.id }, changes: statusChange(known, row) }
  await record(context.store.db, caller, act, now)
  return restampView(row)
}
