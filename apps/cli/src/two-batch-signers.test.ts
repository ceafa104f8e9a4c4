// Two real processes of the batch signer on one database and the same folders: a unit that overlaps its successor, a
// scale of two. Started by the command, as an operator would.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openStore, type Store } from '@chancela/service-kernel/store'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { testStores } from '@chancela/testkit/stores'
import { pkiOfToday } from '@chancela/testkit/test-files'
import { temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, onTestFinished, test } from 'vitest'

const PROGRAM = join(import.meta.dirname, '../bin/chancela.mjs')
const API_KEY = 'a key of sixteen letters and more'
const unhurried = { timeout: 300_000 }

interface Job {
  readonly id: string
  readonly fileName: string
  readonly status: string
  readonly errorCode: string | null
}

/** What is looked at in the database of both. */
interface Tables {
  job: { id: string; owner: string | null; status: string }
  instance: { id: string; pid: number }
}

/** A data folder with the settings of both processes. */
async function site(database: keyof typeof testStores) {
  const folder = temporaryFolder()
  const [holder, store] = [demoHolders[0]!, await testStores[database]()]
  const { pki, baseUrl, faults } = await pkiOfToday()
  // A slow time-stamping authority: whenever a process looks, jobs of the other one are in flight.
  faults.set('tsa', { kind: 'late', delayMs: 1000 })
  onTestFinished(() => faults.clear())
  mkdirSync(join(folder, 'in'))
  writeFileSync(join(folder, 'roots.pem'), pki.trustAnchors())
  writeFileSync(join(folder, 'key.p12'), pki.pkcs12(pki.certificate(holder.label), { password: holder.pin }))
  const profile = { Name: 'default', InputFolder: 'default', Format: 'Cades', Level: 'B-T' }
  const settings = {
    Http: { Port: 0 },
    Compact: { Port: 0 },
    Database: { Url: store.url },
    Auth: { ApiKey: API_KEY },
    RateLimiting: { Enabled: false },
    Storage: { Inputs: [{ Name: 'default', Path: 'in' }] },
    WatchedFolder: { StabilityPollIntervalMs: 50, StabilityRequiredSamples: 1, PollIntervalSeconds: 5 },
    Pipeline: { PollIntervalSeconds: 1 },
    Signing: {
      TrustAnchorsFile: 'roots.pem',
      Profiles: [
        { ...profile, TimestampAuthority: `${baseUrl}/tsa`, Pkcs12File: 'key.p12', Pkcs12Password: holder.pin },
      ],
    },
  }
  const settle = (more: Readonly<Record<string, unknown>>) =>
    writeFileSync(join(folder, 'chancela.json'), JSON.stringify({ 'batch-signer': { ...settings, ...more } }))
  return { folder, settle, url: store.url, flow: new Flow(join(folder, 'in')) }
}

/** Files that keep coming. */
class Flow {
  readonly names: string[] = []
  readonly #folder: string
  #flows = false
  #ended: Promise<void> = Promise.resolve()

  constructor(folder: string) {
    this.#folder = folder
  }

  start(): void {
    this.#flows = true
    this.#ended = this.#run()
  }

  async stop(): Promise<void> {
    this.#flows = false
    await this.#ended
  }

  async #run(): Promise<void> {
    for (; this.#flows; await delay(40)) this.#drop()
  }

  #drop(): void {
    const name = `file-${this.names.length}.txt`
    this.names.push(name)
    writeFileSync(join(this.#folder, name), `content of ${name}`)
  }
}

/** A process of the command; it has said its address or ended when the promise resolves. */
async function start(folder: string) {
  const args = [PROGRAM, 'start', 'batch-signer', '--config', join(folder, 'chancela.json'), '--data', folder]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let told = ''
  child.stderr.on('data', (chunk) => {
    told += chunk
  })
  const address = () => /batch-signer +(http\S+)/.exec(told)?.[1]
  await expect.poll(() => address() !== undefined || child.exitCode !== null, unhurried).toBe(true)
  const call = async (method: string, path: string) =>
    fetch(`${address()}${path}`, { method, headers: { 'X-API-Key': API_KEY } })
  const jobs = async (): Promise<readonly Job[]> => {
    const found: Job[] = []
    for (let page = 1; ; page += 1) {
      const answer = await call('GET', `/api/jobs?page=${page}&pageSize=200`)
      const { items } = (await answer.json()) as { items: Job[] }
      found.push(...items)
      if (items.length < 200) return found
    }
  }
  return { child, call, jobs, told: () => told }
}

type Running = Awaited<ReturnType<typeof start>>

async function kill(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}

const namesWith = (jobs: readonly Job[], status: string) =>
  jobs.filter((job) => job.status === status).map(({ fileName }) => fileName)

/** Jobs that this process itself has completed. */
const completed = async ({ call }: Running): Promise<number> =>
  Number(/^bulk_jobs_completed_total (\d+)$/m.exec(await (await call('GET', '/api/metrics')).text())![1])

/** How many files were signed how often. */
function signedTimes(jobs: readonly Job[], names: readonly string[]): Readonly<Record<number, number>> {
  const completed = namesWith(jobs, 'Completed')
  const times = names.map((name) => completed.filter((one) => one === name).length)
  return Object.fromEntries([...new Set(times)].map((count) => [count, times.filter((one) => one === count).length]))
}

/** Waits until every file has a job that has ended. */
async function allEnded({ jobs }: Running, names: readonly string[]): Promise<readonly Job[]> {
  const open = async () => {
    const found = await jobs()
    const ended = new Set([...namesWith(found, 'Completed'), ...namesWith(found, 'Failed')])
    return names.filter((name) => !ended.has(name)).length + namesWith(found, 'Processing').length
  }
  await expect.poll(open, { ...unhurried, interval: 200 }).toBe(0)
  return jobs()
}

/** What a kill interrupted is told as such, and a rescan has it signed: in the end every file is, once. */
async function inTheEndSignedOnce(one: Running, { folder, flow }: Site): Promise<void> {
  const jobs = await allEnded(one, flow.names)
  const failures = jobs.filter(({ status }) => status === 'Failed').map(({ errorCode }) => errorCode)
  expect(failures.filter((code) => code !== 'job.interrupted')).toEqual([])
  expect((await one.call('POST', '/api/rescan')).status).toBe(200)
  const signed = async () => signedTimes(await one.jobs(), flow.names)
  await expect.poll(signed, { ...unhurried, interval: 200 }).toEqual({ 1: flow.names.length })
  const outputs = () => readdirSync(join(folder, 'batch-signer/output')).filter((name) => !name.startsWith('.'))
  await expect.poll(() => outputs().length, unhurried).toBe(flow.names.length)
}

type Site = Awaited<ReturnType<typeof site>>

/** The database of both, as they see it. */
async function openTheirs({ url }: Site) {
  const store = await openStore<Tables>({ url, service: 'batch-signer' })
  onTestFinished(() => store.close())
  return store
}

/** The jobs that a process has in hand. */
async function inFlightOf({ db }: Pick<Store<Tables>, 'db'>, { child }: Running): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('job')
    .innerJoin('instance', 'instance.id', 'job.owner')
    .select('job.id')
    .where('instance.pid', '=', child.pid!)
    .where('job.status', 'in', ['Processing', 'Verifying'])
    .execute()
  return rows.map(({ id }) => id)
}

