// What a migration step does, as a digest that a database can remember.
import { createHash } from 'node:crypto'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type Dialect as KyselyDialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { StoreAdapter } from './adapter.ts'
import type { Dialect, Migration } from './store.ts'

/**
 * The SHA-256 of the statements a step issues on a database without rows. Not of its code, which the transpiler and every
 * rename change, and not of the schema it leads to, which depends on the steps before and on the server's version.
 * Line breaks and indentation do not count.
 */
export async function checksumOf({ up }: Pick<Migration, 'up'>, dialect: Dialect): Promise<string> {
  const said: string[] = []
  const db = new Kysely<unknown>({ dialect: recording(dialect, (query) => void said.push(wordsOf(query))) })
  await up(db, dialect)
  return createHash('sha256').update(said.join('\n')).digest('hex').slice(0, DIGITS)
}

/** 64 bits: steps are compared with one other each, and nobody gains by a collision. */
const DIGITS = 16

const wordsOf = ({ sql, parameters }: CompiledQuery): string =>
  `${sql.replaceAll(/\s+/g, ' ').trim()} ${JSON.stringify(parameters)}`

type Recorder = (query: CompiledQuery) => void

const parts = {
  sqlite: { Adapter: SqliteAdapter, Compiler: SqliteQueryCompiler, Introspector: SqliteIntrospector },
  postgres: { Adapter: PostgresAdapter, Compiler: PostgresQueryCompiler, Introspector: PostgresIntrospector },
} as const

function recording(storeDialect: Dialect, record: Recorder): KyselyDialect {
  const { Adapter, Compiler, Introspector } = parts[storeDialect]
  const own: StoreAdapter = { storeDialect, notify: async () => undefined }
  return {
    createAdapter: () => Object.assign(new Adapter(), own),
    createDriver: () => recordingDriver(record),
    createIntrospector: (db) => new Introspector(db),
    createQueryCompiler: () => new Compiler(),
  }
}

function recordingDriver(record: Recorder): Driver {
  const connection: DatabaseConnection = {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      record(query)
      return { rows: [] }
    },
    streamQuery: () => {
      throw new Error('A migration step reads its rows at once.')
    },
  }
  const nothing = async () => undefined
  return {
    init: nothing,
    acquireConnection: async () => connection,
    beginTransaction: nothing,
    commitTransaction: nothing,
    rollbackTransaction: nothing,
    releaseConnection: nothing,
    destroy: nothing,
  }
}
