// The whole service in processes of its own, on one database, one folder and one mail server.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CompiledFile, compileFile, type Disk } from '@chancela/testkit/programs'
import { callerOf } from '@chancela/testkit/service-world'
import { type TestStore, testStores } from '@chancela/testkit/stores'
import { atFileEnd } from '@chancela/testkit/test-files'
import { afterAll, beforeAll } from 'vitest'
import { documentPlatform } from '../../src/index.ts'
import type { Tables } from '../../src/store/tables.ts'
import type { LifePlan } from '../../src/workers/test-support/prove/life-plan.ts'
import { LifeProcess } from '../../src/workers/test-support/prove/life-process.ts'
import { administrationKey, type Database, newOrganization } from './platform-world.ts'
import { clock, roots } from './signers.ts'

interface ProcessOptions {
  readonly database: Database
  readonly count: number
  /** Port of the mail server. */
  readonly mailPort: number
  /** Settings of the section `Documents`. */
  readonly documents?: object
  /** A small disk that holds the data of the service, the database included if it is SQLite. */
  readonly disk?: Omit<Disk, 'folder'>
}

type Place = Awaited<ReturnType<typeof openPlace>>

/** What a test needs of a process: it is used like a world of `platform-world.ts`. */
export type ServiceProcess = Awaited<ReturnType<Place['start']>>

interface Processes {
  readonly all: readonly ServiceProcess[]
  /** Starts another one, which may be planned to crash. */
  start(plan?: LifePlan): Promise<ServiceProcess>
}

/** Processes for the tests of a describe; all start at once, on a database that none has used. */
export function processes({ count, ...options }: ProcessOptions): () => Processes {
  let place: Place | undefined
  let all: readonly ServiceProcess[] = []
  beforeAll(async () => {
    place = await openPlace(options)
    all = await Promise.all(Array.from({ length: count }, () => place!.start()))
  })
  afterAll(() => place?.close())
  return () => ({ all, start: place!.start })
}

async function openPlace({ database, mailPort, documents = {}, disk }: Omit<ProcessOptions, 'count'>) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'chancela-processes-'))
  const { program } = await compiledLife()
  const store = disk ? undefined : await testStores[database]<Tables>(documentPlatform.migrations)
  const own = store && (await ownersOf(store))
  const setup = {
    name: store?.service ?? 'document-platform',
    dataFolder,
    databaseUrl: store?.url ?? `sqlite:${join(dataFolder, 'documents.db')}`,
    roots,
    mailPort,
    documents,
    // The clock of the PKI stands still: that of the service begins where it stands.
    ahead: clock().getTime() - Date.now(),
    isFirst: !own,
  }
  const started: LifeProcess[] = []
  const start = async (plan: LifePlan = {}) => {
    const process = new LifeProcess(program, disk && { ...disk, folder: dataFolder })
    started.push(process)
    const { baseUrl, organization: first } = (await process.live(setup, plan))!
    const organization = first ?? own!.organization
    const caller = callerOf(baseUrl, { 'X-Api-Key': organization.apiKey })
    return { ...caller, baseUrl, dataFolder, organization, administrationKey: own?.administrator ?? '', process }
  }
  const close = async () => {
    await Promise.all(started.map((process) => process.kill()))
    await rm(dataFolder, { recursive: true, force: true })
  }
  return { start, close }
}

/** Written before the processes start: they know the keys that are there then. */
const ownersOf = async (store: TestStore<Tables>) => ({
  organization: await newOrganization(store, clock(), 'Hospital Santa Clara'),
  administrator: await administrationKey(store, clock()),
})

let compiled: Promise<CompiledFile> | undefined

/** Compiled once for all processes of a file. */
function compiledLife(): Promise<CompiledFile> {
  if (compiled) return compiled
  const source = (path: string) => new URL(`../../src/${path}`, import.meta.url)
  const threads = [source('parts/renditions/threads/rendition-thread.ts')]
  compiled = compileFile(source('workers/test-support/prove/life.ts'), threads)
  atFileEnd(async () => {
    ;(await compiled)?.remove()
    compiled = undefined
  })
  return compiled
}