/** The command's word about the audit chain that all of them made; it throws when that is broken. */
function verifiedChain(folder: string): unknown {
  const place = ['--config', join(folder, 'chancela.json'), '--data', folder]
  return JSON.parse(
    execFileSync(process.execPath, [PROGRAM, 'audit', 'verify', '--json', ...place], { encoding: 'utf8' }),
  )
}

describe.each(['SQLite', 'PostgreSQL'] as const)('two processes on %s', (database) => {
  test(
    'without Cluster:Enabled the second is refused and no job of the first fails; with it both work, and one goes on when the other is killed',
    unhurried,
    async () => {
      const world = await site(database)
      const { folder, flow, settle } = world
      settle({})
      const first = await start(folder)
      flow.start()
      const second = await start(folder)
      await flow.stop()
      const jobs = await allEnded(first, flow.names)
      expect({ failed: namesWith(jobs, 'Failed'), exitCode: second.child.exitCode }).toEqual({
        failed: [],
        exitCode: 1,
      })
      expect(second.told()).toMatch(
        new RegExp(`Another batch signer works on this database: .*, process ${first.child.pid},.*set Cluster:Enabled`),
      )
      expect(signedTimes(jobs, flow.names)).toEqual({ 1: flow.names.length })

      // The first is killed while it works; whoever starts next is let in at once.
      flow.start()
      await expect.poll(async () => (await first.jobs()).length, unhurried).toBeGreaterThan(jobs.length + 10)
      await kill(first.child)
      settle({ Cluster: { Enabled: true, HeartbeatSeconds: 1, StaleAfterSeconds: 3 } })
      await flow.stop()
      const [third, fourth] = await Promise.all([start(folder), start(folder)])
      flow.start()
      const each = async () => Math.min(await completed(third), await completed(fourth))
      await expect.poll(each, { ...unhurried, interval: 100 }).toBeGreaterThan(2)
      await kill(third.child)
      await flow.stop()
      await inTheEndSignedOnce(fourth, world)
      expect(verifiedChain(folder)).toMatchObject([{ of: 'batch-signer', intact: true }])
    },
  )
})

test(
  'on PostgreSQL the jobs that a killed one had in hand are taken over by the other, and starting again fails none of the one that lives',
  unhurried,
  async () => {
    const world = await site('PostgreSQL')
    const { folder, flow, settle } = world
    settle({ Cluster: { Enabled: true, HeartbeatSeconds: 1, StaleAfterSeconds: 3 } })
    const store = await openTheirs(world)
    const [killed, living] = await Promise.all([start(folder), start(folder)])
    flow.start()
    const each = async () => Math.min(await completed(killed), await completed(living))
    await expect.poll(each, { ...unhurried, interval: 100 }).toBeGreaterThan(2)
    await expect.poll(async () => (await inFlightOf(store, killed)).length, unhurried).toBeGreaterThan(0)
    await kill(killed.child)
    const orphans = await inFlightOf(store, killed)
    expect(orphans).not.toEqual([])

    // Nobody starts anything: the one that lives finds them by itself, and goes on with its own.
    await expect.poll(() => inFlightOf(store, killed), { ...unhurried, interval: 100 }).toEqual([])

    // A start beside one that has jobs in hand.
    await expect.poll(async () => (await inFlightOf(store, living)).length, unhurried).toBeGreaterThan(0)
    const again = await start(folder)
    await expect.poll(() => completed(again), { ...unhurried, interval: 100 }).toBeGreaterThan(2)
    await flow.stop()
    const jobs = await allEnded(living, flow.names)
    const isOrphan = ({ id }: Job): boolean => orphans.includes(id)
    expect(jobs.filter((job) => job.status === 'Failed' && !isOrphan(job))).toEqual([])
    const outcomes = jobs.filter(isOrphan).map(({ status, errorCode }) => errorCode ?? status)
    expect(outcomes).toHaveLength(orphans.length)
    expect(outcomes.filter((outcome) => !['Completed', 'job.interrupted'].includes(outcome))).toEqual([])
    await inTheEndSignedOnce(living, world)
  },
)
