import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Program, startProgram } from '../../harness/program.ts'
import type { BatchWorld } from '../batch/batch-world.ts'
import { type HubOrder, type HubReady, REDIRECT_URI } from './hub-order.ts'
import type { ProviderAddress } from './instant-provider-process.ts'

/** The hub's callbacks use this address; the benchmark replaces it with the real one. */
const PUBLIC_URL = 'http://hub.localhost'

interface HubOptions {
  /** A folder on the disk that holds everything of the service. */
  readonly on: string
  /** Default: SQLite in the folder of the service. */
  readonly databaseUrl?: string | undefined
  /** Name → address of each provider. */
  readonly providers: Readonly<Record<string, string>>
  readonly settings?: Readonly<Record<string, unknown>>
  readonly core?: number
}

/** A running hub with default settings, except ports, folders and rate limits. */
export interface HubService extends HubReady {
  readonly program: Program<HubReady>
  /** Calls the contract as the client application. */
  call<Answer>(method: string, path: string, body?: object): Promise<Answer>
  /** A session that a holder has authorized at the provider that answers at once. */
  authorized(service: string): Promise<string>
  remove(): Promise<void>
}

export async function startHub(options: HubOptions): Promise<HubService> {
  const dataFolder = await mkdtemp(join(options.on, 'hub-'))
  const order: HubOrder = {
    name: basename(dataFolder).toLowerCase(),
    dataFolder,
    providers: options.providers,
    settings: {
      Http: { Port: 0, PublicUrl: PUBLIC_URL },
      Console: { Port: 0 },
      Database: { Url: options.databaseUrl ?? `sqlite:${join(dataFolder, 'hub.db')}` },
      RateLimiting: { Enabled: false },
      Providers: { AllowedHosts: ['127.0.0.1'] },
      ...options.settings,
    },
  }
  const orderFile = join(dataFolder, 'order.json')
  await writeFile(orderFile, JSON.stringify(order))
  const source = new URL('./hub-service-process.ts', import.meta.url)
  const { core } = options
  const program = await startProgram<HubReady>(source, {
    args: [orderFile],
    nodeOptions: ['--expose-gc'],
    ...(core !== undefined && { core }),
  })
  const { baseUrl, apiKey } = program.message
  const call = caller(baseUrl, apiKey)
  await knowsItsKeyAndProviders(call, Object.keys(options.providers))
  return {
    baseUrl,
    apiKey,
    program,
    call,
    authorized: (service) => authorize(call, service, baseUrl),
    remove: async () => {
      await program.stop()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

type Call = HubService['call']

const caller =
  (baseUrl: string, apiKey: string): Call =>
  async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
    return JSON.parse(text) as Answer
  }

/** They were added to the database directly, so the running service sees them only after a moment. */
async function knowsItsKeyAndProviders(call: Call, names: readonly string[]): Promise<void> {
  for (const name of names)
    for (;;) {
      const found = await call('POST', `/api/sessions/services/${name}`, { redirectUri: REDIRECT_URI }).catch(
        () => null,
      )
      if (found) break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
}

/** Follows the provider's redirect and the hub's callback, as a holder's browser does. */
async function authorize(call: Call, service: string, baseUrl: string): Promise<string> {
  const { authUrl } = await call<{ authUrl: string }>('POST', `/api/sessions/services/${service}`, {
    redirectUri: REDIRECT_URI,
    type: 'SignatureSession',
    lifetimeInSeconds: 86_400,
  })
  const callback = await redirectOf(authUrl)
  const back = new URL(await redirectOf(callback.replace(PUBLIC_URL, baseUrl)))
  const session = back.searchParams.get('session')
  if (session === null || back.searchParams.has('error')) throw new Error(`The holder came back with ${back.search}.`)
  return session
}

async function redirectOf(url: string): Promise<string> {
  const answer = await fetch(url, { redirect: 'manual' })
  await answer.arrayBuffer()
  const location = answer.headers.get('location')
  if (location === null) throw new Error(`${url} answered ${answer.status} instead of a redirect.`)
  return location
}

/** A provider that answers at once, pinned to the core of the load generator. */
export const startInstantProvider = ({ files }: BatchWorld, core?: number): Promise<Program<ProviderAddress>> =>
  startProgram<ProviderAddress>(new URL('./instant-provider-process.ts', import.meta.url), {
    args: [files.rsa.key, files.rsa.certificate],
    ...(core !== undefined && { core }),
  })
