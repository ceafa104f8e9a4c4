import type { ClientConfig, CustomTypesConfig } from 'pg'
import pg from 'pg'
import { SECOND } from '../../clock/index.ts'
import { databaseProblem } from '../database-problem.ts'
import type { OpenStoreOptions } from '../open-store.ts'
import { schemaOf } from './schema-name.ts'

/** Longest time of a statement, in milliseconds. */
export const STATEMENT_LIMIT_MS = 60_000

/** Removes it for the rest of a transaction, and with it our own limit on the answer. */
export const LIFT_LIMIT = 'set local statement_timeout = 0'

/** Limits of every connection, in milliseconds; `migrate` removes them for itself. */
const limits = {
  statement_timeout: STATEMENT_LIMIT_MS,
  // A transaction of a stuck process must not hold its locks forever.
  idle_in_transaction_session_timeout: 60_000,
} as const satisfies ClientConfig

/** How to connect to the service's own schema. */
export function connectionConfig({ url, service }: OpenStoreOptions): ClientConfig {
  return {
    connectionString: withSearchPath(url, schemaOf(service)),
    application_name: `chancela ${service}`,
    keepAlive: true,
    types: portableTypes,
    connectionTimeoutMillis: secondsToConnect(url, service) * SECOND,
    ...limits,
  }
}

/** The operator's value, as in every PostgreSQL client; 0 waits forever. */
function secondsToConnect(url: string, service: string): number {
  const asked = new URL(url).searchParams.get('connect_timeout') ?? '10'
  if (!/^\d{1,6}$/.test(asked)) throw databaseProblem(service, 'connect_timeout must be a number of seconds.')
  return Number(asked)
}

/** Host, port and database of a URL; never its user and password, because this is logged. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${decodeURIComponent(host) || 'localhost'}${decodeURIComponent(pathname)}`
}

// Set while connecting, so that no connection of the pool can miss it; the operator's options come before it.
function withSearchPath(url: string, schema: string): string {
  const parsed = new URL(url)
  const given = parsed.searchParams.get('options')
  parsed.searchParams.set('options', [given, `-c search_path=${schema}`].filter(Boolean).join(' '))
  return parsed.href
}

/** The same values as SQLite for the same expression: numbers for counts and sums, 0 and 1 for conditions. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  [pg.types.builtins.BOOL]: (text) => (text === 't' ? 1 : 0),
  [pg.types.builtins.INT8]: exactNumber,
  [pg.types.builtins.NUMERIC]: Number,
}

const portableTypes: CustomTypesConfig = {
  getTypeParser: (oid, format) => parsers[oid] ?? pg.types.getTypeParser(oid, format),
}

// SQLite's driver refuses such a value too; a silently rounded number would be worse.
function exactNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large to be read exactly as a number.`)
  return value
}
