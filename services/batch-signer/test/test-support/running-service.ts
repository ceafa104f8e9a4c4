// The real service on ports of its own: real folders, a real database, keys of the demo PKI.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@chancela/service-kernel/clock'
import { loadSettings } from '@chancela/service-kernel/config'
import { startService } from '@chancela/service-kernel/service'
import { demoHolders } from '@chancela/testkit/demo-pki'
import type { testStores } from '@chancela/testkit/stores'
import { pkiOfToday } from '@chancela/testkit/test-files'
import { temporaryFolder } from '@chancela/testkit/tools'
import { onTestFinished } from 'vitest'
import { batchSigner } from '../../src/index.ts'

/** The key of operators in tests. */
export const API_KEY = 'a key of sixteen letters and more'

type Section = Readonly<Record<string, unknown>>

export interface ServiceOptions {
  /** Opens a database of the test's own. */
  readonly open: (typeof testStores)['SQLite']
  /** Settings that differ from those below. */
  readonly settings?: Readonly<Record<string, Section>>
  readonly profiles?: readonly Section[]
  readonly inputs?: readonly string[]
  readonly clock?: Clock
}

/** One PKI for the tests, as new for every file. */
export const demoPki = pkiOfToday

let files: ReadonlyMap<string, Buffer | string> | undefined

/** Roots, keys and certificates as files; a PKCS#12 takes a moment to make, so that all tests share them. */
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

/** Starts the service; it is stopped, and its folder removed, when the test ends. */
export async function startBatchSigner({ open, settings = {}, clock = () => new Date(), ...more }: ServiceOptions) {
  const { url, service: name } = await open(batchSigner.migrations)
  const folder = temporaryFolder()
  for (const [file, content] of await keyFiles()) await writeFile(join(folder, file), content)
  for (const input of more.inputs ?? ['default']) await mkdir(join(folder, 'in', input), { recursive: true })
  const loaded = loadSettings({
    schemas: { [name]: batchSigner.settings },
    environment: {},
    defaults: { [name]: merged(baseSettings(url, more), settings) },
  })
  const service = await startService({ ...batchSigner, name }, loaded.settings[name] as never, {
    clock,
    version: '0.0.0-test',
    dataFolder: folder,
    logFile: join(folder, 'log'),
  })
  onTestFinished(() => service.stop())
  const baseUrlOf = (section: string) =>
    service.surfaces.find(({ definition }) => definition.section === section)!.baseUrl
  return {
    folder,
    input: (input = 'default') => join(folder, 'in', input),
    output: join(folder, 'batch-signer', 'output'),
    error: join(folder, 'batch-signer', 'error'),
    full: caller(baseUrlOf('Http')),
    compact: caller(baseUrlOf('Compact')),
    stop: () => service.stop(),
  }
}

export type RunningBatchSigner = Awaited<ReturnType<typeof startBatchSigner>>

/** Seed of a profile that signs with the key of a demo holder. */
export const profileOf = (label: string, more: Section): Section => ({
  Pkcs12File: `${label}.p12`,
  Pkcs12Password: demoHolders.find((holder) => holder.label === label)!.pin,
  ...more,
})

const baseSettings = (
  url: string,
  { profiles, inputs = ['default'] }: Pick<ServiceOptions, 'profiles' | 'inputs'>,
) => ({
  Environment: 'development',
  Http: { Port: 0 },
  Compact: { Port: 0 },
  Database: { Url: url },
  Auth: { ApiKey: API_KEY },
  Storage: { Inputs: inputs.map((name) => ({ Name: name, Path: join('in', name) })) },
  WatchedFolder: { StabilityPollIntervalMs: 50, StabilityRequiredSamples: 2 },
  Signing: {
    TrustAnchorsFile: 'roots.pem',
    Profiles: profiles ?? [profileOf(demoHolders[0]!.label, { Name: 'default', InputFolder: 'default' })],
  },
  RateLimiting: { Enabled: false },
  Health: { CacheSeconds: 0 },
})

function merged(base: Record<string, unknown>, more: Readonly<Record<string, Section>>): Record<string, unknown> {
  const sections = Object.entries(more).map(([name, section]) => [
    name,
    typeof base[name] === 'object' ? { ...base[name], ...section } : section,
  ])
  return { ...base, ...Object.fromEntries(sections) }
}

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
