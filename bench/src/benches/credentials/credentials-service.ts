import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '@chancela/service-kernel/clock'
import { type ApiKeyTables, createApplication, createKey } from '@chancela/service-kernel/http'
import { hotStatement, openStore, type Store } from '@chancela/service-kernel/store'
import { startProgram } from '../../harness/program.ts'
import type { ServiceOrder } from '../serve-order.ts'
import { LARGE_INSTITUTE, ORGANIZATION, SMALL_INSTITUTE } from './many-degrees.ts'

interface CredentialsServiceOptions {
  /** A folder on the disk that holds everything of the service. */
  readonly on: string
  /** Default: SQLite in the folder of the service. */
  readonly databaseUrl?: string | undefined
  /** Writes rows before the service is used. */
  readonly fill: (store: Store<ApiKeyTables>, dataFolder: string) => Promise<void>
}

/** A running credential platform with default settings, except ports, folders and rate limits. */
export interface CredentialsService {
  readonly pid: number
  readonly baseUrl: string
  /** The key of an application of the organization. */
  readonly apiKey: string
  /** Ends it and removes everything it had on disk. */
  remove(): Promise<void>
}

/** Starts the service on a fresh folder; the first start creates the schema, the second finds an organization in it. */
export async function startCredentialsService(options: CredentialsServiceOptions): Promise<CredentialsService> {
  const dataFolder = await mkdtemp(join(options.on, 'credentials-'))
  const url = options.databaseUrl ?? `sqlite:${join(dataFolder, 'credentials.db')}`
  const name = basename(dataFolder).toLowerCase()
  const settings = { Http: { Port: 0 }, Database: { Url: url }, RateLimiting: { Enabled: false } }
  const order: ServiceOrder = { name, dataFolder, settings }
  await (await start(order)).stop()
  const store = await openStore<ApiKeyTables>({ url, service: name })
  const apiKey = await addOrganization(store)
  await options.fill(store, dataFolder)
  const { pid, message: baseUrl, stop } = await start(order)
  await untilNumbered(store)
  await store.close()
  const remove = async () => {
    await stop()
    await rm(dataFolder, { recursive: true, force: true })
  }
  return { pid, baseUrl, apiKey, remove }
}

async function start(order: ServiceOrder) {
  const orderFile = join(order.dataFolder, 'order.json')
  await writeFile(orderFile, JSON.stringify(order))
  return startProgram<string>(new URL('./credentials-service-process.ts', import.meta.url), { args: [orderFile] })
}

/** Until the service has taken what was filled in into the index of its searches; the last few stay as they are. */
async function untilNumbered({ db }: Store<ApiKeyTables>): Promise<void> {
  while (Number((await countWaiting(db, undefined))[0]!.n) > 500) await wait(500)
}

const counting = { text: 'select count(*) as n from search_waiting', parameters: () => [] }
const countWaiting = hotStatement<undefined, { n: number | string }>('bench_waiting_items', {
  sqlite: counting,
  postgres: counting,
})

/** An organization with an application and two institutions, as the administration makes them. */
async function addOrganization(store: Store<ApiKeyTables>): Promise<string> {
  const now = systemClock()
  const at = now.toISOString()
  await insertSubscription(store.db, [ORGANIZATION, at])
  await insertInstitute(store.db, [LARGE_INSTITUTE, '100'])
  await insertInstitute(store.db, [SMALL_INSTITUTE, '101'])
  const application = await createApplication(store, 'university', now)
  await insertRole(store.db, [application.id, at])
  const form = { applicationId: application.id, description: 'bench', form: 'application|secret' } as const
  return (await createKey(store, form, now)).key
}

const inserting = (name: string, text: (first: string, second: string) => string) =>
  hotStatement<readonly [string, string], never>(name, {
    sqlite: { text: text('?1', '?2'), parameters: (values) => values },
    postgres: { text: text('$1', '$2'), parameters: (values) => values },
  })

const insertSubscription = inserting(
  'bench_subscription',
  (id, at) =>
    `insert into subscription (id, name, created_at, updated_at) values (${id}, 'Universidade', ${at}, ${at})`,
)

const insertInstitute = inserting(
  'bench_institute',
  (id, code) => `insert into institute (id, subscription_id, kind, name, code, cnpj, federal_system, public_url, data,
      created_at, updated_at)
    values (${id}, '${ORGANIZATION}', 'IssuerAndRegistrar', 'Universidade Exemplo', ${code}, ${code}, 1,
      'https://diplomas.example.br', '{}', '', '')`,
)

const insertRole = inserting(
  'bench_role',
  (application, at) => `insert into application_role (application_id, subscription_id, role, created_at)
    values (${application}, '${ORGANIZATION}', 'Administrador', ${at})`,
)
