import { PostgresDialect, type PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { notedUnreachable } from '../../errors/index.ts'
import { hotStatementName } from '../hot-statement.ts'
import { refuseUnportable } from '../portable-parameters.ts'
import { PostgresStoreAdapter } from './adapter.ts'

/** Kysely's PostgreSQL dialect over a pool, with cached plans for hot statements and the portability check. */
export class PostgresStoreDialect extends PostgresDialect {
  constructor(pool: Pool) {
    super({ pool: { connect: async () => kyselyClient(await connection(pool)), end: () => pool.end() } })
  }

  override createAdapter(): PostgresStoreAdapter {
    return new PostgresStoreAdapter()
  }
}

const connection = (pool: Pool): Promise<PoolClient> =>
  pool.connect().catch((error) => {
    throw notedUnreachable(error)
  })

function kyselyClient(client: PoolClient): PostgresPoolClient {
  let lost = false
  const query = async (text: string, parameters: readonly unknown[]) => {
    refuseUnportable(parameters)
    const name = hotStatementName(text)
    try {
      const values = [...parameters]
      return await client.query(name ? { name, text, values } : { text, values })
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
