import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { systemClock } from '@chancela/service-kernel/clock'
import { type ApiKeyTables, createApplication, createKey } from '@chancela/service-kernel/http'
import { hotStatement, openStore, type Store } from '@chancela/service-kernel/store'
import { startProgram } from '../../harness/program.ts'
import type { ServiceOrder } from '../serve-order.ts'

interface DocumentsServiceOptions {
  /** A folder on the disk that holds everything of the service. */
  readonly on: string
  /** Default: SQLite in the folder of the service. */
  readonly databaseUrl?: string | undefined
  /** PEM file of the roots of the signers' certificates. */
  readonly roots: string
  /** Id of the organization the key is of. */
  readonly organizationId: string
  /** Writes rows before the service is used. */
  readonly fill?: (store: Store<ApiKeyTables>) => Promise<void>
}

/** A running document platform with default settings, except ports, folders, roots and rate limits, and PDFs as they come. */
export interface DocumentsService {
  readonly pid: number
  readonly baseUrl: string
  /** The key of an application of the organization. */
  readonly apiKey: string
  /** Ends it and removes everything it had on disk. */
  remove(): Promise<void>
}

/** Starts the service on a fresh folder; the first start creates the schema, the second finds an organization in it. */
export async function startDocumentsService(options: DocumentsServiceOptions): Promise<DocumentsService> {
  const dataFolder = await mkdtemp(join(options.on, 'documents-'))
  const url = options.databaseUrl ?? `sqlite:${join(dataFolder, 'documents.db')}`
  const name = basename(dataFolder).toLowerCase()
  const order: ServiceOrder = {
    name,
    dataFolder,
    settings: {
      Http: { Port: 0 },
      Database: { Url: url },
      RateLimiting: { Enabled: false },
      Documents: { VerificationStamp: 'None' },
      Signing: { TrustAnchorsFile: options.roots, AuthorityHosts: ['127.0.0.1'] },
    },
  }
  const first = await start(order)
  await first.stop()
  const store = await openStore<ApiKeyTables>({ url, service: name })
  const apiKey = await addOrganization(store, options.organizationId)
  await options.fill?.(store)
  await store.close()
  const { pid, message: baseUrl, stop } = await start(order)
  const remove = async () => {
    await stop()
    await rm(dataFolder, { recursive: true, force: true })
  }
  return { pid, baseUrl, apiKey, remove }
}

async function start(order: ServiceOrder) {
  const orderFile = join(order.dataFolder, 'order.json')
  await writeFile(orderFile, JSON.stringify(order))
  return startProgram<string>(new URL('./documents-service-process.ts', import.meta.url), { args: [orderFile] })
}

/** An organization with an application, as the administration makes them. */
async function addOrganization(store: Store<ApiKeyTables>, id: string): Promise<string> {
  const now = systemClock()
  await insertOrganization(store.db, [id, now.toISOString()])
  const application = await createApplication(store, 'hospital', now)
  await insertScope(store.db, [application.id, id])
  const form = { applicationId: application.id, description: 'bench', form: 'application|secret' } as const
  return (await createKey(store, form, now)).key
}

const inserting = (name: string, text: (first: string, second: string) => string) =>
  hotStatement<readonly [string, string], never>(name, {
    sqlite: { text: text('?', '?'), parameters: (values) => values },
    postgres: { text: text('$1', '$2'), parameters: (values) => values },
  })

const insertOrganization = inserting(
  'bench_organization',
  (id, at) =>
    `insert into organization (id, name, time_zone, created_at) values (${id}, 'Hospital', 'America/Sao_Paulo', ${at})`,
)

const insertScope = inserting(
  'bench_scope',
  (application, organization) =>
    `insert into application_scope (application_id, organization_id, role) values (${application}, ${organization}, 'Organization')`,
)
