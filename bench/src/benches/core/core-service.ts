import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { systemClock } from '@chancela/service-kernel/clock'
import { type ApiKeyTables, createApplication, createKey } from '@chancela/service-kernel/http'
import { openStore } from '@chancela/service-kernel/store'
import { startProgram } from '../../harness/program.ts'
import { SERVER_CORE } from '../http/load.ts'
import type { ServiceOrder } from '../serve-order.ts'

/** A running PKI core with default settings, except ports, folders, roots and rate limits. */
export interface CoreService {
  readonly pid: number
  readonly baseUrl: string
  /** The key of an application that the operator made. */
  readonly apiKey: string
  /** Ends it and removes everything it had on disk. */
  remove(): Promise<void>
}

/** Starts the service on a fresh folder; the first start creates the schema, the second finds a key in it. */
export async function startCoreService(on: string, roots: string, databaseUrl?: string): Promise<CoreService> {
  const dataFolder = await mkdtemp(join(on, 'core-'))
  const url = databaseUrl ?? `sqlite:${join(dataFolder, 'core.db')}`
  const name = basename(dataFolder).toLowerCase()
  const order: ServiceOrder = {
    name,
    dataFolder,
    settings: {
      Http: { Port: 0 },
      Console: { Port: 0 },
      Database: { Url: url },
      RateLimiting: { Enabled: false },
      SecurityContexts: { PkiBrazilAnchorsFile: roots, AuthorityHosts: ['127.0.0.1'] },
    },
  }
  await (await start(order)).stop()
  const apiKey = await addKey(url, name)
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
  const source = new URL('./core-service-process.ts', import.meta.url)
  return startProgram<string>(source, { args: [orderFile], core: SERVER_CORE })
}

async function addKey(url: string, service: string): Promise<string> {
  const store = await openStore<ApiKeyTables>({ url, service })
  const now = systemClock()
  const { id } = await createApplication(store, 'bench', now, { byOperator: true })
  const { key } = await createKey(store, { applicationId: id, description: 'bench', form: 'application|secret' }, now)
  await store.close()
  return key
}
