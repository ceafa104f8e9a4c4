// What the audit tells of documents: what users did to a whole document, and who opened its files.
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import type { AuditKind } from '../../contract/audit.ts'
import type { Caller } from '../../rules/caller.ts'
import type { DocumentRow, Tables } from '../../store/tables.ts'

type Tx = Transaction<Tables>
type Change = { readonly before?: object; readonly after?: object }

export const recordDocument = (
  { audit }: Pick<Context, 'audit'>,
  tx: Tx,
  caller: Caller,
  kind: AuditKind,
  { id, name, organization_id }: DocumentRow,
  change: Change,
  now: Date,
): Promise<void> => {
  const subject = { kind: 'document', id, name }
  return audit.record(tx, { kind, organizationId: organization_id, actor: caller, subject, ...change }, now)
}

/**
 * A user opened a file of a document, or was given an address for it. Applications fetch what they made, all day: their
 * downloads are no news, and would keep one another waiting for the chain.
 */
export async function recordDownload(
  context: Context,
  caller: Caller,
  document: DocumentRow,
  file: { readonly type: string } | { readonly attachmentId: string },
  now: Date,
): Promise<void> {
  if (caller.type !== 'User') return
  await context.store.transaction((tx) =>
    recordDocument(context, tx, caller, 'DocumentDownloaded', document, { after: file }, now),
  )
}
