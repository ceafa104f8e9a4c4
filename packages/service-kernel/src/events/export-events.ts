import type { Bilingual, InterfaceLanguage } from '../i18n/index.ts'
import type { Db } from '../store/index.ts'
import { type AuditEvent, eventTables, toEvent } from './event.ts'

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

async function* eventsOf<Tables>(given: Db<Tables>, { from, to }: EventExport): AsyncGenerator<AuditEvent> {
  const db = eventTables(given)
  for (let last: { at: string; id: string } | undefined; ; ) {
    const after = last
    const page = await db
      .selectFrom('audit_event')
      .selectAll()
      .$if(from !== undefined, (query) => query.where('at', '>=', from!.toISOString()))
      .$if(to !== undefined, (query) => query.where('at', '<', to!.toISOString()))
      .$if(after !== undefined, (query) =>
        query.where(({ eb, or, and }) =>
          or([eb('at', '>', after!.at), and([eb('at', '=', after!.at), eb('id', '>', after!.id)])]),
        ),
      )
      .orderBy('at')
      .orderBy('id')
      .limit(PAGE)
      .execute()
    yield* page.map(toEvent)
    last = page.at(-1)
    if (page.length < PAGE) return
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
