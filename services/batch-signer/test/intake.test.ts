import { mkdir, open, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from '@chancela/service-kernel/store'
import { testStores } from '@chancela/testkit/stores'
import { temporaryFolder } from '@chancela/testkit/tools'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { FolderHeld } from '../src/rules/folder-conditions.ts'
import { reasonOf } from '../src/rules/job-reason.ts'
import type { Tables } from '../src/store/tables.ts'
import { storesOf } from '../src/test-support/as-new.ts'
import { completeNext, failNext, openBatchStore } from '../src/test-support/ledger-world.ts'
import { intakeWorld } from '../src/workers/intake/test-support/intake-world.ts'
import { MemoryProfiles } from '../src/workers/intake/test-support/memory-profiles.ts'

const SOON = { interval: 20 }

/** Waits until the folder was enumerated at least twice more: everything visible has been seen. */
async function passesOf({ drop, names }: Pick<World, 'drop' | 'names'>, folder?: string): Promise<void> {
  const marker = `marker-${Math.random()}.txt`
  await drop(marker, marker, folder)
  await expect.poll(names, SOON).toContain(`${marker} Queued`)
}

/** Writes for a second; the file may be taken only if this machine itself paused for the window of 400 ms. */
async function writeSlowly(names: World['names'], write: (piece: number) => Promise<unknown>): Promise<void> {
  let longestRest = 0
  let last = performance.now()
  for (let piece = 0; piece < 30; piece += 1) {
    await write(piece)
    longestRest = Math.max(longestRest, performance.now() - last)
    last = performance.now()
    await new Promise((resolve) => setTimeout(resolve, 30))
    const taken = await names()
    if (longestRest < 400 && performance.now() - last < 400) expect(taken).toEqual([])
  }
}

/** A folder whose path has this many characters, wherever temporary files are. */
function folderOfLength(length: number): string {
  let path = temporaryFolder()
  while (length - path.length > 200) path = join(path, 'd'.repeat(150))
  return join(path, 'd'.repeat(length - path.length - 1))
}

type World = Awaited<ReturnType<typeof intakeWorld>>

for (const [name, openNew] of Object.entries(testStores)) {
  const openStore = storesOf(openNew)

  describe(`watched folders on ${name}`, () => {
    const world = async (options: Partial<Parameters<typeof intakeWorld>[0]> = {}) => {
      const store = options.store ?? (await openBatchStore(openStore))
      return { store, ...(await intakeWorld({ ...options, store })) }
    }

    test('a hold of an input folder that came back before the watcher missed it ends with its next look', async () => {
      const { intake, drop, names, folderHolds, input } = await world({ holdsFolders: true })
      intake.start()
      await intake.settled()
      folderHolds.begin('default', new FolderHeld('input-unavailable', reasonOf('folder-gone', { path: input('') })))
      await drop('a.pdf')
      // By itself it would be tried after a minute.
      await expect.poll(names, { ...SOON, timeout: 30_000 }).toContain('a.pdf Queued')
      expect(folderHolds.of('default')).toBeUndefined()
    })

    test('files that lie there at the start and files that come later become jobs', async () => {
      const { intake, drop, jobs, names, input } = await world()
      await drop('before.pdf')
      intake.start()
      await drop('after.xml')
      await drop('other.bin')
      await expect.poll(names, SOON).toEqual(['after.xml Queued', 'before.pdf Queued', 'other.bin Queued'])
      const before = (await jobs()).find(({ file_name }) => file_name === 'before.pdf')
      expect(before).toMatchObject({
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
        original_path: input('before.pdf'),
        input_folder: 'default',
        source: 'Watcher',
        profile_name: 'default',
      })
      expect((await jobs()).map(({ file_name, format }) => [file_name, format]).sort()).toEqual([
        ['after.xml', 'Xades'],
        ['before.pdf', 'Pades'],
        ['other.bin', 'Cades'],
      ])
    })

    test('a half-written file is not taken, however slowly it grows', async () => {
      const { intake, names, input } = await world({ watched: { StabilityPollIntervalMs: 200 } })
      intake.start()
      const file = await open(input('slow.pdf'), 'w')
      await writeSlowly(names, () => file.write('x'.repeat(100)))
      await file.close()
      await expect.poll(names, SOON).toEqual(['slow.pdf Queued'])
    })

    test('a file of its final size whose content still changes is not taken: a share that allocates first', async () => {
      const { intake, names, input } = await world({ watched: { StabilityPollIntervalMs: 200 } })
      intake.start()
      const file = await open(input('allocated.pdf'), 'w')
      await file.truncate(4096)
      await writeSlowly(names, async (piece) => {
        await file.write('x'.repeat(100), piece * 100)
        // A share that preserves the original's time hides the write from the modification time.
        await file.utimes(new Date('2020-01-01'), new Date('2020-01-01'))
      })
      await file.close()
      await expect.poll(names, SOON).toEqual(['allocated.pdf Queued'])
    })

    test('a file that never rests is given up at the timeout, and taken once it does', async () => {
      const { intake, names, input, lines } = await world({
        watched: { StabilityPollIntervalMs: 200, StabilityTimeoutSeconds: 0.6 },
      })
      intake.start()
      let writing = true
      const writer = (async () => {
        const file = await open(input('restless.log'), 'w')
        while (writing) {
          await file.write('x')
          await new Promise((resolve) => setTimeout(resolve, 10))
        }
        await file.close()
      })()
      await expect.poll(() => lines.map(({ msg }) => msg), SOON).toContain('a file kept changing and was given up')
      expect(await names()).toEqual([])
      writing = false
      await writer
      await expect.poll(names, SOON).toEqual(['restless.log Queued'])
    })

    test('ignored names, folders and links are left alone', async () => {
      const other = temporaryFolder()
      await writeFile(join(other, 'secret.pdf'), 'x')
      const world1 = await world()
      const { drop, intake, names, left, input } = world1
      for (const ignored of ['a.tmp', 'b.PART', '.hidden', '~$word.docx', 'c.crdownload', '.x.swp']) await drop(ignored)
      await mkdir(input('folder.pdf'))
      await symlink(join(other, 'secret.pdf'), input('link.pdf'))
      intake.start()
      await passesOf(world1)
      expect(await names()).toHaveLength(1)
      expect(await left()).toHaveLength(9)
    })

    test('a file that gets its name at the end is taken under it', async () => {
      const { intake, names, input, drop } = await world()
      intake.start()
      await drop('upload.pdf.part', 'x')
      await rename(input('upload.pdf.part'), input('upload.pdf'))
      await expect.poll(names, SOON).toEqual(['upload.pdf Queued'])
    })

    test('two watchers, one file: one job, no failure', async () => {
      const first = await world()
      const second = await world({ store: first.store, dataFolder: first.dataFolder })
      first.intake.start()
      second.intake.start()
      for (let file = 0; file < 20; file += 1) await first.drop(`both-${file}.pdf`)
      await expect.poll(async () => (await first.names()).length, SOON).toBe(20)
      await passesOf(first)
      expect(await first.names()).toHaveLength(21)
      for (const { intake } of [first, second])
        expect(await intake.folders()).toEqual([expect.objectContaining({ status: 'Running', lastError: null })])
    })

    test('a failed file is not offered again on a poll nor after a restart', async () => {
      const first = await world()
      const { context, intake, drop, names, store, dataFolder } = first
      intake.start()
      await drop('bad.pdf')
      await expect.poll(names, SOON).toEqual(['bad.pdf Queued'])
      await failNext(context.ledger, new Date())
      await passesOf(first)
      await intake.stop()
      const second = await world({ store, dataFolder })
      second.intake.start()
      await passesOf(second)
      expect((await names()).filter((one) => one.startsWith('bad'))).toEqual(['bad.pdf Failed'])
      expect(await second.left()).toContain('bad.pdf')
    })

    test('a canceled file stays in the folder and is not taken again', async () => {
      const first = await world()
      const { context, intake, drop, names, jobs } = first
      intake.start()
      await drop('no.pdf')
      await expect.poll(names, SOON).toEqual(['no.pdf Queued'])
      const [job] = await jobs()
      await context.ledger.canceled(job!.id, 'Queued', 'Operator canceled.', new Date())
      await passesOf(first)
      expect((await names()).filter((one) => one.startsWith('no'))).toEqual(['no.pdf Canceled'])
    })

    test('a name that was signed, in whatever letters and folder, is refused and its file moved to error/', async () => {
      const { context, intake, drop, names, jobs, left, profiles, work } = await world({
        inputs: ['default', 'second'],
      })
      profiles.put({ name: 'two', inputFolder: 'second' })
      intake.start()
      await drop('Relatório.PDF', 'first')
      await expect.poll(names, SOON).toEqual(['Relatório.PDF Queued'])
      const holder = await completeNext(context.ledger, new Date())
      await drop('relatório.pdf'.normalize('NFD'), 'second', 'second')
      await expect.poll(() => left('second'), SOON).toEqual([])
      await expect.poll(async () => (await jobs()).length, SOON).toBe(2)
      const refused = (await jobs()).find(({ id }) => id !== holder)!
      expect(refused).toMatchObject({ status: 'Failed', error_code: 'file.already-processed', profile_name: 'two' })
      expect(refused.error_message).toContain(`Job ${holder} carries the name, with the file Relatório.PDF.`)
      const moved = await work.errorFile(refused.id, refused.file_name)
      expect(await readFile(moved!, 'utf8')).toBe('second')
      await expect
        .poll(async () => (await context.events.list()).items, SOON)
        .toEqual([
          expect.objectContaining({
            type: 'FileAlreadyProcessed',
            code: 'file.already-processed',
            subject: { kind: 'job', id: refused.id },
            text: expect.stringContaining(holder),
          }),
        ])
    })

    test('a refused file that cannot be moved leaves no record', async () => {
      const moveToError = () => Promise.reject(new Error('error/ is gone'))
      const first = await world({ work: { moveToError } })
      const { context, intake, drop, names, left } = first
      await drop('once.pdf')
      intake.start()
      await expect.poll(names, SOON).toEqual(['once.pdf Queued'])
      await completeNext(context.ledger, new Date())
      await context.ledger.inputSettled((await first.jobs())[0]!.id, 'diverged', new Date())
      await expect.poll(() => first.lines.map(({ msg }) => msg), SOON).toContain('file could not be enqueued')
      expect(await names()).toEqual(['once.pdf Completed'])
      expect(await left()).toEqual(['once.pdf'])
      expect((await context.events.list()).total).toBe(0)
    })

    test('a rewritten file that its job hands back goes the ordinary way', async () => {
      const { context, intake, drop, names, input, jobs } = await world({
        pipeline: {},
        watched: { PollIntervalSeconds: 60 },
      })
      intake.start()
      await drop('changed.pdf')
      await expect.poll(names, SOON).toEqual(['changed.pdf Queued'])
      await completeNext(context.ledger, new Date())
      await context.ledger.inputSettled((await jobs())[0]!.id, 'diverged', new Date())
      intake.offer(input('changed.pdf'))
      await expect.poll(names, SOON).toEqual(['changed.pdf Completed', 'changed.pdf Failed'])
      intake.offer(input('changed.pdf', 'unknown'))
    })

    test('ten failures in a row stop the folder and no other; it comes back by itself', async () => {
      const first = await world({ inputs: ['default', 'second'], store: await openBatchStore(openNew) })
      const { intake, drop, names, profiles, store, context } = first
      profiles.put({ name: 'two', inputFolder: 'second' })
      await refuseNames(store, 'bad')
      intake.start()
      for (let file = 0; file < 10; file += 1) await drop(`bad-${file}.pdf`)
      const statuses = async () => (await intake.folders()).map(({ status }) => status)
      await expect.poll(statuses, SOON).toEqual(['Stopped', 'Running'])
      const [folder] = await intake.folders()
      expect(folder!.lastError).toContain('nobody wants it')
      const { ready, checks } = await context.readiness.verdict()
      expect([ready, checks]).toEqual([
        false,
        [
          { name: 'input-folder:default', ok: false, detail: expect.stringContaining('nobody wants it') },
          { name: 'input-folder:second', ok: true, detail: 'Watched for the profile two.' },
        ],
      ])
      await drop('fine.pdf', 'x', 'second')
      await expect.poll(names, SOON).toEqual(['fine.pdf Queued'])
      await allowNames(store)
      await expect.poll(names, SOON).toHaveLength(11)
      await expect.poll(statuses, SOON).toEqual(['Running', 'Running'])
      expect((await intake.folders())[0]!.lastError).toBeNull()
    })

    test('a missing folder is told, and taken up when it appears', async () => {
      const { intake, drop, names, context, input } = await world()
      await rm(join(input('x'), '..'), { recursive: true })
      intake.start()
      const folder = async () => (await intake.folders())[0]!
      await expect.poll(folder, SOON).toMatchObject({ exists: false, status: 'Stopped', fileCount: 0 })
      expect((await context.readiness.verdict()).ready).toBe(false)
      await mkdir(join(input('x'), '..'))
      await drop('back.pdf')
      await expect.poll(names, SOON).toEqual(['back.pdf Queued'])
      await expect.poll(folder, SOON).toMatchObject({ exists: true, status: 'Running', lastError: null })
      expect((await context.readiness.verdict()).ready).toBe(true)
    })

    test('a folder that is replaced is heard again', async () => {
      const first = await world()
      const { intake, drop, names, input, context } = first
      intake.start()
      await passesOf(first)
      // While a job waits for a file of the old one, the new one is taken for the place where a share is mounted.
      const { store, ledger, clock } = context
      for (const { id } of await store.db.selectFrom('job').select('id').execute())
        await ledger.canceled(id, 'Queued', 'Not needed.', clock())
      // The service may be writing its hidden file.
      await rm(join(input('x'), '..'), { recursive: true, maxRetries: 10 })
      await mkdir(join(input('x'), '..'))
      await drop('new.pdf')
      await expect.poll(names, SOON).toContain('new.pdf Queued')
    })

    test('nobody watches an unassigned folder; its files are taken up when a profile chooses it', async () => {
      const { intake, drop, names, profiles, context } = await world({ inputs: ['default', 'second'] })
      await drop('waiting.pdf', 'x', 'second')
      intake.start()
      await drop('first.pdf')
      await expect.poll(names, SOON).toEqual(['first.pdf Queued'])
      expect((await intake.folders())[1]).toMatchObject({ status: 'Unassigned', profileName: null, fileCount: 1 })
      expect((await context.readiness.verdict()).ready).toBe(true)
      profiles.put({ name: 'two', inputFolder: 'second', format: 'Cades' })
      await expect.poll(names, SOON).toEqual(['first.pdf Queued', 'waiting.pdf Queued'])
      expect((await intake.folders())[1]).toMatchObject({
        status: 'Running',
        profileName: 'two',
        profileFormat: 'Cades',
        processedCount: 1,
      })
      profiles.put({ name: 'two', inputFolder: null })
      await expect.poll(async () => (await intake.folders())[1]!.status, SOON).toBe('Unassigned')
    })

    test('a disabled profile takes nothing in; its files come in after it is enabled', async () => {
      const profiles = new MemoryProfiles()
      profiles.put({ name: 'default', inputFolder: 'default', enabled: false })
      const { intake, drop, names, lines } = await world({ profiles })
      intake.start()
      for (let file = 0; file < 3; file += 1) await drop(`wait-${file}.pdf`)
      const said = () => lines.filter(({ msg }) => msg === 'the profile of the folder takes no new files')
      await expect.poll(said, SOON).toHaveLength(1)
      await new Promise((resolve) => setTimeout(resolve, 500))
      expect([await names(), said().length]).toEqual([[], 1])
      profiles.put({ name: 'default', enabled: true })
      await expect.poll(names, SOON).toHaveLength(3)
    })

    test('a path of 851 characters is logged and left', async () => {
      const deep = folderOfLength(780)
      const base = join(deep, 'in', 'default')
      await mkdir(base, { recursive: true })
      const first = await world({ dataFolder: deep })
      const { intake, names, lines } = first
      const nameOf = (length: number) => `${'n'.repeat(length - base.length - 5)}.pdf`
      await writeFile(join(base, nameOf(850)), 'x')
      await writeFile(join(base, nameOf(851)), 'x')
      intake.start()
      await expect.poll(names, SOON).toEqual([`${nameOf(850)} Queued`])
      await passesOf(first)
      expect(await names()).toHaveLength(2)
      expect(lines.filter(({ code }) => code === 'job.path-too-long')).toEqual([
        expect.objectContaining({ file: nameOf(851), length: 851 }),
      ])
    })

    test('a file whose name is not UTF-8 is told once', async () => {
      const first = await world()
      const { intake, lines, names, dataFolder } = first
      const path = Buffer.concat([Buffer.from(join(dataFolder, 'in', 'default/')), Buffer.from('ação.pdf', 'latin1')])
      await writeFile(path, 'x')
      intake.start()
      const said = () => lines.filter(({ msg }) => msg === 'a file has a name that is not UTF-8 and cannot be taken')
      await expect.poll(said, SOON).toHaveLength(1)
      await passesOf(first)
      expect([said().length, (await names()).length]).toEqual([1, 1])
    })

    test('files wait in their folder while the queue is full', async () => {
      const { context, intake, drop, names } = await world({ pipeline: { MaxQueued: 5 } })
      for (let file = 0; file < 12; file += 1) await drop(`${file}.pdf`)
      intake.start()
      await expect.poll(names, SOON).toHaveLength(5)
      for (let file = 0; file < 7; file += 1) {
        await completeNext(context.ledger, new Date())
        await expect.poll(names, SOON).toHaveLength(6 + file)
      }
    })

    test('the full queue of one profile keeps no other from taking files', async () => {
      const { intake, profiles, drop, names } = await world({
        inputs: ['default', 'other'],
        pipeline: { MaxQueued: 5 },
      })
      profiles.put({ name: 'other', inputFolder: 'other' })
      for (let file = 0; file < 12; file += 1) await drop(`${file}.pdf`)
      intake.start()
      await expect.poll(names, SOON).toHaveLength(5)
      await drop('elsewhere.pdf', 'x', 'other')
      await expect.poll(names, SOON).toContain('elsewhere.pdf Queued')
    })
  })
}

test('a backlog that fills the window many times over comes in whole', async () => {
  const store = await openBatchStore(testStores.SQLite)
  const { intake, input, names } = await intakeWorld({ store, mostCandidates: 100 })
  for (let file = 0; file < 1_000; file += 1) await writeFile(input(`${file}.bin`), 'x')
  intake.start()
  await expect.poll(async () => (await names()).length, { interval: 100 }).toBe(1_000)
})

async function refuseNames(store: Store<Tables>, name: string): Promise<void> {
  if (store.dialect === 'sqlite') {
    await sql`create trigger refuse before insert on job when new.file_name like ${sql.lit(`${name}%`)}
      begin select raise(abort, 'nobody wants it'); end`.execute(store.db)
    return
  }
  await sql`create function refuse() returns trigger language plpgsql as ${sql.lit(
    `begin if new.file_name like '${name}%' then raise exception 'nobody wants it'; end if; return new; end`,
  )}`.execute(store.db)
  await sql`create trigger refuse before insert on job for each row execute function refuse()`.execute(store.db)
}

async function allowNames(store: Store<Tables>): Promise<void> {
  await (store.dialect === 'sqlite' ? sql`drop trigger refuse` : sql`drop trigger refuse on job`).execute(store.db)
}

test('files stay where they are when the service stops', async () => {
  const store = await openBatchStore(testStores.SQLite)
  const { intake, drop, left } = await intakeWorld({ store })
  intake.start()
  await drop('a.pdf')
  await intake.stop()
  await intake.stop()
  expect(await left()).toEqual(['a.pdf'])
})
