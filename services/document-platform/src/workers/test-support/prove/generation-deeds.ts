import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { formPdf } from '../../../parts/renditions/test-support/sample-documents.ts'
import type { PlatformClient, TheirDocument } from './platform-client.ts'

/** A generation that was asked for. */
export interface Generation {
  /** That of its template: its documents are called by it. */
  readonly name: string
  readonly rows: number
  /** Undefined while the service has not confirmed it: it may have begun or not. */
  id: string | undefined
}

/** Rows of the file that cannot become a document: every seventh has a cell too few. */
export const isFaulty = (row: number): boolean => row % 7 === 6

/** The address of the only participant of a row's document. */
export const addressOf = ({ name }: Generation, row: number): string => `${name}-${row}@example.com`

/** Line of a row in the file, whose first line is the header. */
export const lineOf = (row: number): number => row + 2

/** How long generations may take once nothing is killed any more. */
const LONGEST_END = 120_000

/** Generations of documents across several runs of the service. */
export class GenerationDeeds {
  readonly asked: Generation[] = []
  readonly #rows: number
  #form: Promise<Buffer> | undefined

  constructor(rows: number) {
    this.#rows = rows
  }

  /** Number of confirmed generations. */
  get confirmed(): number {
    return this.asked.filter(({ id }) => id !== undefined).length
  }

  async begin(client: PlatformClient): Promise<void> {
    this.#form ??= formPdf()
    const form = await this.#form
    const generation: Generation = { name: `ficha-${randomUUID()}`, rows: this.#rows, id: undefined }
    this.asked.push(generation)
    generation.id = await client.generate(generation.name, form, fileOf(generation))
  }

  /** Resolves when all that began have ended. */
  async settle(client: PlatformClient): Promise<void> {
    for (const deadline = performance.now() + LONGEST_END; performance.now() < deadline; await sleep(100)) {
      const documents = await client.all()
      const open = await Promise.all(this.asked.map((generation) => isOpen(client, generation, documents)))
      if (!open.includes(true)) return
    }
  }
}

/** One that was not confirmed is known by its documents: it makes none, or all. */
async function isOpen(
  client: PlatformClient,
  generation: Generation,
  documents: readonly Pick<TheirDocument, 'name'>[],
): Promise<boolean> {
  if (generation.id !== undefined) return (await client.generation(generation.id)).status !== 'Completed'
  const made = documents.filter(({ name }) => name.startsWith(`${generation.name} `)).length
  return made > 0 && made < rowsOf(generation).filter((row) => !isFaulty(row)).length
}

export const rowsOf = ({ rows }: Generation): readonly number[] => Array.from({ length: rows }, (_, row) => row)

const fileOf = (generation: Generation): Buffer => {
  const rows = rowsOf(generation).map((row) =>
    isFaulty(row) ? 'Ninguém' : `Pessoa ${row};${addressOf(generation, row)};Padaria ${row}`,
  )
  return Buffer.from(['nome;email;cliente.nome', ...rows].join('\r\n'))
}
