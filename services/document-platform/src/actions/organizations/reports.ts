// Reports of the instance as CSV (document-platform facts 1.3).
import type { Db } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import type { Caller } from '../../rules/caller.ts'
import { SYSTEM_ORGANIZATION } from '../../rules/system-organization.ts'
import type { DocumentRow, Tables } from '../../store/tables.ts'
import { type GivenTime, readTime } from '../documents/count-documents.ts'

const TICKET_MINUTES = 30

/** Path of a report over a time range, valid until its ticket expires. */
export async function reportLocation(context: Context, caller: Caller, time: GivenTime, now: Date): Promise<string> {
  const { tickets, store, audit } = context
  const after = readTime(time)
  const ticket = tickets.make('report', { ...after, organizationId: null }, TICKET_MINUTES)
  const requested = { kind: 'ReportRequested', organizationId: SYSTEM_ORGANIZATION, actor: caller, after } as const
  await store.transaction((tx) => audit.record(tx, requested, now))
  return `/api/reports/documents?access_ticket=${encodeURIComponent(ticket)}`
}

interface ReportedDocument extends DocumentRow {
  readonly organization_name: string
}

const columns: Readonly<Record<string, (document: ReportedDocument) => string | null>> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  status: ({ status }) => status,
  isEnvelope: ({ is_envelope }) => String(is_envelope === 1),
  isDeleted: ({ deleted_at }) => String(deleted_at !== null),
  organizationId: ({ organization_id }) => organization_id,
  organizationName: ({ organization_name }) => organization_name,
  createdBy: ({ created_by_name }) => created_by_name,
  creationDate: ({ created_at }) => created_at,
  updateDate: ({ updated_at }) => updated_at,
  expirationDate: ({ expires_at }) => expires_at,
  signatures: ({ signatures }) => String(signatures),
  key: ({ key }) => key,
}

const PAGE = 1000

/** The lines of the ticket's report, read one page of documents at a time. */
export const documentReport = ({ store, tickets }: Context, ticket: string): AsyncIterable<string> =>
  linesOf(store.db, tickets.read('report', ticket))

async function* linesOf(
  db: Db<Tables>,
  { from, to }: { readonly from: string; readonly to: string },
): AsyncGenerator<string, void, undefined> {
  yield lineOf(Object.keys(columns))
  const organizations = await db.selectFrom('organization').select(['id', 'name']).orderBy('name').execute()
  for (const { id, name } of organizations)
    for (const isDeleted of [false, true])
      for await (const page of createdIn(db, { organizationId: id, isDeleted, from, to }))
        yield page.map((row) => documentLine({ ...row, organization_name: name })).join('')
}

const documentLine = (document: ReportedDocument): string =>
  lineOf(Object.values(columns).map((column) => column(document)))

interface Stretch {
  readonly organizationId: string
  readonly isDeleted: boolean
  readonly from: string
  readonly to: string
}

async function* createdIn(db: Db<Tables>, { organizationId, isDeleted, from, to }: Stretch) {
  let last: DocumentRow | undefined
  for (;;) {
    const after = last
    const page = await db
      .selectFrom('document')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('deleted_at', isDeleted ? 'is not' : 'is', null)
      .where('created_at', '>=', from)
      .where('created_at', '<', to)
      .$if(after !== undefined, (query) =>
        query.where((where) =>
          where.or([
            where('created_at', '<', after!.created_at),
            where.and([where('created_at', '=', after!.created_at), where('id', '<', after!.id)]),
          ]),
        ),
      )
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(PAGE)
      .execute()
    if (page.length > 0) yield page
    if (page.length < PAGE) return
    last = page.at(-1)
  }
}

const lineOf = (values: readonly (string | null)[]): string => `${values.map(cellOf).join(',')}\r\n`

// Spreadsheet programs evaluate a cell that begins like a formula.
const FORMULA = /^[=+\-@\t\r]/

function cellOf(value: string | null): string {
  const text = value === null ? '' : FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
