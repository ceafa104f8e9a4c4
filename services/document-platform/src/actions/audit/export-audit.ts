import { type EventExport, exportEvents } from '@chancela/service-kernel/events'
import { type SqlBool, sql } from 'kysely'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { exportAuditAsCsv } from '../../contract/audit.ts'
import type { Caller } from '../../rules/caller.ts'
import { chainedAuditEntries } from '../../store/audit-entries.ts'
import { auditEventText } from '../../store/audit-event.ts'
import { auditedOrganization, dateOf } from './read-audit.ts'

/** The entries of an organization, oldest first, as lines of a file; who took it is one of them. */
export async function exportedAudit(
  { context, caller, now }: { readonly context: Context; readonly caller: Caller; readonly now: Date },
  orgId: string,
  format: EventExport['format'],
  { since, until, language = 'pt-BR' }: Static<typeof exportAuditAsCsv.query>,
): Promise<AsyncIterable<string>> {
  const { store, audit } = context
  const organizationId = await auditedOrganization(context, caller, orgId)
  const [from, to] = [dateOf(since, 'since'), dateOf(until, 'until')]
  const after = { format, since: from ?? null, until: to ?? null }
  const exported = { kind: 'AuditExported', organizationId, actor: caller, after } as const
  await store.transaction((tx) => audit.record(tx, exported, now))
  const own = sql<SqlBool>`organization_id = ${organizationId}`
  const asked = { format, language, from, to, kinds: [chainedAuditEntries], where: own, textIn: auditEventText }
  return exportEvents(store.db, asked)
}
