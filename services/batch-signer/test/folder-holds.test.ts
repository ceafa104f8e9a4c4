// A folder is not its files: what is wrong with an input or output folder holds that folder, and nothing fails.
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { samplePdf } from '@chancela/testkit/samples'
import { testStores } from '@chancela/testkit/stores'
import { temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { storesOf } from '../src/test-support/as-new.ts'
import { pipelineWorld } from '../src/workers/test-support/pipeline-world.ts'
import { lyingIn } from './test-support/lying-in.ts'
import { databases, profileOf, type RunningBatchSigner, startBatchSigner } from './test-support/running-service.ts'

interface Job {
  readonly id: string
  readonly fileName: string
  readonly status: string
  readonly errorCode: string | null
  readonly errorMessage: string | null
}

const [ana, bruno] = demoHolders

const start = (database: (typeof databases)[number], more: object = {}) =>
  startBatchSigner({
    database,
    inputs: ['default', 'erp', 'signed'],
    profiles: [
      profileOf(ana!.label, { Name: 'default', InputFolder: 'default', Format: 'Pades' }),
      profileOf(bruno!.label, { Name: 'erp', InputFolder: 'erp', Format: 'Pades' }),
      profileOf(bruno!.label, { Name: 'free', Format: 'Pades' }),
    ],
    settings: {
      Health: { CacheSeconds: 0 },
      Storage: {
        Inputs: [
          { Name: 'default', Path: 'in/default', ...more },
          { Name: 'erp', Path: 'in/erp' },
        ],
      },
    },
  })

const drop = (service: RunningBatchSigner, folder: string, name: string) =>
  writeFileSync(join(service.input(folder), name), samplePdf(name))

async function jobOf(service: RunningBatchSigner, name: string): Promise<Job | undefined> {
  const { body } = await service.full.json<{ items: Job[] }>('GET', '/api/jobs')
  return body.items.find(({ fileName }) => fileName === name)
}

const becomes = (service: RunningBatchSigner, name: string, state: Partial<Job>) =>
  expect.poll(() => jobOf(service, name)).toMatchObject(state)

const pipeline = (service: RunningBatchSigner, move: 'pause' | 'resume') =>
  service.full.call('POST', `/api/pipeline/${move}`)

async function folderOf(service: RunningBatchSigner, name: string, language?: string) {
  const { body } = await service.full.json<{ folders: { name: string; status: string; lastError: string | null }[] }>(
    'GET',
    '/api/folders',
    { headers: { ...(language && { 'accept-language': language }) } },
  )
  return body.folders.find((one) => one.name === name)
}

const conditionsOf = async (service: RunningBatchSigner) =>
  (await service.full.json<{ folders: object[] }>('GET', '/dashboard/api/conditions')).body.folders

const tryNow = async (service: RunningBatchSigner, name: string) =>
  (await service.full.json<{ folders: object[] }>('POST', `/dashboard/api/folders/${name}/try`)).body.folders

const metrics = async (service: RunningBatchSigner) => (await service.full.call('GET', '/api/metrics')).text()

const events = async (service: RunningBatchSigner) =>
  (await service.full.json<{ items: { eventType: string }[] }>('GET', '/api/events')).body.items

for (const database of databases)
  describe(`a folder that cannot be used, on ${database}`, () => {
    test('an output folder that disappears holds its input folder alone, is told everywhere, and work goes on by itself', async () => {
      const service = await start(database, { OutputPath: 'in/signed' })
      const [there, away] = [service.input('signed'), join(service.folder, 'away')]
      await pipeline(service, 'pause')
      drop(service, 'default', 'a.pdf')
      await becomes(service, 'a.pdf', { status: 'Queued' })
      renameSync(there, away)
      drop(service, 'erp', 'b.pdf')
      await pipeline(service, 'resume')
      await becomes(service, 'b.pdf', { status: 'Completed' })
      await becomes(service, 'a.pdf', { status: 'Queued', errorCode: 'folder.output-unavailable' })
      expect((await jobOf(service, 'a.pdf'))?.errorMessage).toContain(there)
      expect(await folderOf(service, 'default')).toMatchObject({
        status: 'Stopped',
        lastError: expect.stringContaining(there),
      })
      expect(await folderOf(service, 'erp')).toMatchObject({ status: 'Running', lastError: null })
      expect(await conditionsOf(service)).toMatchObject([
        { folder: 'default', reason: 'output-unavailable', waiting: 1, nextTryAt: expect.any(String) },
      ])
      expect(await metrics(service)).toContain('bulk_folder_held{folder="default",reason="output-unavailable"} 1')
      const ready = await service.full.json('GET', '/api/ready/details')
      expect(JSON.stringify(ready.body)).toContain(there)
      renameSync(away, there)
      await becomes(service, 'a.pdf', { status: 'Completed', errorCode: null })
      await expect.poll(() => readdirSync(there)).toContain('a.signed.pdf')
      expect(await conditionsOf(service)).toEqual([])
      expect(await metrics(service)).toContain('bulk_folder_held{folder="default",reason="output-unavailable"} 0')
      await expect.poll(async () => (await folderOf(service, 'default'))?.status).toBe('Running')
      const told = (await events(service)).map(({ eventType }) => eventType)
      expect(told).toEqual(expect.arrayContaining(['FolderStopped', 'FolderResumed']))
      expect(readdirSync(service.error)).toEqual([])
    })

    test('an output folder is found missing before any file comes, by whoever asks for readiness', async () => {
      const service = await start(database, { OutputPath: 'in/signed' })
      renameSync(service.input('signed'), join(service.folder, 'away'))
      const ready = async () => JSON.stringify((await service.full.json('GET', '/api/ready/details')).body)
      await expect.poll(ready).toContain(`${service.input('signed')}`)
      expect(await conditionsOf(service)).toMatchObject([{ folder: 'default', reason: 'output-unavailable' }])
    })

    test('a held folder is tried on the word of an operator, and an edit that is the cure needs none', async () => {
      const service = await start(database)
      const at = (name: string) => join(service.folder, name)
      for (const name of ['added', 'first', 'second']) mkdirSync(at(name))
      const form = (outputPath: string) => ({ options: { path: at('added'), outputPath: at(outputPath) } })
      const send = (method: string, path: string, body: object) =>
        service.full.json<{ version: number }>(method, `/dashboard/api/folders${path}`, {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      const { body: added } = await send('POST', '', { name: 'added', profile: 'free', ...form('first') })
      const message = expect.stringMatching(/first does not exist\.$/)
      const held = [{ folder: 'added', reason: 'output-unavailable', message }]
      rmSync(at('first'), { recursive: true })
      await service.full.json('GET', '/api/ready/details')
      expect(await tryNow(service, 'added')).toMatchObject(held)
      mkdirSync(at('first'))
      expect(await tryNow(service, 'added')).toEqual([])
      expect(await tryNow(service, 'added')).toEqual([])
      rmSync(at('first'), { recursive: true })
      await service.full.json('GET', '/api/ready/details')
      expect(await conditionsOf(service)).toMatchObject(held)
      const { status } = await send('PUT', '/added', { version: added.version, ...form('second') })
      expect(status).toBe(200)
      // By itself it would be tried in twelve seconds.
      await expect.poll(() => conditionsOf(service), { timeout: 8_000 }).toEqual([])
      expect(await service.full.json('POST', '/dashboard/api/folders/nobody/try')).toMatchObject({
        status: 404,
        body: { code: 'folder.not-found' },
      })
      expect((await service.full.call('POST', '/dashboard/api/folders/added/try', { key: null })).status).toBe(401)
    })

    test('an input folder that goes away before any file comes is held, and its files are taken as soon as it is back', async () => {
      const service = await start(database)
      const [there, away] = [service.input(), join(service.folder, 'away')]
      renameSync(there, away)
      await service.full.json('GET', '/api/ready/details')
      const held = [{ folder: 'default', reason: 'input-unavailable', waiting: 0 }]
      // Tried so often that the next try of itself is a minute away.
      for (let tries = 0; tries < 5; tries++) expect(await tryNow(service, 'default')).toMatchObject(held)
      expect(await metrics(service)).toContain('bulk_folder_held{folder="default",reason="input-unavailable"} 1')
      await expect.poll(async () => (await folderOf(service, 'default'))?.status).toBe('Stopped')
      renameSync(away, there)
      drop(service, 'default', 'a.pdf')
      await becomes(service, 'a.pdf', { status: 'Completed' })
      expect(await conditionsOf(service)).toEqual([])
    })

    test.each([
      ['is gone', () => {}],
      ['is an empty mount point', (path: string) => mkdirSync(path)],
    ])('an input folder that %s lets its queued files wait, until it is back', async (_, instead) => {
      const service = await start(database)
      const [there, away] = [service.input(), join(service.folder, 'away')]
      await pipeline(service, 'pause')
      drop(service, 'default', 'a.pdf')
      await becomes(service, 'a.pdf', { status: 'Queued' })
      renameSync(there, away)
      instead(there)
      await pipeline(service, 'resume')
      await becomes(service, 'a.pdf', { status: 'Queued', errorCode: 'folder.input-unavailable' })
      expect(await conditionsOf(service)).toMatchObject([{ folder: 'default', reason: 'input-unavailable' }])
      await expect.poll(async () => (await folderOf(service, 'default'))?.status).toBe('Stopped')
      const { lastError } = (await folderOf(service, 'default', 'pt-BR'))!
      expect(lastError).toMatch(/^A pasta (de entrada não pode ser usada agora|não existe)\./)
      // A watcher that looks meanwhile does not make the mount point its folder.
      await service.full.call('POST', '/api/rescan')
      rmSync(there, { recursive: true, force: true })
      renameSync(away, there)
      await becomes(service, 'a.pdf', { status: 'Completed', errorCode: null })
      await expect.poll(() => lyingIn(there)).toEqual([])
    })

    test('a file that is gone from its folder is its own end', async () => {
      const service = await start(database)
      await pipeline(service, 'pause')
      drop(service, 'default', 'a.pdf')
      await becomes(service, 'a.pdf', { status: 'Queued' })
      rmSync(join(service.input(), 'a.pdf'))
      await pipeline(service, 'resume')
      await becomes(service, 'a.pdf', { status: 'Failed', errorCode: 'job.input-missing' })
      expect(await conditionsOf(service)).toEqual([])
    })
  })

/** A world whose input folder is the configured one, with an output folder of its own. */
async function worldWithOutput(open: Parameters<typeof pipelineWorld>[0], over: Parameters<typeof pipelineWorld>[1]) {
  const output = temporaryFolder()
  const Inputs = [{ Name: 'default', Path: 'input', OutputPath: output }]
  const world = await pipelineWorld(open, { ...over, settings: { ...over?.settings, Storage: { Inputs } } })
  return { ...world, output }
}

for (const [name, openStore] of Object.entries(testStores))
  describe(`the folders of a pipeline on ${name}`, () => {
    const open = storesOf(openStore)

    test.each([
      ['a small file, kept in memory', 64 * 1024 * 1024],
      ['a large file, which was already being verified', 65_536],
    ] as const)(
      'an output folder on a file system that is full holds its folder, not the pipeline: %s',
      async (_, InMemoryBytes) => {
        let isFull = true
        const isOutput = (path: string) => path.startsWith(world.output)
        const world = await worldWithOutput(open, {
          settings: { Pipeline: { InMemoryBytes } },
          faults: ({ operation, path, to }) => {
            if (operation === 'rename' || operation === 'renameNewSync')
              return isOutput(to) && !isOutput(path) ? { errno: 'EXDEV' } : undefined
            return isFull && (operation === 'write' || operation === 'writevSync') && isOutput(path)
              ? { errno: 'ENOSPC' }
              : undefined
          },
        })
        world.pipeline.start()
        // The first one tells that the folder is on another file system.
        isFull = false
        await world.ended(await world.drop('first.bin', 'x'.repeat(100_000)))
        isFull = true
        const id = await world.drop('a.bin', 'y'.repeat(100_000))
        await expect.poll(() => world.folderHolds.of('default')).toMatchObject({ reason: 'output-full' })
        await expect
          .poll(() => world.row(id))
          .toMatchObject({
            status: 'Queued',
            error_code: 'folder.output-unavailable',
            output_folder: null,
            reached_key_at: null,
          })
        expect(world.pipeline.waitsForStorage()).toBeUndefined()
        const other = await world.drop('b.bin', 'from an upload', { inputFolder: null, source: 'Upload' })
        expect(await world.ended(other)).toMatchObject({ status: 'Completed' })
        isFull = false
        expect(await world.ended(id)).toMatchObject({ status: 'Completed', error_code: null, error_reason: null })
        await expect.poll(() => readdirSync(world.output)).toContain('a.bin.p7m')
        expect(await world.metric('bulk_jobs_failed_total')).toBe(0)
      },
    )

    test('an input whose share goes away after the signature is removed when the share is back, and is not signed again', async () => {
      const world = await worldWithOutput(open, {
        faults: ({ operation, path, to }) => {
          if (operation !== 'renameNewSync' || !to.startsWith(world.output)) return undefined
          // The output gets its name; the share goes before the input is removed.
          return path.includes('processing') ? { after: () => renameSync(input, away) } : undefined
        },
      })
      const [input, away] = [join(world.root, 'input'), join(world.root, 'away')]
      world.pipeline.start()
      const id = await world.drop('a.pdf', samplePdf('a'))
      await expect.poll(() => world.stuck.folderTrouble('default')?.message).toContain('its folder cannot be reached')
      expect(await world.row(id)).toMatchObject({ status: 'Completed', input_disposal: 'pending' })
      renameSync(away, input)
      await world.sweeper.sweep()
      await world.sweeper.sweep()
      expect(await world.row(id)).toMatchObject({ input_disposal: 'deleted' })
      expect(world.list('input')).toEqual([])
    })

    test('an output that waits for its name in the output folder of a folder added at run time gets it after a start, past one out of reach', async () => {
      const [added, broken] = [temporaryFolder(), temporaryFolder()]
      const world = await pipelineWorld(open, {
        faults: ({ path }) => (path.startsWith(broken) ? { errno: 'EIO' } : undefined),
      })
      world.pipeline.start()
      const id = await world.drop('a.bin', 'any content')
      await world.ended(id)
      await world.pipeline.stop()
      // As a kill between Completed and the name leaves it.
      await world.store.db.updateTable('job').set({ output_folder: added }).where('id', '=', id).execute()
      mkdirSync(join(added, '.processing'))
      renameSync(join(world.root, 'output', 'a.bin.p7m'), join(added, '.processing', `${id}.out`))
      const [configured] = world.watched.list()
      const outputs = [broken, added].map((path) => ({
        ...configured!,
        folder: { ...configured!.folder, output: { ...configured!.folder.output, path } },
      }))
      await world.recover({ list: () => outputs })
      expect(readdirSync(added)).toContain('a.bin.p7m')
    })

    test.each([
      ['the disk fails', 'EIO'],
      ['another file has it', 'EEXIST'],
    ] as const)(
      'an output that cannot get its name, since %s, keeps the input: all there is should the store be lost',
      async (_, errno) => {
        let isBroken = true
        const world = await pipelineWorld(open, {
          faults: ({ operation }) => (isBroken && operation === 'renameNewSync' ? { errno } : undefined),
        })
        world.pipeline.start()
        const id = await world.drop('a.bin', 'any content')
        await expect.poll(async () => (await world.row(id)).status, { interval: 10 }).toBe('Completed')
        await world.pipeline.stop()
        expect([world.list('input'), world.list('output')]).toEqual([['a.bin'], []])
        isBroken = false
        await world.recover()
        expect([world.list('input'), world.list('output')]).toEqual([[], ['a.bin.p7m']])
      },
    )
  })
