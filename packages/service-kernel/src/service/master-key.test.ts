import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testClock } from '@chancela/testkit/clock'
import { sampleService } from '@chancela/testkit/sample-service'
import { type TestStore, testStores } from '@chancela/testkit/stores'
import { temporaryFolder } from '@chancela/testkit/tools'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { KernelSettings } from '../config/index.ts'
import { loadSettings } from '../config/index.ts'
import type { StartupProblem } from '../errors/index.ts'
import { retireOldKeys, rotateMasterKey } from '../secrets/index.ts'
import { contextOf, type RunningService, startService } from './index.ts'

interface Tables {
  note: { id: string; sealed_text: string }
  master_key: { key_id: string; position: number; canary: string | null; forgotten_at: string | null }
}

const keyText = () => randomBytes(32).toString('base64')

async function start(store: TestStore<Tables>, dataFolder: string, masterKey?: string): Promise<RunningService> {
  const name = store.service
  const file = join(temporaryFolder(), 'settings.json')
  const Secrets = masterKey === undefined ? {} : { MasterKey: masterKey }
  const changes = { Database: { Url: store.url }, Health: { CacheSeconds: 0 }, Secrets }
  writeFileSync(file, JSON.stringify({ [name]: changes }))
  const { settings } = loadSettings({ schemas: { [name]: sampleService.settings }, file, environment: {} })
  const service = await startService({ ...sampleService, name }, settings[name] as unknown as KernelSettings, {
    clock: testClock(),
    version: '0.0.0-test',
    dataFolder,
    logFile: join(dataFolder, 'service.log'),
  })
  onTestFinished(() => service.stop())
  return service
}

/** Why it does not start. */
const refusal = (store: TestStore<Tables>, dataFolder: string, masterKey?: string): Promise<StartupProblem> =>
  start(store, dataFolder, masterKey).then(
    () => expect.unreachable('it started'),
    (error) => error as StartupProblem,
  )

const keyFileIn = (dataFolder: string) => join(dataFolder, 'sample', 'master.key')

/** Keeps a note, sealed as the service seals it; the id of its key. */
async function seal(service: RunningService, id = 'a'): Promise<string> {
  const { store, secrets } = contextOf<KernelSettings, Tables>(service)
  const sealed_text = secrets.seal('hunter2', `sample/note/${id}/text`)
  await store.db.insertInto('note').values({ id, sealed_text }).execute()
  return sealed_text.split('.')[1]!
}

const masterKeyCheck = async ({ context }: RunningService) =>
  (await context.readiness.verdict()).checks.find(({ name }) => name === 'master-key')

