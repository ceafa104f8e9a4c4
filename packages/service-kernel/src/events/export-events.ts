import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Bilingual, InterfaceLanguage } from '../i18n/index.ts'
import type { Db } from '../store/index.ts'
import { type ChainedKind, chainedEvents, coveredColumns } from './chain/chained-kind.ts'
import type { ChainedRecord } from './chain/link.ts'
import type { AuditEvent } from './event.ts'

/** `csv` for spreadsheets, `jsonl` for programs. */
export const eventFormats = ['csv', 'jsonl'] as const

type EventFormat = (typeof eventFormats)[number]

/** An event's sentence in a language. */
export type EventText = (language: InterfaceLanguage, event: AuditEvent) => string

export interface EventExport {
  readonly format: EventFormat
  readonly language: InterfaceLanguage
  /** Inclusive. */
  readonly from?: Date | undefined
  /** Exclusive. */
  readonly to?: Date | undefined
  /** Default: the stored sentence, which is English. */
  readonly textIn?: EventText | undefined
  /** Where records of a service tell of events, too. Default: the kernel's events alone. */
  readonly kinds?: readonly ChainedKind[]
  /** Which of them: a condition on their tables. Default: all. */
  readonly where?: RawBuilder<SqlBool>
}

/** Rows read at once: what is in memory, whatever the number of events. */
const PAGE = 500

/** The events of a time, oldest first, as lines of a file. */
export async function* exportEvents<Tables>(db: Db<Tables>, asked: EventExport): AsyncGenerator<string> {
  const { format, language, textIn = (_language, { text }) => text } = asked
  const { begin, line } = forms[format]
  yield* begin(language)
  for await (const event of eventsOf(db, asked)) yield line(event, textIn(language, event))
}

/** Of all kinds, in the order in which they happened. */
async function* eventsOf<Tables>(db: Db<Tables>, asked: EventExport): AsyncGenerator<AuditEvent> {
  const { kinds = [chainedEvents] } = asked
  const sources = kinds.flatMap((kind) => (kind.event ? [eventsOfKind(db, kind, kind.event, asked)] : []))
  const next = await Promise.all(sources.map((source) => source.next()))
  for (;;) {
    const first = next.reduce<number>((best, { done }, at) => (!done && isBefore(next[at], next[best]) ? at : best), -1)
    const found = next[first]
    if (!found || found.done) return
    yield found.value
    next[first] = await sources[first]!.next()
  }
}

type Next = IteratorResult<AuditEvent> | undefined

const isBefore = (one: Next, other: Next): boolean =>
  !other || other.done === true || (one?.done !== true && one!.value.at < other.value.at)

async function* eventsOfKind<Tables>(
  db: Db<Tables>,
  kind: ChainedKind,
  event: (record: ChainedRecord) => AuditEvent,
  { from, to, where }: EventExport,
): AsyncGenerator<AuditEvent> {
  const [time, order] = [sql.ref(kind.at), sql.raw([kind.at, ...kind.key].join(', '))]
  const asked = [from && sql`${time} >= ${from.toISOString()}`, to && sql`${time} < ${to.toISOString()}`, where]
  for (let last: readonly unknown[] | undefined; ; ) {
    const conditions = [...asked, last && sql`(${order}) > (${sql.join(last)})`].filter((one) => one !== undefined)
    const all = sql.join([sql`1 = 1`, ...conditions], sql` and `)
    const { rows } = await sql<ChainedRecord>`select ${sql.raw(coveredColumns(kind))} from ${sql.id(kind.table)}
      where ${all} order by ${order} limit ${PAGE}`.execute(db)
    yield* rows.map(event)
    last = rows.at(-1) && [kind.at, ...kind.key].map((column) => rows.at(-1)![column])
    if (rows.length < PAGE) return
  }
}

interface Form {
  begin(language: InterfaceLanguage): readonly string[]
  line(event: AuditEvent, text: string): string
}

const columns: readonly (readonly [title: Bilingual, cell: (event: AuditEvent, text: string) => string])[] = [
  [{ 'pt-BR': 'Data e hora (UTC)', 'en-US': 'Time (UTC)' }, ({ at }) => at.toISOString()],
  [{ 'pt-BR': 'Tipo', 'en-US': 'Type' }, ({ type }) => type],
  [{ 'pt-BR': 'Descrição', 'en-US': 'What happened' }, (_event, text) => text],
  [{ 'pt-BR': 'Por', 'en-US': 'By' }, ({ actor }) => actor],
  [{ 'pt-BR': 'Endereço', 'en-US': 'Address' }, ({ address = '' }) => address],
  [{ 'pt-BR': 'Objeto', 'en-US': 'Subject' }, ({ subject }) => subject?.kind ?? ''],
  [{ 'pt-BR': 'ID do objeto', 'en-US': 'ID of the subject' }, ({ subject }) => subject?.id ?? ''],
  [{ 'pt-BR': 'Código', 'en-US': 'Code' }, ({ code = '' }) => code],
  [{ 'pt-BR': 'Antes', 'en-US': 'Before' }, ({ changes }) => jsonText(changes?.before)],
  [{ 'pt-BR': 'Depois', 'en-US': 'After' }, ({ changes }) => jsonText(changes?.after)],
  [{ 'pt-BR': 'ID', 'en-US': 'ID' }, ({ id }) => id],
]

const jsonText = (value: object | undefined): string => (value === undefined ? '' : JSON.stringify(value))

const forms: Readonly<Record<EventFormat, Form>> = {
  csv: {
    // The mark at the beginning tells spreadsheets that this is UTF-8.
    begin: (language) => [`\uFEFF${csvLine(columns.map(([title]) => title[language]))}`],
    line: (event, text) => csvLine(columns.map(([, cell]) => cell(event, text))),
  },
  jsonl: {
    begin: () => [],
    line: ({ id, at, type, actor, address, subject, code, changes, data }, text) =>
      `${JSON.stringify({ id, at, type, actor, address, subject, code, text, changes, data })}\n`,
  },
}

const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** A spreadsheet takes a text that begins like this for a formula, and may run what it names. */
const FORMULA = /^[=+\-@\t\r]/

const csvCell = (text: string): string => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
