// A process of the service that is killed in the middle of a session, and another that goes on with it.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nextLine, program } from '@chancela/testkit/programs'
import { samplePdf } from '@chancela/testkit/samples'
import { callerOf, startServiceWorld } from '@chancela/testkit/service-world'
import { type TestStore, testStores } from '@chancela/testkit/stores'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { pkiCore } from '../src/index.ts'
import type { PkiCoreSettings } from '../src/settings.ts'
import type { Tables } from '../src/store/tables.ts'
import { coreSurface } from '../src/surfaces.ts'
import { databases, newClient, ownSettings } from './test-support/core-world.ts'
import { clock } from './test-support/pki.ts'
import {
  begin,
  pageOf,
  pdfDocument,
  setCertificate,
  signaturesOf,
  signedFiles,
  submit,
} from './test-support/sessions.ts'
import { pdfsig } from './test-support/signing.ts'

const ANA = 'ana-souza'
const COUNT = 12
const MINUTE = 60_000

const start = program(
  import.meta.url,
  `import { loadSettings } from '@chancela/service-kernel/config'
   import { startService } from '@chancela/service-kernel/service'
   import { join } from 'node:path'
   import { pkiCore } from '../src/index.ts'
   import { coreSurface } from '../src/surfaces.ts'
   const { name, settings: given, dataFolder, ahead } = JSON.parse(process.env.SETUP)
   const { settings } = loadSettings({ schemas: { [name]: pkiCore.settings }, environment: {}, defaults: { [name]: given } })
   const clock = () => new Date(Date.now() + ahead)
   const logFile = join(dataFolder, 'killed.log')
   const service = await startService({ ...pkiCore, name }, settings[name], { clock, version: '1.0.0', dataFolder, logFile })
   console.log(service.surfaces.find(({ definition }) => definition.name === coreSurface.name).baseUrl)`,
)

/** A process of its own on the data, with an application that knows it. */
async function startProcess(store: TestStore<Tables>, apiKey: string, dataFolder: string) {
  const quiet = { Http: { Port: 0 }, Database: { Url: store.url }, RateLimiting: { Enabled: false } }
  const ahead = clock().getTime() - Date.now()
  const setup = { name: store.service, settings: { ...ownSettings, ...quiet }, dataFolder, ahead }
  const child = await start({ SETUP: JSON.stringify(setup) })
  const baseUrl = await nextLine(child)
  const kill = async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  return { kill, baseUrl, ...callerOf(baseUrl, { 'X-Api-Key': apiKey }) }
}

async function place(database: (typeof databases)[number]) {
  const store = await testStores[database]<Tables>(pkiCore.migrations)
  const dataFolder = await mkdtemp(join(tmpdir(), 'chancela-killed-'))
  onTestFinished(() => rm(dataFolder, { recursive: true, force: true }))
  const client = await newClient(store)
  const child = await startProcess(store, client.apiKey, dataFolder)
  const next = async () => {
    const world = await startServiceWorld<Tables, PkiCoreSettings>(pkiCore, {
      database,
      clock,
      settings: ownSettings,
      after: { store, dataFolder },
    })
    onTestFinished(() => world.close())
    const baseUrl = world.urlOf(coreSurface.name)
    return { baseUrl, ...callerOf(baseUrl, { 'X-Api-Key': client.apiKey }) }
  }
  const made = async () => await store.db.selectFrom('document').select(['id', 'signed_digest']).execute()
  return { child, next, made }
}

const documents = Array.from({ length: COUNT }, (_, n) => pdfDocument(samplePdf(`Contract ${n}`), `contract-${n}.pdf`))

for (const database of databases) {
  describe(`killed processes on ${database}`, () => {
    test('another process makes the documents that are left, and none twice', async () => {
      const { child, next, made } = await place(database)
      const session = await begin(child, { enableBackgroundProcessing: true, documents })
      const { body } = await setCertificate(session, ANA)
      expect((await submit(session, signaturesOf(ANA, body))).body.status).toBe('Processing')
      await vi.waitUntil(async () => (await made()).length > 0, { interval: 2, timeout: 20_000 })
      await child.kill()
      const before = await made()
      expect(before.length).toBeLessThan(COUNT)
      // The lease of the process that is gone has to end.
      clock.advance(2 * MINUTE)
      const other = await next()
      const path = `/api/signature-sessions/${session.id}`
      await vi.waitUntil(async () => (await other.json('GET', `${path}/when-completed`)).body.completed, {
        timeout: 30_000,
      })
      const after = await made()
      expect(after).toHaveLength(COUNT)
      expect(after).toEqual(expect.arrayContaining(before))
      const completed = (await other.json('GET', path)).body
      expect(completed.status).toBe('Completed')
      const files = await signedFiles(completed)
      expect(await pdfsig(files.at(-1)!)).toContain('Signature is Valid.')
    })

    test('signatures that were cut off are sent again, and end the session', async () => {
      const { child, next, made } = await place(database)
      const session = await begin(child, { documents })
      const { body } = await setCertificate(session, ANA)
      const request = signaturesOf(ANA, body)
      const cut = submit(session, request).catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 40))
      await child.kill()
      expect(await cut).toBeUndefined()
      expect(await made()).toEqual([])
      const other = await next()
      expect((await submit(pageOf(other, session.token), request)).body.status).toBe('Completed')
      expect(await made()).toHaveLength(COUNT)
    })
  })
}