for (const [name, open] of Object.entries(testStores)) {
  describe(`master key and database on ${name}`, () => {
    const fresh = () => open<Tables>(sampleService.migrations)

    test('a new database gets a key of its own, which it names from then on', async () => {
      const [store, dataFolder] = [await fresh(), temporaryFolder()]
      const service = await start(store, dataFolder)
      const rows = await store.db.selectFrom('master_key').selectAll().execute()
      expect(rows).toMatchObject([{ key_id: await seal(service), forgotten_at: null }])
      expect(await masterKeyCheck(service)).toMatchObject({ ok: true })
    })

    test('a start without the key file stops with its setting, names file and key, and makes no other', async () => {
      const [store, dataFolder] = [await fresh(), temporaryFolder()]
      const service = await start(store, dataFolder)
      const id = await seal(service)
      await service.stop()
      rmSync(keyFileIn(dataFolder))
      const problem = await refusal(store, dataFolder)
      expect([problem.name, problem.setting]).toEqual(['StartupProblem', `${store.service} Secrets:MasterKeyFile`])
      for (const word of [keyFileIn(dataFolder), id]) expect(problem.message).toContain(word)
      expect(existsSync(keyFileIn(dataFolder))).toBe(false)
    })

    test('a second machine with a key of its own is refused, also before anything is sealed', async () => {
      const [store, here, there] = [await fresh(), temporaryFolder(), temporaryFolder()]
      await start(store, here)
      expect(await refusal(store, there)).toMatchObject({ name: 'StartupProblem' })
      expect(existsSync(keyFileIn(there))).toBe(false)
    })

    test('of two machines that start at once on a new database one is refused', async () => {
      const store = await fresh()
      const starts = [temporaryFolder(), temporaryFolder()].map((folder) => start(store, folder))
      const outcomes = (await Promise.allSettled(starts)).map((one) => one.status)
      expect(outcomes.sort()).toEqual(['fulfilled', 'rejected'])
    })

    test('a database from before keys were recorded is looked into', async () => {
      const [store, dataFolder] = [await fresh(), temporaryFolder()]
      const service = await start(store, dataFolder)
      const id = await seal(service)
      await service.stop()
      await store.db.deleteFrom('master_key').execute()
      const key = readFileSync(keyFileIn(dataFolder))
      rmSync(keyFileIn(dataFolder))
      expect((await refusal(store, dataFolder)).message).toContain(id)
      writeFileSync(keyFileIn(dataFolder), key, { mode: 0o600 })
      await start(store, dataFolder)
      expect(await store.db.selectFrom('master_key').select('key_id').execute()).toEqual([{ key_id: id }])
    })

    test('a ring without a key in use is refused, and so is a key given directly', async () => {
      const [store, dataFolder, first] = [await fresh(), temporaryFolder(), keyText()]
      const service = await start(store, dataFolder, first)
      const id = await seal(service)
      await service.stop()
      const problem = await refusal(store, dataFolder, keyText())
      expect([problem.name, problem.setting]).toEqual(['StartupProblem', `${store.service} Secrets:MasterKey`])
      expect(problem.message).toContain(id)
      const both = await start(store, dataFolder, `${first},${keyText()}`)
      expect(await seal(both, 'b')).not.toBe(id)
      await both.stop()
      expect((await refusal(store, dataFolder, first)).name).toBe('StartupProblem')
    })

    test('a key of the same id with other bytes is found by its canary', async () => {
      const [store, dataFolder] = [await fresh(), temporaryFolder()]
      const service = await start(store, dataFolder)
      await service.stop()
      const other = await fresh()
      await start(other, temporaryFolder())
      const [stranger] = await other.db.selectFrom('master_key').selectAll().execute()
      const { key_id } = await store.db.selectFrom('master_key').selectAll().executeTakeFirstOrThrow()
      const canary = stranger!.canary!.replace(stranger!.key_id, key_id)
      await store.db.updateTable('master_key').set({ canary }).execute()
      expect((await refusal(store, dataFolder)).message).toContain(key_id)
    })

    test('a running service is not ready when the database needs a key it lacks', async () => {
      const [store, dataFolder] = [await fresh(), temporaryFolder()]
      const service = await start(store, dataFolder)
      await sql`insert into master_key (key_id, position) values ('0a1b2c3d', 7)`.execute(store.db)
      expect(await masterKeyCheck(service)).toMatchObject({ ok: false, detail: expect.stringContaining('0a1b2c3d') })
      expect((await service.context.readiness.verdict()).ready).toBe(false)
    })

    test('an old key that was retired by hand is let go of once nothing is sealed under it', async () => {
      const [store, dataFolder] = [await fresh(), temporaryFolder()]
      const file = { service: store.service, masterKeyFile: keyFileIn(dataFolder) }
      const service = await start(store, dataFolder)
      await seal(service)
      await service.stop()
      const { newest } = rotateMasterKey(file)
      await (await start(store, dataFolder)).stop()
      retireOldKeys(file, new Set())
      expect((await refusal(store, dataFolder)).name).toBe('StartupProblem')
      await store.db.deleteFrom('note').execute()
      await start(store, dataFolder)
      expect(await store.db.selectFrom('master_key').select('key_id').execute()).toEqual([{ key_id: newest }])
    })

    test('a key that was added to the file is recorded by the next start', async () => {
      const [store, dataFolder] = [await fresh(), temporaryFolder()]
      await (await start(store, dataFolder)).stop()
      const { newest } = rotateMasterKey({ service: store.service, masterKeyFile: keyFileIn(dataFolder) })
      await start(store, dataFolder)
      const rows = await store.db.selectFrom('master_key').select('key_id').execute()
      expect(rows).toHaveLength(2)
      expect(rows.map(({ key_id }) => key_id)).toContain(newest)
    })
  })
}
