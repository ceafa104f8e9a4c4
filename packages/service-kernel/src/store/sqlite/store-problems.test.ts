import { chmod, mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { StartupProblem } from '../../errors/index.ts'
import { type MigrationSet, migrate, openStore } from '../index.ts'
import { openSqlite } from './open-sqlite.ts'

const service = 'batch-signer'

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'chancela-sqlite-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function problemOf(work: Promise<unknown>): Promise<StartupProblem> {
  const error: unknown = await work.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof StartupProblem)) throw error
  expect(error.setting).toBe('batch-signer Database:Url')
  expect(error.message).toMatch(/^batch-signer Database:Url: [^\n]+\.$/)
  return error
}

/** Root may do anything: such tests run as `nobody` meanwhile. */
async function withoutPrivileges<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work()
  process.seteuid?.(65_534)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}

test('a file that is no database is refused with a sentence that names the setting and the file', async () => {
  const path = join(await temporaryFolder(), 'letter.db')
  await writeFile(path, 'Dear Sir or Madam, '.repeat(500))
  const problem = await problemOf(openStore({ url: `sqlite:${path}`, service }))
  expect(problem.message).toContain(`${path} is not a sound SQLite database`)
})

test('a database with a damaged page is refused at opening', async () => {
  const path = join(await temporaryFolder(), 'damaged.db')
  await makeDatabase(path)
  await overwrite(path, 5 * 4096, Buffer.alloc(4096, 0xaa))
  const problem = await problemOf(openStore({ url: `sqlite:${path}`, service }))
  expect(problem.message).toContain('is not a sound SQLite database')
})

test('a database cut short is refused at opening', async () => {
  const path = join(await temporaryFolder(), 'short.db')
  await makeDatabase(path)
  const file = await open(path, 'r+')
  await file.truncate(3 * 4096 + 100)
  await file.close()
  await problemOf(openStore({ url: `sqlite:${path}`, service }))
})

test('a folder in the place of the file is refused', async () => {
  const folder = await temporaryFolder()
  await problemOf(openStore({ url: `sqlite:${folder}`, service }))
})

test('a file in the place of the folder is refused', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'data'), '')
  const problem = await problemOf(openStore({ url: `sqlite:${join(folder, 'data', 'x', 'a.db')}`, service }))
  expect(problem.message).toContain('a file stands where')
})

test('a folder this process may not enter is refused', async () => {
  const folder = await temporaryFolder()
  await chmod(folder, process.geteuid?.() === 0 ? 0o700 : 0o000)
  const url = `sqlite:${join(folder, 'a.db')}`
  const problem = await problemOf(withoutPrivileges(() => openStore({ url, service })))
  expect(problem.message).toMatch(/may not read and write|cannot be opened/)
})

test('a folder this process may not create is refused', async () => {
  const folder = await temporaryFolder()
  await chmod(folder, 0o555)
  const url = `sqlite:${join(folder, 'data', 'a.db')}`
  const problem = await problemOf(withoutPrivileges(() => openStore({ url, service })))
  expect(problem.message).toContain('may not read and write')
})

test('a file this process may only read is refused before anything is lost', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'a.db')
  await makeDatabase(path)
  await chmod(path, 0o444)
  await chmod(folder, 0o755)
  await problemOf(withoutPrivileges(() => openStore({ url: `sqlite:${path}`, service })))
})

test('a disk that fills up during a migration leaves the database as it was', async () => {
  const folder = await temporaryFolder()
  const store = await openStore<{ letter: { text: string } }>({ url: `sqlite:${join(folder, 'a.db')}`, service })
  onTestFinished(() => store.close())
  const problem = await problemOf(migrate(store, fillsTheDisk))
  expect(problem.message).toContain('is full')
  expect((await sql`select name from sqlite_schema`.execute(store.db)).rows).toEqual([])
  expect((await migrate(store, {})).applied).toEqual([])
})

test('a file that another process keeps locked is refused', async () => {
  const path = join(await temporaryFolder(), 'a.db')
  await makeDatabase(path)
  const other = openSqlite(path)
  onTestFinished(() => other.close())
  other.exec('pragma locking_mode = exclusive')
  other.exec('create table held (id)')
  const problem = await problemOf(openStore({ url: `sqlite:${path}`, service }))
  expect(problem.message).toContain('is locked by another process')
})

test('missing folders are created, and a relative path begins at the data folder', async () => {
  const folder = await temporaryFolder()
  const store = await openStore({ url: 'sqlite:deep/down/a.db', service, dataFolder: folder })
  await store.close()
  const again = openSqlite(join(folder, 'deep', 'down', 'a.db'))
  again.close()
})

test('every write is on the disk before it is acknowledged', async () => {
  const store = await openStore({ url: `sqlite:${join(await temporaryFolder(), 'a.db')}`, service })
  onTestFinished(() => store.close())
  expect((await sql`pragma journal_mode`.execute(store.db)).rows).toEqual([{ journal_mode: 'wal' }])
  expect((await sql`pragma synchronous`.execute(store.db)).rows).toEqual([{ synchronous: 2 }])
  expect((await sql`pragma busy_timeout`.execute(store.db)).rows).toEqual([{ timeout: 0 }])
  expect((await sql`pragma foreign_keys`.execute(store.db)).rows).toEqual([{ foreign_keys: 1 }])
})

async function makeDatabase(path: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true })
  const database = openSqlite(path)
  database.exec('create table letter (text text)')
  database.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < 2000)
    insert into letter select 'letter number ' || i || ' to nobody in particular' from n`)
  database.close()
}

async function overwrite(path: string, position: number, bytes: Buffer): Promise<void> {
  const file = await open(path, 'r+')
  await file.write(bytes, 0, bytes.length, position)
  await file.close()
}

// A page limit makes SQLite fail as on a full disk, with the same code and the same consequences.
const fillsTheDisk: MigrationSet = {
  letters: [
    {
      id: 1,
      name: 'letters',
      breaking: false,
      up: async (db) => {
        await sql`pragma max_page_count = 20`.execute(db)
        await sql`create table letter (text text)`.execute(db)
        await sql`insert into letter values (${'x'.repeat(200_000)})`.execute(db)
      },
    },
  ],
}
