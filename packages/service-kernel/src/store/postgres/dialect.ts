import { PostgresDialect, type PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { notedUnreachable } from '../../errors/index.ts'
import { hotStatementName } from '../hot-statement.ts'
import { refuseUnportable } from '../portable-parameters.ts'
import { PostgresStoreAdapter } from './adapter.ts'
import { LIFT_LIMIT, STATEMENT_LIMIT_MS } from './connection.ts'

/** What the server's own limit does not end: a server that is frozen, or gone without a word, would be waited for forever. */
const ANSWER_LIMIT_MS = STATEMENT_LIMIT_MS + 5_000

/** Kysely's PostgreSQL dialect over a pool, with cached plans for hot statements and the portability check. */
export class PostgresStoreDialect extends PostgresDialect {
  constructor(pool: Pool, answerLimitMs: number = ANSWER_LIMIT_MS) {
    super({ pool: { connect: async () => kyselyClient(await connection(pool), answerLimitMs), end: () => pool.end() } })
  }

  override createAdapter(): PostgresStoreAdapter {
    return new PostgresStoreAdapter()
  }
}

const connection = (pool: Pool): Promise<PoolClient> =>
  pool.connect().catch((error) => {
    throw notedUnreachable(error)
  })

function kyselyClient(client: PoolClient, answerLimitMs: number): PostgresPoolClient {
  let lost = false
  let query_timeout = answerLimitMs
  const query = async (text: string, parameters: readonly unknown[]) => {
    refuseUnportable(parameters)
    const name = hotStatementName(text)
    try {
      const values = [...parameters]
      if (text === LIFT_LIMIT) query_timeout = 0
      const statement = { text, values, query_timeout }
      return await client.query(name ? { name, ...statement } : statement)
    } catch (error) {
      lost ||= isLoss(error)
      throw isLoss(error) ? notedUnreachable(error) : error
    }
  }
  // A lost connection errors some moments before it closes; pooled as healthy, it would fail the next query too.
  const release = () => client.release(lost)
  // Kysely's interface also requires the cursor form of `query`, which it uses only when given a cursor class.
  return { query, release } as unknown as PostgresPoolClient
}

/** Statement errors have the severity ERROR; FATAL ends the session, and socket errors have none. */
const isLoss = (error: unknown): boolean => (error as { severity?: string }).severity !== 'ERROR'
