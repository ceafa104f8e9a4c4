import { databaseProblem } from './database-problem.ts'
import type { ExposedFile } from './sqlite/private-files.ts'
import type { Store } from './store.ts'

export interface OpenStoreOptions {
  /** `sqlite:path/to/file.db`, `sqlite::memory:` or `postgres://user:password@host/database`. */
  readonly url: string
  /** Names the PostgreSQL schema (`-` as `_`), the connections in PostgreSQL's lists, and the setting in problems. */
  readonly service: string
  /** Base folder of relative SQLite paths. Default: the working directory. */
  readonly dataFolder?: string
  /** Told which files of a SQLite database other accounts of the machine could read until now. */
  onExposed?(files: readonly ExposedFile[]): void
}

type Opener = <Tables>(options: OpenStoreOptions) => Promise<Store<Tables>>

// Loaded on demand: a service uses one of them, and the other's driver would only use memory.
const sqlite = async (): Promise<Opener> => (await import('./sqlite/open-store.ts')).openSqliteStore
const postgres = async (): Promise<Opener> => (await import('./postgres/open-store.ts')).openPostgresStore

const openers: Readonly<Record<string, () => Promise<Opener>>> = { sqlite, postgres, postgresql: postgres }

/** Opens a service's database, or refuses to start with one sentence naming its setting. Does not migrate. */
export async function openStore<Tables>(options: OpenStoreOptions): Promise<Store<Tables>> {
  const opener = openers[schemeOf(options.url)]
  if (!opener) throw unknownScheme(options.service)
  const open = await opener()
  return open<Tables>(options)
}

const schemeOf = (url: string): string => url.slice(0, Math.max(url.indexOf(':'), 0)).toLowerCase()

// The value is not repeated: a mistyped scheme may be followed by a password.
const unknownScheme = (service: string) =>
  databaseProblem(service, 'the value is neither sqlite:<file> nor postgres://<user>:<password>@<host>/<database>.')
