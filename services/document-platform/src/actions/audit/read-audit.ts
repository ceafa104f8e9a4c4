// The audit of an organization, as its administrators and those of the instance read it.
import { fitLinks, lacksRecords } from '@chancela/service-kernel/events'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { listAudit, verifyAudit } from '../../contract/audit.ts'
import { CHAIN_BEGIN, type ChainPlace, followed } from '../../rules/audit-chain.ts'
import { type Caller, requireOrganization } from '../../rules/caller.ts'
import { refuse } from '../../rules/refuse.ts'
import { chainedAuditEntries, chainOf, entriesAfter, listEntries } from '../../store/audit-entries.ts'
import type { AuditEntryRow, OrganizationAuditRow } from '../../store/tables.ts'

/** A deleted organization keeps its audit, for the administration of the instance. */
export async function auditedOrganization({ store }: Context, caller: Caller, orgId: string): Promise<string> {
  const id = requireOrganization(caller, orgId)
  const found = await store.db.selectFrom('organization').select('id').where('id', '=', id).executeTakeFirst()
  if (!found) throw refuse('OrganizationNotFound', { id: orgId })
  return id
}

export async function listedAudit(
  context: Context,
  caller: Caller,
  orgId: string,
  { kind, actorId, since, until, limit = 50, cursor }: Static<typeof listAudit.query>,
) {
  const rows = await listEntries(context.store.db, {
    organizationId: await auditedOrganization(context, caller, orgId),
    kind,
    actorId: actorId?.toLowerCase(),
    since: dateOf(since, 'since'),
    until: dateOf(until, 'until'),
    before: cursor === undefined ? undefined : numberOf(cursor),
    limit: limit + 1,
  })
  const items = rows.slice(0, limit)
  const nextCursor = rows.length > limit ? String(items.at(-1)!.number) : null
  return { items: items.map(entryView), totalCount: null, nextCursor }
}

export function dateOf(text: string | undefined, field: string): Date | undefined {
  if (text === undefined) return undefined
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) throw refuse('InvalidRequest', { [field]: 'is no date' })
  return date
}

function numberOf(cursor: string): number {
  const number = Number(cursor)
  if (!Number.isSafeInteger(number)) throw refuse('InvalidRequest', { cursor: 'is not the nextCursor of a page' })
  return number
}

const entryView = (row: AuditEntryRow) => ({
  number: row.number,
  date: row.at,
  kind: row.kind,
  actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
  ipAddress: row.ip,
  subject: row.subject_kind === null ? null : { kind: row.subject_kind, id: row.subject_id!, name: row.subject_name },
  before: row.before === null ? null : JSON.parse(row.before),
  after: row.after === null ? null : JSON.parse(row.after),
  hash: row.hash,
})

/** Follows the chain of an organization from the oldest entry that is kept to the latest. */
export async function verifiedAudit(context: Context, caller: Caller, orgId: string): Promise<Verdict> {
  const { store } = context
  const id = await auditedOrganization(context, caller, orgId)
  const chain = await chainOf(store.db, id)
  const verdict = await judged(context, id, chain)
  // Entries whose time was over may have gone meanwhile: that is no fault of the chain.
  const isSwept = !verdict.isIntact && (await chainOf(store.db, id))?.swept_number !== chain?.swept_number
  return isSwept ? verifiedAudit(context, caller, orgId) : verdict
}

type Verdict = Static<typeof verifyAudit.answer>

async function judged(
  { store, audit }: Context,
  id: string,
  chain: OrganizationAuditRow | undefined,
): Promise<Verdict> {
  let place: ChainPlace = { number: chain?.swept_number ?? 0, hash: chain?.swept_hash ?? CHAIN_BEGIN }
  const seen: { entries: number; first: AuditEntryRow | undefined; last: AuditEntryRow | undefined } = {
    entries: 0,
    first: undefined,
    last: undefined,
  }
  for await (const rows of pagesOf(store.db, id, place.number, chain?.number)) {
    seen.entries += rows.length
    seen.first ??= rows[0]
    seen.last = rows.at(-1)
    const led = followed(audit.key, place, rows)
    if ('brokenAt' in led) return verdictOf(seen, led.brokenAt)
    if (!(await fitLinks(store.db, chainedAuditEntries, rows))) return verdictOf(seen, place.number + 1)
    place = led
  }
  const isEnd = chain ? place.number === chain.number && place.hash === chain.hash : seen.entries === 0
  // Their links remain where the latest entries were removed together with the place of the end.
  const isWhole = isEnd && !(await lacksRecords(store.db, chainedAuditEntries, id))
  return verdictOf(seen, isWhole ? null : place.number + 1)
}

/** Entries read at once while a chain is followed. */
const AT_ONCE = 1000

async function* pagesOf(db: Context['store']['db'], organizationId: string, begin: number, upTo: number | undefined) {
  for (let after = begin; ; ) {
    const rows = await entriesAfter(db, organizationId, { after, upTo, limit: AT_ONCE })
    if (rows.length > 0) yield rows
    if (rows.length < AT_ONCE) return
    after = rows.at(-1)!.number
  }
}

function verdictOf(
  { entries, first, last }: { entries: number; first: AuditEntryRow | undefined; last: AuditEntryRow | undefined },
  brokenAt: number | null,
): Verdict {
  return {
    isIntact: brokenAt === null,
    entries,
    first: first ? { number: first.number, date: first.at } : null,
    last: last ? { number: last.number, date: last.at, hash: last.hash } : null,
    brokenAt,
  }
}
