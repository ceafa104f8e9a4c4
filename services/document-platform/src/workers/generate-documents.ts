import { SECOND } from '@chancela/service-kernel/clock'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import { generateRow } from '../actions/generation/generate-row.ts'
import type { Context } from '../context.ts'
import { type CsvTable, readCsv } from '../rules/read-csv.ts'
import { GENERATING, moveGeneration, nextGeneration, postponeGeneration } from '../store/generations.ts'
import type { GenerationRow } from '../store/tables.ts'

/** Poll interval that makes up for missed wake-ups. */
const EVERY = 15 * SECOND

/** A table may have 50,000 rows. */
const MOST_TABLES = 4

/**
 * Makes the documents of generations, row by row. What is next stands in the row of the generation, so that a process
 * that died, or another instance, goes on where the last transaction ended.
 */
export function generateDocuments(context: Context): Worker {
  const tables = new RecentTables(context)
  return sweeper(context, { name: 'generation of documents', every: EVERY, channel: GENERATING }, async () => {
    const next = await nextGeneration(context.store.db)
    if (!next) return false
    try {
      await advance(context, next, tables)
    } catch (error) {
      await postponeGeneration(context.store.db, next.id, context.clock())
      throw error
    }
    return true
  })
}

async function advance(context: Context, generation: GenerationRow, tables: RecentTables): Promise<void> {
  const { id, status, total, next_row } = generation
  const now = context.clock()
  if (status === 'Created') await moveGeneration(context.store.db, id, 'begin', now)
  else if (next_row >= total) await moveGeneration(context.store.db, id, 'complete', now)
  else await generateRow(context, generation, await tables.of(generation))
}

/** Tables of the generations under way: each is read once, not for every row. */
class RecentTables {
  readonly #context: Context
  readonly #tables = new Map<string, CsvTable>()

  constructor(context: Context) {
    this.#context = context
  }

  async of({ id, data_digest }: GenerationRow): Promise<CsvTable> {
    const known = this.#tables.get(id)
    if (known) return known
    const table = readCsv(await this.#context.blobs.read(data_digest))
    if (this.#tables.size === MOST_TABLES) this.#tables.delete(this.#tables.keys().next().value!)
    this.#tables.set(id, table)
    return table
  }
}
