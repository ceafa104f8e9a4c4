import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { administratorOperator } from '@chancela/admin-console'
import { systemClock } from '@chancela/service-kernel/clock'
import { type ApiKeyTables, createApplication, createKey } from '@chancela/service-kernel/http'
import { openStore } from '@chancela/service-kernel/store'
import { holderOf } from '@chancela/signature-engine/x509'
import { type Program, startProgram } from '../../harness/program.ts'
import type { BatchWorld } from '../batch/batch-world.ts'
import type { ServiceOrder } from '../serve-order.ts'
import { PKCS12_PASSWORD } from '../signatures/signing-world.ts'

/** Where its two surfaces answer. */
export interface SessionsAddresses {
  readonly baseUrl: string
  readonly consoleUrl: string
}

interface SessionsServiceOptions {
  /** A folder on the disk that holds everything of the service. */
  readonly on: string
  /** Default: SQLite in the folder of the service. */
  readonly databaseUrl?: string | undefined
  /** The service that signs documents; none by default. */
  readonly signer?: { readonly baseUrl: string; readonly apiKey: string }
  /** Further settings. */
  readonly settings?: Readonly<Record<string, unknown>>
}

/** A running session server with default settings, except ports, folders, roots and rate limits. */
export interface SessionsService extends SessionsAddresses {
  readonly pid: number
  readonly program: Program<SessionsAddresses>
  /** The key of a client application. */
  readonly apiKey: string
  /** The holder whose certificate is in the vault, and its PIN. */
  readonly cpf: string
  readonly pin: string
  /** Where it logs. */
  readonly logFile: string
  /** Calls the console as its administrator. */
  console<Answer>(method: string, path: string, body?: object): Promise<Answer>
  /** Ends it and removes everything it had on disk. */
  remove(): Promise<void>
}

const administrator = { name: 'Bench', email: 'bench@example.com', password: 'a password for the bench' }

/** Starts the service on a fresh folder with a certificate of the PKI in its vault. */
export async function startSessionsService(
  { files, holders }: BatchWorld,
  options: SessionsServiceOptions,
): Promise<SessionsService> {
  const dataFolder = await mkdtemp(join(options.on, 'sessions-'))
  const url = options.databaseUrl ?? `sqlite:${join(dataFolder, 'sessions.db')}`
  const name = basename(dataFolder).toLowerCase()
  const order: ServiceOrder = {
    name,
    dataFolder,
    settings: {
      Http: { Port: 0 },
      Console: { Port: 0 },
      Database: { Url: url },
      RateLimiting: { Enabled: false },
      Auth: { PasswordCost: 10, RequireSecondFactor: false },
      Certificates: { TrustAnchorsFile: files.roots, AuthorityHosts: ['127.0.0.1'] },
      ...(options.signer && { Signer: { Endpoint: options.signer.baseUrl, ApiKey: options.signer.apiKey } }),
      ...options.settings,
    },
  }
  // The first start creates the schema, the second finds an application and an administrator in it.
  await (await start(order)).stop()
  const apiKey = await addCallers(url, order)
  const program = await start(order)
  const console = await consoleOf(program.message.consoleUrl)
  const file = await readFile(files.rsa.pkcs12, 'base64')
  await console('POST', '/api/certificates', { file, pin: PKCS12_PASSWORD })
  const remove = async () => {
    await program.stop()
    await rm(dataFolder, { recursive: true, force: true })
  }
  const { cpf } = holderOf(holders.rsa.certificate)
  const logFile = join(dataFolder, 'service.log')
  return {
    ...program.message,
    pid: program.pid,
    program,
    logFile,
    apiKey,
    cpf: cpf!,
    pin: PKCS12_PASSWORD,
    console,
    remove,
  }
}

async function start(order: ServiceOrder): Promise<Program<SessionsAddresses>> {
  const orderFile = join(order.dataFolder, 'order.json')
  await writeFile(orderFile, JSON.stringify(order))
  const source = new URL('./sessions-service-process.ts', import.meta.url)
  return startProgram<SessionsAddresses>(source, { args: [orderFile], nodeOptions: ['--expose-gc'] })
}

/** A client application and an administrator, as the command line makes them. */
async function addCallers(url: string, { name: service, settings }: ServiceOrder): Promise<string> {
  const store = await openStore<ApiKeyTables>({ url, service })
  try {
    const now = systemClock()
    await administratorOperator({ store, settings, clock: systemClock }).create(administrator)
    const application = await createApplication(store, 'hospital', now)
    return (await createKey(store, { applicationId: application.id, description: 'bench' }, now)).key
  } finally {
    await store.close()
  }
}

async function consoleOf(consoleUrl: string): Promise<SessionsService['console']> {
  const { email, password } = administrator
  const signedIn = await fetch(`${consoleUrl}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (!signedIn.ok) throw new Error(`The console refused the administrator: ${await signedIn.text()}`)
  const [cookie = ''] = signedIn.headers.getSetCookie().map((header) => header.split(';')[0]!)
  return async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await fetch(`${consoleUrl}${path}`, {
      method,
      headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }
}
