// The whole service in processes of its own, on one database and one folder.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Disk, nextLine, pathIn, program } from '@chancela/testkit/programs'
import { callerOf, type Database, withSections } from '@chancela/testkit/service-world'
import { type TestStore, testStores } from '@chancela/testkit/stores'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { pkiCore } from '../../src/index.ts'
import type { Tables } from '../../src/store/tables.ts'
import { newClient, ownSettings } from './core-world.ts'
import { clock } from './pki.ts'

const start = program(
  import.meta.url,
  `import { loadSettings } from '@chancela/service-kernel/config'
   import { createApplication, createKey } from '@chancela/service-kernel/http'
   import { contextOf, startService } from '@chancela/service-kernel/service'
   import { join } from 'node:path'
   import { pkiCore } from '../../src/index.ts'
   import { consoleSurface, coreSurface } from '../../src/surfaces.ts'
   const { name, settings: given, dataFolder, ahead, isFirst } = JSON.parse(process.env.SETUP)
   const { settings } = loadSettings({ schemas: { [name]: pkiCore.settings }, environment: {}, defaults: { [name]: given } })
   const clock = () => new Date(Date.now() + ahead)
   const logFile = join(dataFolder, \`\${process.pid}.log\`)
   const service = await startService({ ...pkiCore, name }, settings[name], { clock, version: '1.0.0', dataFolder, logFile })
   const urlOf = ({ name }) => service.surfaces.find(({ definition }) => definition.name === name)?.baseUrl
   const firstKey = async () => {
     const { store } = contextOf(service)
     const { id: applicationId } = await createApplication(store, 'first', clock(), { byOperator: true })
     return (await createKey(store, { applicationId, description: 'first', form: 'application|secret' }, clock())).key
   }
   console.log(JSON.stringify({ baseUrl: urlOf(coreSurface), consoleUrl: urlOf(consoleSurface), apiKey: isFirst ? await firstKey() : undefined }))`,
)

interface Setup {
  readonly name: string
  readonly url: string
  readonly dataFolder: string
  /** Of an application that the database has; without it the process makes one. */
  readonly apiKey?: string
  readonly disk?: Disk
  readonly atEnd?: AtEnd
  readonly how?: How
}

/** Settings of processes, and the time at which they begin. */
export interface How {
  readonly settings: Parameters<typeof withSections>[0]
  readonly time: () => Date
}

export const usual: How = { settings: ownSettings, time: clock }

type AtEnd = (end: () => void | Promise<void>) => void

/** A process of its own on the data, with an application that it knows. */
async function startProcess({ name, url, dataFolder, apiKey, disk, atEnd, how = usual }: Setup) {
  const quiet = { Http: { Port: 0 }, Database: { Url: url }, RateLimiting: { Enabled: false } }
  const own = withSections(how.settings, quiet)
  // The clock of the PKI stands still: that of the service begins where it stands.
  const ahead = how.time().getTime() - Date.now()
  const setup = { name, settings: own, dataFolder, ahead, isFirst: apiKey === undefined }
  const child = await start({ SETUP: JSON.stringify(setup) }, { disk, atEnd })
  const listening = JSON.parse(await nextLine(child))
  const key: string = apiKey ?? listening.apiKey
  const baseUrl: string = listening.baseUrl
  const consoleUrl: string = listening.consoleUrl
  return {
    kill: () => killed(child),
    pid: child.pid!,
    baseUrl,
    consoleUrl,
    apiKey: key,
    ...callerOf(baseUrl, { 'X-Api-Key': key }),
  }
}

export type ServiceProcess = Awaited<ReturnType<typeof startProcess>>

async function killed(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function folderUntil(atEnd: AtEnd): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'chancela-core-processes-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A database and a folder for processes that share them, with an application that all know. */
export async function placeOf(database: Database, atEnd: AtEnd = onTestFinished) {
  const store: TestStore<Tables> = await testStores[database]<Tables>(pkiCore.migrations)
  const dataFolder = await folderUntil(atEnd)
  const client = await newClient(store)
  const { service: name, url } = store
  const begin = (how = usual) => startProcess({ name, url, dataFolder, apiKey: client.apiKey, atEnd, how })
  return { store, dataFolder, client, start: begin }
}

/** Two processes for the tests of a describe. */
export function twoProcesses(database: Database) {
  const ends: (() => void | Promise<void>)[] = []
  const open = async () => {
    const place = await placeOf(database, (end) => void ends.push(end))
    const [one, other] = await Promise.all([place.start(), place.start()])
    return { store: place.store, one: one!, other: other! }
  }
  let both: Awaited<ReturnType<typeof open>> | undefined
  beforeAll(async () => {
    both = await open()
  })
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
  })
  return () => both!
}

/** One process with all its data on a small disk. */
export async function onSmallDisk(megabytes: number) {
  const folder = await folderUntil(onTestFinished)
  const url = `sqlite:${join(folder, 'core.db')}`
  const disk = { folder, megabytes }
  const running = await startProcess({ name: pkiCore.name, url, dataFolder: folder, disk })
  return { ...running, ballast: pathIn(running.pid, join(folder, 'ballast')) }
}
