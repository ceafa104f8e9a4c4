import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import type { Caller } from '../../rules/caller.ts'
import type { Tables } from '../../store/tables.ts'
import type { AuditRecord } from './audit-log.ts'

type Act = Pick<AuditRecord, 'kind' | 'subject' | 'before' | 'after'>

/** What a caller did in the own organization; last in the transaction, like every entry. */
export const recordAct = (
  { audit }: Pick<Context, 'audit'>,
  tx: Transaction<Tables>,
  caller: Caller,
  act: Act,
  now: Date,
): Promise<void> => audit.record(tx, { ...act, organizationId: caller.organizationId, actor: caller }, now)
