// Profiles over a real store, with keys of the demo PKI as files and its servers over HTTP.
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@chancela/service-kernel/clock'
import type { Logger } from '@chancela/service-kernel/http'
import type { Store } from '@chancela/service-kernel/store'
import type { RunningDemoPki } from '@chancela/testkit/demo-pki'
import { testStores } from '@chancela/testkit/stores'
import { pkiOfToday } from '@chancela/testkit/test-files'
import { temporaryFolder } from '@chancela/testkit/tools'
import { onTestFinished } from 'vitest'
import type { Context } from '../../src/context.ts'
import { openProfileDirectory, type Profiles } from '../../src/parts/signing/open-profile-directory.ts'
import type { SignatureFormat } from '../../src/rules/job.ts'
import type { Tables } from '../../src/store/tables.ts'
import { type OpenStore, openBatchStore } from '../../src/test-support/ledger-world.ts'
import type { Staged } from '../../src/upstream/storage/storage.ts'
import { openContext } from '../../src/workers/test-support/open-context.ts'

/** Password of every PKCS#12 in these tests; no text of the service may ever contain it. */
export const PASSWORD = 'canary-of-the-secret-words'

/** One PKI for the tests, reset for every file. */
export const runningPki = pkiOfToday

let files: Map<string, Buffer | string> | undefined

/** Roots, keys and certificates as files; a PKCS#12 is slow to make, so that all tests share them. */
async function filesOf(): Promise<ReadonlyMap<string, Buffer | string>> {
  const { pki } = await runningPki()
  if (files) return files
  files = new Map<string, Buffer | string>([['roots.pem', pki.trustAnchors()]])
  for (const label of ['ana-souza', 'davi-moreira', 'expired', 'revoked', 'under-unknown-root']) {
    files.set(`${label}.p12`, pki.pkcs12(pki.certificate(label), { password: PASSWORD }))
    files.set(`${label}.pem`, pki.certificate(label).x509.toString())
  }
  return files
}

type Settings = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export interface WorldOptions {
  readonly open?: OpenStore
  /** An existing store, such as another instance's. */
  readonly store?: Store<Tables>
  readonly folder?: string
  /** Seeds, as the settings file has them. */
  readonly seeds?: readonly Readonly<Record<string, unknown>>[]
  readonly settings?: Settings
  readonly clock?: Clock
  readonly logger?: Logger
  readonly secrets?: Context['secrets']
  /** Milliseconds until a key that failed to open is retried. */
  readonly firstRetryMs?: number
}

export interface SigningWorld {
  readonly context: Context
  readonly profiles: Profiles
  readonly folder: string
  readonly pki: RunningDemoPki['pki']
  readonly baseUrl: string
}

/** A directory of profiles; closed at the end of the test. */
export async function openSigningWorld(options: WorldOptions = {}): Promise<SigningWorld> {
  const { pki, baseUrl } = await runningPki()
  const folder = options.folder ?? temporaryFolder()
  for (const [name, content] of await filesOf()) await putWhole(join(folder, name), content)
  const store = options.store ?? (await openBatchStore(options.open ?? testStores.SQLite))
  const { close, ...context } = await openContext({
    store,
    clock: options.clock ?? (() => new Date()),
    dataFolder: folder,
    settings: settingsOf(options),
    ...(options.logger && { logger: options.logger }),
  })
  onTestFinished(close)
  const whole: Context = { ...context, ...(options.secrets && { secrets: options.secrets }) }
  const { firstRetryMs } = options
  const profiles = await openProfileDirectory(whole, firstRetryMs === undefined ? {} : { firstRetryMs })
  return { context: whole, profiles, folder, pki, baseUrl }
}

/** Two worlds may open on one folder concurrently: neither may read a file the other is still writing. */
async function putWhole(path: string, content: Buffer | string): Promise<void> {
  const unfinished = `${path}.${randomUUID()}`
  await writeFile(unfinished, content)
  await rename(unfinished, path)
}

const settingsOf = ({ seeds = [], settings = {} }: WorldOptions): Settings => ({
  ...settings,
  Signing: { TrustAnchorsFile: 'roots.pem', AuthorityHosts: ['127.0.0.1/32'], Profiles: seeds, ...settings.Signing },
})

/** A seed that signs with a key of the PKI. */
export const seed = (name: string, more: Readonly<Record<string, unknown>> = {}, label = 'ana-souza') => ({
  Name: name,
  Pkcs12File: `${label}.p12`,
  Pkcs12Password: PASSWORD,
  ...more,
})

/** A file held in memory, as the pipeline stages small ones. */
export const inMemory = (bytes: Buffer): Staged => ({
  kind: 'memory',
  bytes,
  length: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})

/** A file staged as a copy, as the pipeline stages large ones. */
export async function onDisk(path: string, bytes: Buffer): Promise<Staged> {
  await writeFile(path, bytes)
  return { kind: 'file', path, length: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** A folder for scratch files, and the function that names them. */
async function scratchIn(folder: string): Promise<() => Promise<string>> {
  let count = 0
  await mkdir(join(folder, 'scratch'), { recursive: true })
  return async () => join(folder, 'scratch', `${++count}`)
}

/** Plans, signs, verifies and returns the bytes of the output, as the pipeline would. */
export async function signThrough(
  { profiles, context, folder }: SigningWorld,
  job: { profile: string; format: SignatureFormat; encrypted?: boolean },
  content: Staged,
): Promise<Buffer> {
  const now = context.clock()
  const plan = profiles.plan({
    profileName: job.profile,
    format: job.format,
    encryptionRequested: job.encrypted ?? null,
  })
  await plan.validateCertificate(now)
  const signed = await plan.sign(content, now, await scratchIn(folder))
  await signed.verify(now)
  return bytesOf(await signed.output(now))
}

/** All bytes of an output. */
async function bytesOf(
  output: readonly Uint8Array[] | AsyncIterable<Uint8Array> | { readonly path: string },
): Promise<Buffer> {
  if ('path' in output) return readFile(output.path)
  const pieces: Uint8Array[] = []
  for await (const piece of output) pieces.push(piece)
  return Buffer.concat(pieces)
}
