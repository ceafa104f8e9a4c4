// The real service on ports of its own: real folders, a real database, keys of the demo PKI.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@chancela/service-kernel/clock'
import { routesOf } from '@chancela/service-kernel/http'
import type { Store } from '@chancela/service-kernel/store'
import { demoHolders } from '@chancela/testkit/demo-pki'
import {
  type Database,
  type Left,
  type SettingsFile,
  sharedWorld,
  startServiceWorld,
  withSections,
  worldOfTest,
} from '@chancela/testkit/service-world'
import { pkiOfToday } from '@chancela/testkit/test-files'
import { vi } from 'vitest'
import { batchSigner } from '../../src/index.ts'
import type { BatchSignerSettings } from '../../src/settings.ts'
import type { Tables } from '../../src/store/tables.ts'
import { clear, emptied, rowsAtStart } from '../../src/test-support/as-new.ts'

export { databases } from '@chancela/testkit/service-world'

/** The operators' key in tests. */
export const API_KEY = 'a key of sixteen letters and more'

type Section = Readonly<Record<string, unknown>>

export interface ServiceOptions {
  readonly database: Database
  /** Settings that differ from those below. */
  readonly settings?: SettingsFile
  readonly profiles?: readonly Section[]
  readonly inputs?: readonly string[]
  readonly clock?: Clock
  /** A store and a folder of the test's own. */
  readonly after?: Left<Tables>
}

/** One PKI for the tests, reset for every file. */
export const demoPki = pkiOfToday

let files: ReadonlyMap<string, Buffer | string> | undefined

/** Roots, keys and certificates as files; a PKCS#12 is slow to make, so that all tests share them. */
async function keyFiles(): Promise<ReadonlyMap<string, Buffer | string>> {
  const { pki } = await demoPki()
  files ??= new Map<string, Buffer | string>([
    ['roots.pem', pki.trustAnchors()],
    ...demoHolders.flatMap(({ label, pin }): [string, Buffer | string][] => [
      [`${label}.p12`, pki.pkcs12(pki.certificate(label), { password: pin })],
      [`${label}.pem`, pki.certificate(label).x509.toString()],
    ]),
  ])
  return files
}

/** Starts the service for one test. */
export const startBatchSigner = (options: ServiceOptions): Promise<RunningBatchSigner> => worldOfTest(start(options))

/**
 * One service for the tests of a describe (or file), reset for each; its jobs must have ended. Options that name others,
 * which must have started before, are a function.
 */
export function sharedBatchSigner(options: ServiceOptions | (() => ServiceOptions)): () => Promise<RunningBatchSigner> {
  const shared = sharedWorld(() => start(typeof options === 'function' ? options() : options))
  return async () => {
    const service = shared()
    await service.asNew()
    return service
  }
}

async function start({ database, settings = {}, clock = () => new Date(), after, ...more }: ServiceOptions) {
  const inputs = more.inputs ?? ['default']
  const files = await keyFiles()
  const running = await startServiceWorld<Tables, BatchSignerSettings>(batchSigner, {
    database,
    clock,
    after,
    settings: withSections(baseSettings(more), settings),
    prepare: async (folder) => {
      for (const [file, content] of files) await writeFile(join(folder, file), content)
      for (const input of inputs) await mkdir(join(folder, 'in', input), { recursive: true })
    },
  })
  const { store, dataFolder: folder, close, stop } = running
  const atStart = await rowsAtStart(store)
  const input = (name = 'default') => join(folder, 'in', name)
  const area = (name: string) => join(folder, 'batch-signer', name)
  const asNew = async () => {
    await vi.waitUntil(async () => (await unsettled(store)) === 0, { interval: 5 })
    await emptied(store, atStart)
    for (const one of [...inputs.map(input), ...['output', 'error', 'processing'].map(area)]) await clear(one)
  }
  const world = {
    folder,
    input,
    output: area('output'),
    error: area('error'),
    full: caller(running.urlOf('batch-signer')),
    compact: caller(running.urlOf('batch-signer-compact')),
    store,
    apps: running.apps,
    log: running.log,
    /** Every route of the full surface, hidden ones and those of the kernel too. */
    routes: routesOf(running.apps['batch-signer']!).map(({ route }) => route),
    stop,
    asNew,
  }
  return { world, close }
}

export type RunningBatchSigner = Awaited<ReturnType<typeof start>>['world']

/** Jobs in flight. Queued ones belong to no worker, and are deleted with the rows. */
async function unsettled({ db }: Pick<Store<Tables>, 'db'>): Promise<number> {
  const { n } = await db
    .selectFrom('job')
    .select(({ fn }) => fn.countAll<number | string>().as('n'))
    .where((job) => job.or([job('status', 'in', ['Processing', 'Verifying']), job('input_disposal', '=', 'pending')]))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Seed of a profile that signs with the key of a demo holder. */
export const profileOf = (label: string, more: Section): Section => ({
  Pkcs12File: `${label}.p12`,
  Pkcs12Password: demoHolders.find((holder) => holder.label === label)!.pin,
  ...more,
})

const baseSettings = ({ profiles, inputs = ['default'] }: Pick<ServiceOptions, 'profiles' | 'inputs'>) => ({
  // Not a section, which the type of settings files does not know.
  Environment: 'development' as never,
  Compact: { Port: 0 },
  Auth: { ApiKey: API_KEY },
  Storage: { Inputs: inputs.map((name) => ({ Name: name, Path: join('in', name) })) },
  WatchedFolder: { StabilityPollIntervalMs: 50, StabilityRequiredSamples: 2 },
  Signing: {
    TrustAnchorsFile: 'roots.pem',
    Profiles: profiles ?? [profileOf(demoHolders[0]!.label, { Name: 'default', InputFolder: 'default' })],
  },
})

/** Calls of one base URL, with the key unless told otherwise. */
function caller(baseUrl: string) {
  const call = (method: string, path: string, { key = API_KEY, ...init }: RequestInit & { key?: string | null } = {}) =>
    fetch(new URL(path, baseUrl), {
      method,
      ...init,
      headers: { ...(key !== null && { 'X-API-Key': key }), ...(init.headers as Record<string, string>) },
    })
  const json = async <Body = Record<string, unknown>>(
    method: string,
    path: string,
    init?: Parameters<typeof call>[2],
  ) => {
    const answer = await call(method, path, init)
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Body }
  }
  return { baseUrl, call, json }
}
