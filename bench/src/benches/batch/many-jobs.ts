import { DatabaseSync } from '@photostructure/sqlite'
import pg from 'pg'

/** Writes so many ended jobs into the fresh SQLite database of a service, with the counts it keeps of them. */
export function fillSqlite(path: string, jobs: number): void {
  const database = new DatabaseSync(path)
  // Data lost in a crash can be created again.
  database.exec('pragma synchronous = off')
  database.exec('begin')
  for (const text of statements(sqlite)) database.prepare(text).run(...parametersOf(text, '?1', jobs))
  database.exec('commit')
  database.exec('analyze')
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
}

/** The same in a schema of PostgreSQL. */
export async function fillPostgres(url: string, schema: string, jobs: number): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` })
  await client.connect()
  try {
    await client.query('begin')
    for (const text of statements(postgres)) await client.query(text, parametersOf(text, '$1', jobs))
    await client.query('commit')
    // Otherwise autovacuum would run during a sample.
    for (const table of ['job', 'job_tally', 'job_calendar']) await client.query(`vacuum analyze ${table}`)
  } finally {
    await client.end()
  }
}

const parametersOf = (text: string, parameter: string, jobs: number): number[] =>
  text.includes(parameter) ? [jobs] : []

/** What differs between the databases. */
interface Words {
  /** The numbers from 1 to the parameter, as `n`. */
  readonly numbers: string
  /** A GUID of a number. */
  readonly id: string
  /** The time of creation of a number: evenly over the days before this moment. */
  readonly createdAt: string
}

// Fewer than the retention period: jobs must not be deleted during a sample.
const DAYS = 20

const sqlite: Words = {
  numbers:
    'with recursive number (n) as (select 1 union all select n + 1 from number where n < ?1) select n from number',
  // Scattered, as random GUIDs are: the job list reads its rows by id.
  id: `printf('%08x-%04x-4000-8000-%012d', (n * 2654435761) % 4294967296, n % 65536, n)`,
  createdAt: `strftime('%Y-%m-%dT%H:%M:%fZ', julianday('now') - ${DAYS} + ${DAYS} * cast(n as real) / ?1)`,
}

const postgres: Words = {
  numbers: 'select n from generate_series(1::bigint, $1::bigint) as n',
  id: `lpad(to_hex((n * 2654435761) % 4294967296), 8, '0') || '-' || lpad(to_hex(n % 65536), 4, '0') || '-4000-8000-' || lpad(n::text, 12, '0')`,
  createdAt: `to_char((now() at time zone 'utc') - interval '${DAYS} days' + interval '${DAYS} days' * (n::double precision / $1::bigint), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
}

const fileName = `'document-' || n || '-of-the-batch.pdf'`

/** Jobs first, then the counters the ledger would have kept; no history, which lists never read. */
const statements = ({ numbers, id, createdAt }: Words): readonly string[] => [
  `insert into job (id, file_name, name_key, original_path, input_folder, format, source, status, profile_name,
      created_at, updated_at, queued_at, started_at, finished_at, content_sha256, content_length, error_code,
      error_message, output_name, output_length, input_disposal, queue_ms, signing_ms, verification_ms, output_ms)
    select id, file, file, '/srv/data/batch-signer/input/' || file, 'in',
      case when n % 3 = 0 then 'Cades' when n % 2000 = 1 then 'Xades' else 'Pades' end,
      case when n % 5 = 0 then 'Upload' else 'Watcher' end,
      case when n % 10 = 0 then 'Failed' when n % 100 = 1 then 'Canceled' else 'Completed' end,
      case when n % 4 = 0 then 'second' else 'default' end,
      at, at, at, at, at, '${'ab'.repeat(32)}', 20000,
      case when n % 10 = 0 then 'job.signing-failed' end,
      case when n % 10 = 0 then 'The key did not sign.' end,
      file, 24000, case when n % 10 = 0 then 'none' else 'deleted' end, 120, 8, 1, 4
    from (select n, ${id} as id, ${fileName} as file, ${createdAt} as at from (${numbers}) as counted) as job_of`,
  `insert into job_tally (profile_name, status, source, format, n)
    select profile_name, status, source, format, count(*) from job group by 1, 2, 3, 4`,
  ...(['day', 'minute'] as const).map(
    (level) => `insert into job_calendar (level, span, profile_name, source, format, ended, n)
      select '${level}', substr(created_at, 1, ${level === 'day' ? 10 : 16}), profile_name, source, format, status, count(*)
      from job group by 2, 3, 4, 5, 6`,
  ),
]
