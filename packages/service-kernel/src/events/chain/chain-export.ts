import Type, { type Static, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { StartupProblem } from '../../errors/index.ts'
import { BEGINNING, type ChainHead, HeadSchema } from './link.ts'
import { type ChainEntry, EntrySchema } from './read-chain.ts'

const FORMAT = 'chancela-audit-chain'

const HeaderLine = Type.Object({
  format: Type.Literal(FORMAT),
  /** 1: without keys and checkpoints. */
  version: Type.Union([Type.Literal(1), Type.Literal(2)]),
  service: Type.String(),
  exportedAt: Type.String(),
})

const HeadLine = Type.Object({ head: HeadSchema })

/** A chain as lines of JSON, in no language: a header, keys and checkpoints, every link with its record, the head. */
export async function* exportChain(
  entries: AsyncIterable<ChainEntry>,
  { service, now }: { readonly service: string; readonly now: Date },
): AsyncGenerator<string> {
  const header: Static<typeof HeaderLine> = { format: FORMAT, version: 2, service, exportedAt: now.toISOString() }
  yield lineOf(header)
  let head = BEGINNING
  for await (const entry of entries) {
    yield lineOf(entry)
    head = headAt(entry) ?? head
  }
  yield lineOf({ head })
}

const lineOf = (value: object): string => `${JSON.stringify(value)}\n`

const headAt = (entry: ChainEntry): ChainHead | undefined =>
  'link' in entry ? { sequence: entry.link.sequence, link: entry.link.link } : undefined

/** The entries of an export; a StartupProblem says where it is none, or not all of one. */
export async function* readExport(lines: AsyncIterable<string>): AsyncGenerator<ChainEntry> {
  const reading = new ExportReading()
  for await (const line of lines) {
    const entry = reading.take(line)
    if (entry) yield entry
  }
  reading.end()
}

/** The head of an export, read to its end. */
export async function headOfExport(lines: AsyncIterable<string>): Promise<ChainHead> {
  const reading = new ExportReading()
  for await (const line of lines) reading.take(line)
  return reading.end()
}

class ExportReading {
  #line = 0
  #last = BEGINNING
  #head: ChainHead | undefined

  /** The entry of a line; none of the first and the last. */
  take(text: string): ChainEntry | undefined {
    this.#line += 1
    if (this.#head) throw this.#strange('nothing')
    const value = parsed(text)
    if (this.#line === 1) return void this.#expect(HeaderLine, value, 'the header of an audit chain')
    if (Value.Check(HeadLine, value)) this.#head = value.head
    else {
      const entry = this.#expect(EntrySchema, value, 'a link')
      this.#last = headAt(entry) ?? this.#last
      return entry
    }
    return undefined
  }

  end(): ChainHead {
    if (!this.#head)
      throw new StartupProblem('The export is cut off: its last line, the head of the chain, is missing.')
    const { sequence, link } = this.#head
    if (sequence !== this.#last.sequence || link !== this.#last.link)
      throw new StartupProblem('The export is not complete: its head is not its last link.')
    return this.#head
  }

  #expect<Schema extends TSchema>(schema: Schema, value: unknown, what: string): Static<Schema> {
    if (!Value.Check(schema, value)) throw this.#strange(what)
    return value
  }

  #strange(what: string): StartupProblem {
    return new StartupProblem(`Line ${this.#line} of the export should be ${what}.`)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
