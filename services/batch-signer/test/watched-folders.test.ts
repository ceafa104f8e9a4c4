import { existsSync } from 'node:fs'
import { readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { samplePdf } from '@chancela/testkit/samples'
import { testStores } from '@chancela/testkit/stores'
import { temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openFolderDirectory } from '../src/parts/folders/folder-directory.ts'
import { storesOf } from '../src/test-support/as-new.ts'
import { openBatchStore } from '../src/test-support/ledger-world.ts'
import { openContext } from '../src/workers/test-support/open-context.ts'
import { lyingIn } from './test-support/lying-in.ts'
import { databases, profileOf, type RunningBatchSigner, sharedBatchSigner } from './test-support/running-service.ts'

const [ana, bruno] = demoHolders

interface Folder {
  readonly name: string
  readonly status: string
  readonly paused: unknown
  readonly source: string
  readonly profileName: string | null
  readonly version: number
  readonly options: Readonly<Record<string, unknown>>
}

/** Two folders of the settings file; the profile `more` has none. */
const shared = (database: (typeof databases)[number]) =>
  sharedBatchSigner({
    database,
    inputs: ['default', 'second'],
    profiles: [
      profileOf(ana!.label, { Name: 'default', InputFolder: 'default' }),
      profileOf(bruno!.label, { Name: 'more', Format: 'Pades' }),
      profileOf(bruno!.label, { Name: 'two', Format: 'Pades', InputFolder: 'second' }),
    ],
  })

const ROOT = '/dashboard/api/folders'

const send = (service: RunningBatchSigner, method: string, path: string, body?: unknown) =>
  service.full.json<Folder & { code: string; errors: Record<string, string[]> }>(method, path, {
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })

const add = (service: RunningBatchSigner, name: string, path: string, more: object = {}) =>
  send(service, 'POST', ROOT, { name, options: { path }, ...more })

const jobs = async (service: RunningBatchSigner) => {
  const { body } = await service.full.json<{ items: { fileName: string; status: string; profileName: string }[] }>(
    'GET',
    '/api/jobs',
  )
  return body.items.map(({ fileName, status, profileName }) => `${fileName} ${status} ${profileName}`).sort()
}

const folders = async (service: RunningBatchSigner) =>
  (await service.full.json<{ folders: Folder[] }>('GET', '/api/folders')).body.folders

const folder = async (service: RunningBatchSigner, name: string) =>
  (await folders(service)).find((one) => one.name === name)

const eventTypes = async (service: RunningBatchSigner, contains: string) => {
  const query = new URLSearchParams({ contains })
  const { body } = await service.full.json<{ items: { eventType: string; message: string; actor: string }[] }>(
    'GET',
    `/api/events?${query}`,
  )
  return body.items.map(({ eventType }) => eventType).filter((type) => type.startsWith('Folder'))
}

/** Without the hidden file by which the service knows the folder. */

const drop = async (path: string, name: string) => writeFile(join(path, name), samplePdf('To be signed'))

for (const database of databases)
  describe(`folders at run time on ${database}`, () => {
    const start = shared(database)

    test('one that is added is made on request, watched at once, and its files are signed', async () => {
      const service = await start()
      const path = join(service.folder, 'elsewhere', 'new')
      const missing = await add(service, 'new', path)
      expect([missing.status, missing.body.code, missing.body.errors.path]).toEqual([
        400,
        'folder.invalid',
        [`${path} does not exist.`],
      ])
      const inPortuguese = { 'accept-language': 'pt-BR', 'content-type': 'application/json' }
      const told = async (options: object) => {
        const body = JSON.stringify({ name: 'new', options })
        const answer = await service.full.json<{ errors: object }>('POST', ROOT, { headers: inPortuguese, body })
        return answer.body.errors
      }
      expect(await told({ path })).toEqual({ path: [`${path} não existe.`] })
      expect(await told({ path: 'relative' })).toEqual({ path: ['precisa ser um caminho absoluto.'] })
      const made = await add(service, 'new', path, { create: true, profile: 'more' })
      expect([made.status, made.body]).toMatchObject([
        201,
        { name: 'new', status: 'Running', source: 'Dashboard', profileName: 'more', version: 1, options: { path } },
      ])
      await drop(path, 'a.pdf')
      await expect.poll(() => jobs(service)).toEqual(['a.pdf Completed more'])
      expect((await folders(service)).map(({ name, source }) => `${name} ${source}`)).toEqual([
        'default Settings',
        'second Settings',
        'new Dashboard',
      ])
      expect(await eventTypes(service, 'folder new')).toEqual(['FolderAdded'])
      const { body } = await service.full.json<{ checks: { name: string; ok: boolean }[] }>('GET', '/api/ready/details')
      expect(body.checks).toContainEqual(expect.objectContaining({ name: 'input-folder:new', ok: true }))
      expect((await add(service, 'new', path)).body.code).toBe('folder.already-exists')
    })

    test('one that was changed is watched at its new place, and a form opened before is refused', async () => {
      const service = await start()
      const [before, after] = ['before', 'after'].map((name) => join(service.folder, 'elsewhere', name))
      await add(service, 'moving', before!, { create: true, profile: 'more' })
      const options = { path: after, pollIntervalSeconds: 5, ignoredExtensions: ['.bak'] }
      const edit = { version: 1, options, create: true }
      const edited = await send(service, 'PUT', `${ROOT}/moving`, edit)
      expect([edited.status, edited.body]).toMatchObject([
        200,
        { path: after, options, version: 2, profileName: 'more', status: 'Running' },
      ])
      const late = await send(service, 'PUT', `${ROOT}/moving`, edit)
      expect([late.status, late.body.code]).toEqual([409, 'folder.changed-meanwhile'])
      await drop(before!, 'old.pdf')
      await drop(after!, 'new.pdf')
      await drop(after!, 'new.bak')
      await expect.poll(() => jobs(service)).toEqual(['new.pdf Completed more'])
      expect(lyingIn(before!)).toEqual(['old.pdf'])
      await expect.poll(() => lyingIn(after!)).toEqual(['new.bak'])
    })

    test('one that is removed keeps its files, frees its profile, and may come back', async () => {
      const service = await start()
      const path = join(service.folder, 'elsewhere', 'short')
      expect((await add(service, 'short', path, { create: true, profile: 'more' })).body.profileName).toBe('more')
      // Known to the database by its hidden file: what lies in a folder that is new to it is held.
      await expect.poll(async () => (await readdir(path)).length).toBe(1)
      const removed = await send(service, 'DELETE', `${ROOT}/short`)
      expect([removed.status, removed.body]).toEqual([200, { name: 'short' }])
      await drop(path, 'left.pdf')
      expect(await folder(service, 'short')).toBeUndefined()
      expect((await send(service, 'DELETE', `${ROOT}/short`)).status).toBe(404)
      expect(await eventTypes(service, 'folder short')).toEqual(['FolderRemoved', 'FolderAdded'])
      expect(await jobs(service)).toEqual([])
      expect((await add(service, 'short', path, { profile: 'more' })).status).toBe(201)
      await expect.poll(() => jobs(service)).toEqual(['left.pdf Completed more'])
    })

    test('one of the settings file is changed there: it is neither edited, removed nor hidden', async () => {
      const service = await start()
      const edit = { version: 0, options: { path: service.input('default') } }
      expect((await send(service, 'PUT', `${ROOT}/default`, edit)).body.code).toBe('folder.in-settings')
      expect((await send(service, 'DELETE', `${ROOT}/default`)).body.code).toBe('folder.in-settings')
      const again = await add(service, 'default', join(service.folder, 'hidden'), { create: true })
      expect([again.status, again.body.code]).toEqual([409, 'folder.already-exists'])
      expect(existsSync(join(service.folder, 'hidden'))).toBe(false)
    })

    test('a pause takes nothing from one folder, tells who and why, and leaves the others alone', async () => {
      const service = await start()
      const paused = await send(service, 'POST', `${ROOT}/default/pause`, { reason: ' the bank is closed ' })
      expect([paused.status, paused.body]).toMatchObject([
        200,
        { status: 'Stopped', lastError: null, paused: { by: 'api-key', reason: 'the bank is closed' } },
      ])
      expect((await send(service, 'POST', `${ROOT}/default/pause`)).body.paused).toEqual(paused.body.paused)
      await drop(service.input('default'), 'waits.pdf')
      await drop(service.input('second'), 'goes.pdf')
      await expect.poll(() => jobs(service)).toEqual(['goes.pdf Completed two'])
      const rescan = await service.full.json('POST', '/api/rescan?folder=default')
      expect(rescan.body.totals).toMatchObject({ scanned: 1, ignored: 1, enqueued: 0 })
      expect((await service.full.call('GET', '/api/ready')).status).toBe(200)
      const resumed = await send(service, 'POST', `${ROOT}/default/resume`)
      expect([resumed.status, resumed.body]).toMatchObject([200, { status: 'Running', paused: null }])
      await expect.poll(() => jobs(service)).toEqual(['goes.pdf Completed two', 'waits.pdf Completed default'])
      expect(await eventTypes(service, 'folder default')).toEqual(['FolderResumed', 'FolderPaused'])
    })

    test('without the key nothing is shown or changed', async () => {
      const service = await start()
      for (const [method, path] of [
        ['GET', ROOT],
        ['POST', ROOT],
        ['PUT', `${ROOT}/default`],
        ['DELETE', `${ROOT}/default`],
        ['POST', `${ROOT}/default/pause`],
      ] as const)
        expect((await service.full.call(method, path, { key: null })).status).toBe(401)
      expect(await folder(service, 'default')).toMatchObject({ status: 'Running', paused: null })
    })
  })

describe('a form of a folder', () => {
  const start = shared('SQLite')

  test('a folder that cannot be watched is refused by the field, and nothing is made', async () => {
    const service = await start()
    const { folder: data } = service
    const at = (...names: string[]) => join(data, ...names)
    await writeFile(at('a-file'), '')
    await symlink(service.output, at('disguised'))
    const refused = async (name: string, options: object, more: object = {}) => {
      const { status, body } = await send(service, 'POST', ROOT, { name, options, create: true, ...more })
      return [status, body.code, Object.keys(body.errors ?? {})]
    }
    const invalid = (...fields: string[]) => [400, 'folder.invalid', fields]
    expect(await refused('Not a slug', { path: at('x') })).toEqual(invalid('name'))
    expect(await refused('x', {})).toEqual(invalid('path'))
    expect(await refused('x', { path: 'relative/path' })).toEqual(invalid('path'))
    expect(await refused('x', { path: at('x'), pollIntervalSeconds: 1 })).toEqual(invalid('pollIntervalSeconds'))
    expect(await refused('x', { path: at('x'), colour: 'red', Path: at('y') })).toEqual(invalid('colour', 'Path'))
    expect(await refused('x', { path: at('a-file') })).toEqual(invalid('path'))
    expect(await refused('x', { path: at('a-file', 'below') })).toEqual(invalid('path'))
    expect(await refused('x', { path: join(service.input(), 'inside') })).toEqual(invalid('path'))
    expect(await refused('x', { path: at('in') })).toEqual(invalid('path'))
    for (const name of ['output', 'error', 'processing'])
      expect(await refused('x', { path: at('batch-signer', name, 'deep') })).toEqual(invalid('path'))
    expect(await refused('x', { path: at('disguised') })).toEqual(invalid('path'))
    expect(await refused('x', { path: at('x') }, { profile: 'nobody' })).toEqual(invalid('profile'))
    expect(await refused('x', { path: at('x') }, { profile: 'two' })).toEqual(invalid('profile'))
    expect(existsSync(join(service.input(), 'inside'))).toBe(false)
    expect((await folders(service)).map(({ name }) => name)).toEqual(['default', 'second'])
  })

  test('a folder that cannot be written to is refused, whatever its permissions say', async () => {
    const service = await start()
    const { status, body } = await add(service, 'x', '/proc/self/task')
    expect([status, body.code]).toEqual([400, 'folder.invalid'])
  })

  test('the dashboard is told the fields of a folder, and which profiles are free', async () => {
    const service = await start()
    const { body } = await service.full.json<{ fields: object[]; profiles: object[]; folders: Folder[] }>('GET', ROOT)
    expect(body.fields).toEqual(
      expect.arrayContaining([
        { name: 'path', kind: 'text', required: true },
        { name: 'pollIntervalSeconds', kind: 'number', required: false },
        { name: 'ignoredExtensions', kind: 'list', required: false },
      ]),
    )
    expect(body.profiles).toEqual([
      { name: 'default', folder: 'default' },
      { name: 'more', folder: null },
      { name: 'two', folder: 'second' },
    ])
  })
})

for (const [name, openNew] of Object.entries(testStores)) {
  const openStore = storesOf(openNew)

  describe(`the list of folders on ${name}`, () => {
    const open = async (store: Awaited<ReturnType<typeof openBatchStore>>, dataFolder: string, inputs = ['a']) => {
      const Inputs = inputs.map((Name) => ({ Name, Path: join('in', Name) }))
      const context = await openContext({
        store,
        clock: () => new Date(),
        dataFolder,
        settings: { Storage: { Inputs } },
      })
      onTestFinished(() => context.close())
      return { context, folders: await openFolderDirectory(context) }
    }

    const row = (name: string, path: string | null, paused = 0) => ({
      name,
      entry: path && JSON.stringify({ Name: name, Path: path }),
      paused,
      paused_at: paused ? '2026-11-17T20:00:00.000Z' : null,
      paused_by: paused ? 'operator' : null,
      reason: null,
      version: 1,
      created_at: '2026-11-17T20:00:00.000Z',
      updated_at: '2026-11-17T20:00:00.000Z',
    })

    test('keeps pauses and added folders over a restart, and follows another process', async () => {
      const store = await openBatchStore(openStore)
      const dataFolder = temporaryFolder()
      const { folders } = await open(store, dataFolder)
      const heard = new Promise<void>((hear) => folders.onChange(hear))
      const other = await store.reopen()
      onTestFinished(() => other.close())
      await other.db
        .insertInto('watched_folder')
        .values([row('a', null, 1), row('b', '/srv/b')])
        .execute()
      await other.transaction((tx) => other.notify(tx, 'batch-folders'))
      await heard
      const shown = () => folders.list().map((one) => [one.folder.name, one.source, one.paused?.by])
      const both = [
        ['a', 'Settings', 'operator'],
        ['b', 'Dashboard', undefined],
      ]
      expect(shown()).toEqual(both)
      const again = await open(store, dataFolder)
      expect(again.folders.list().map((one) => [one.folder.name, one.source, one.paused?.by])).toEqual(both)
    })

    test('refuses a start whose settings name a folder that was added meanwhile', async () => {
      const store = await openBatchStore(openStore)
      const other = await store.reopen()
      onTestFinished(() => other.close())
      await other.db.insertInto('watched_folder').values(row('a', '/srv/a')).execute()
      await expect(open(store, temporaryFolder())).rejects.toThrow(StartupProblem)
    })

    test('does not watch an added folder that overlaps another one since', async () => {
      const store = await openBatchStore(openStore)
      const dataFolder = temporaryFolder()
      await store.db
        .insertInto('watched_folder')
        .values([row('b', join(dataFolder, 'in')), row('c', join(dataFolder, 'batch-signer', 'output'))])
        .execute()
      const { folders } = await open(store, dataFolder)
      expect(folders.list().map(({ folder, problem }) => [folder.name, problem?.message ?? null])).toEqual([
        ['a', null],
        ['b', expect.stringContaining('contains the input folder a')],
        ['c', expect.stringContaining('is also the work folder output/')],
      ])
    })
  })
}
