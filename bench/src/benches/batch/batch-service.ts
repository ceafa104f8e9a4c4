import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { startProgram } from '../../harness/program.ts'
import type { ServiceOrder } from '../serve-order.ts'
import { PKCS12_PASSWORD } from '../signatures/signing-world.ts'
import type { BatchWorld, KeyKind } from './batch-world.ts'

const API_KEY = 'the key of the benchmarks'

interface BatchServiceOptions {
  /** A folder on the disk (or in memory) that holds everything of the service. */
  readonly on: string
  readonly key: KeyKind
  readonly format: 'Pades' | 'Cades'
  /** Whether the profile verifies what it has signed; default true. */
  readonly verify?: boolean
  /** Default: SQLite in the folder of the service. */
  readonly databaseUrl?: string
  /** Further profiles with the same key, without a folder; default none. */
  readonly moreProfiles?: readonly string[]
}

/** A running batch signer with default settings, except ports, folders, keys and rate limits. */
export interface BatchService {
  readonly pid: number
  /** Name of its schema on PostgreSQL. */
  readonly name: string
  readonly folder: string
  /** The watched folder, and where the outputs are. */
  readonly input: string
  readonly output: string
  /** Calls its REST surface; throws unless the response is a success. */
  call<Answer>(method: string, path: string, body?: FormData | object): Promise<Answer>
  /** Enables or disables the profile of the watched folder: while disabled, files wait in it. */
  takeFiles(enabled: boolean): Promise<void>
  /** How many jobs have this status. */
  count(status: 'Completed' | 'Failed'): Promise<number>
  /** Ends the process; its files stay until `remove`. */
  stop(): Promise<void>
  /** Starts it again on its existing files. */
  restart(): Promise<BatchService>
  /** Ends it and removes everything it had on disk. */
  remove(): Promise<void>
}

/** Starts the service on a fresh folder with one profile that validates, and verifies unless told not to. */
export async function startBatchService(world: BatchWorld, options: BatchServiceOptions): Promise<BatchService> {
  const dataFolder = await mkdtemp(join(options.on, 'batch-'))
  const input = join(dataFolder, 'in')
  await mkdir(input)
  const { key, format, verify = true, databaseUrl, moreProfiles = [] } = options
  const signing = {
    Format: format,
    Verify: verify,
    ValidateCertificate: true,
    Pkcs12File: world.files[key].pkcs12,
    Pkcs12Password: PKCS12_PASSWORD,
  }
  return start({
    name: basename(dataFolder).toLowerCase(),
    dataFolder,
    settings: {
      Http: { Port: 0 },
      Compact: { Port: 0 },
      Auth: { ApiKey: API_KEY },
      RateLimiting: { Enabled: false },
      Storage: { Inputs: [{ Name: 'in', Path: input }] },
      // The files lie there before the service first looks.
      WatchedFolder: { TakeExisting: true },
      ...(databaseUrl !== undefined && { Database: { Url: databaseUrl } }),
      Signing: {
        TrustAnchorsFile: world.files.roots,
        Profiles: [
          { ...signing, Name: 'default', InputFolder: 'in' },
          ...moreProfiles.map((name) => ({ ...signing, Name: name })),
        ],
      },
    },
  })
}

async function start(order: ServiceOrder): Promise<BatchService> {
  const { name, dataFolder } = order
  const orderFile = join(dataFolder, 'order.json')
  await writeFile(orderFile, JSON.stringify(order))
  const source = new URL('./batch-service-process.ts', import.meta.url)
  const { pid, message: baseUrl, stop } = await startProgram<string>(source, { args: [orderFile] })
  const call = <Answer>(method: string, path: string, body?: FormData | object) =>
    callJson<Answer>(method, new URL(path, baseUrl), body)
  return {
    pid,
    name,
    folder: dataFolder,
    input: join(dataFolder, 'in'),
    output: join(dataFolder, 'batch-signer', 'output'),
    call,
    takeFiles: async (enabled) => {
      const profile = await call<Record<string, unknown>>('GET', '/dashboard/api/profiles/default')
      await call('PUT', '/dashboard/api/profiles/default', { ...formOf(profile), inputFolder: enabled ? 'in' : null })
    },
    count: async (status) =>
      (await call<{ totalCount: number }>('GET', `/api/jobs?status=${status}&pageSize=1`)).totalCount,
    stop,
    restart: async () => {
      await stop()
      return start(order)
    },
    remove: async () => {
      await stop()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

/** The fields of a shown profile that its form sends. */
const formOf = ({
  name: _name,
  certificateSource: _source,
  approval: _approval,
  hasSecret: _hasSecret,
  reason: _reason,
  state: _state,
  key: _key,
  ...form
}: Record<string, unknown>) => form

async function callJson<Answer>(method: string, url: URL, body: FormData | object | undefined): Promise<Answer> {
  const isForm = body instanceof FormData
  const answer = await fetch(url, {
    method,
    headers: { 'X-API-Key': API_KEY, ...(body && !isForm && { 'content-type': 'application/json' }) },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${url.pathname} answered ${answer.status}: ${text}`)
  return JSON.parse(text) as Answer
}
