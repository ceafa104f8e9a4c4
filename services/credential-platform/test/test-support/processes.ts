// The whole service in processes of its own, on one database and one folder.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApplication, createKey } from '@chancela/service-kernel/http'
import { type CompiledFile, compileFile, type Disk, pathIn, startOnDisk } from '@chancela/testkit/programs'
import { type Caller, callerOf, type Database, type SettingsFile, withSections } from '@chancela/testkit/service-world'
import { type TestStore, testStores } from '@chancela/testkit/stores'
import { atFileEnd } from '@chancela/testkit/test-files'
import { onTestFinished, vi } from 'vitest'
import { credentialPlatform } from '../../src/index.ts'
import type { Tables } from '../../src/store/tables.ts'
import { ownSettings } from './credential-world.ts'
import { clock, signingSettings } from './pki.ts'

/** What a process has to serve. */
export interface ServerPlan {
  readonly name: string
  readonly settings: SettingsFile
  readonly dataFolder: string
  /** Milliseconds from the time of the machine to that of the test. */
  readonly ahead: number
  /** Whether the process makes the operator's key: nobody else sees its database. */
  readonly makesKey?: boolean
}

interface Word {
  readonly baseUrl: string
  readonly systemKey?: string
}

let compiled: Promise<CompiledFile> | undefined

/** Compiled once for all processes of a file. */
function compiledServer(): Promise<CompiledFile> {
  if (compiled) return compiled
  compiled = compileFile(new URL('./server-process.ts', import.meta.url))
  atFileEnd(async () => {
    ;(await compiled)?.remove()
    compiled = undefined
  })
  return compiled
}

async function startProcess(plan: ServerPlan, disk?: Disk) {
  const { program } = await compiledServer()
  const how = disk ? startOnDisk(disk) : { execArgv: [] }
  const child = fork(program, [], { ...how, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  onTestFinished(() => void child.kill('SIGKILL'))
  const word = async () => (await Promise.race([once(child, 'message'), ended]))[0] as Word
  await word()
  child.send(plan)
  const { baseUrl, systemKey } = await word()
  /** Like a power failure: nothing more is sent or written. */
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return { baseUrl, systemKey, kill, pid: child.pid! }
}

const settingsOn = (url: string): SettingsFile => {
  const quiet = { Http: { Port: 0 }, Database: { Url: url }, RateLimiting: { Enabled: false } }
  return withSections(withSections(ownSettings, signingSettings), quiet)
}

/** The clock of the PKI stands still: that of the service begins where it stands. */
const ahead = (): number => clock().getTime() - Date.now()

/** One process with all its data on a small disk, and the operator's key. */
export async function onSmallDisk(megabytes: number) {
  const folder = await mkdtemp(join(tmpdir(), 'chancela-credential-disk-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const url = `sqlite:${join(folder, 'credentials.db')}`
  const plan = { name: credentialPlatform.name, settings: settingsOn(url), dataFolder: folder, ahead: ahead() }
  const { baseUrl, pid, systemKey } = await startProcess({ ...plan, makesKey: true }, { folder, megabytes })
  const system = callerOf(baseUrl, { 'X-Api-Key': systemKey! })
  await isServing(system, '/api/subscriptions')
  return { baseUrl, systemKey: systemKey!, system, ballast: pathIn(pid, join(folder, 'ballast')) }
}

/** A database and a folder for processes that share them, with the operator's key. */
export async function placeOf(database: Database, more: SettingsFile = {}) {
  const store: TestStore<Tables> = await testStores[database]<Tables>(credentialPlatform.migrations)
  const dataFolder = await mkdtemp(join(tmpdir(), 'chancela-credential-processes-'))
  onTestFinished(() => rm(dataFolder, { recursive: true, force: true }))
  const operator = await createApplication(store, 'administration', clock(), { byOperator: true })
  const asked = { applicationId: operator.id, description: 'test', form: 'application|secret' } as const
  const { key: systemKey } = await createKey(store, asked, clock())
  const begin = async () => {
    const settings = withSections(settingsOn(store.url), more)
    const { baseUrl, kill } = await startProcess({ name: store.service, settings, dataFolder, ahead: ahead() })
    return { baseUrl, systemKey, system: callerOf(baseUrl, { 'X-Api-Key': systemKey }), kill }
  }
  return { store, start: begin }
}

export type Place = Awaited<ReturnType<typeof placeOf>>

/** A lease that a killed process held ends by itself; a test does not wait for it. */
export const endLeases = ({ db }: Place['store']) =>
  db
    .updateTable('durable_job' as never)
    .set({ due_at: '2000-01-01T00:00:00.000Z' } as never)
    .where('state' as never, '=', 'claimed' as never)
    .execute()

/** A process that was started just now learns of keys after a moment. */
export const isServing = ({ call }: Caller, path: string) =>
  vi.waitUntil(async () => (await call('GET', path)).status === 200, { interval: 50 })
