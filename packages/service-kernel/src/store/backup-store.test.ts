import { execFileSync } from 'node:child_process'
import { copyFile, cp, mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { backupStore, type Migration, migrate, openStore, restoreStore, type Store } from './index.ts'

interface Tables {
  note: { id: number; text: string }
}

const notes: Migration = {
  id: 1,
  name: 'notes',
  breaking: false,
  up: async (db) => void (await sql`create table note (id integer primary key, text text not null)`.execute(db)),
}
const migrations = { notes: [notes] }

let folder: string
let store: Store<Tables>
const url = 'sqlite:db/notes.db'

const openNotes = (dataFolder = folder) => openStore<Tables>({ url, service: 'notes', dataFolder })
/** In one statement, because the driver takes longer for thousands than everything else here. */
const addNotes = (n: number, size = 10) =>
  sql`with recursive number (id) as (select 0 union all select id + 1 from number where id < ${n} - 1)
    insert into note select id, ${'x'.repeat(size)} from number`.execute(store.db)
const destination = () => join(folder, 'copy.db')
const restore = (from = destination(), dataFolder = join(folder, 'stopped')) =>
  restoreStore({ url, dataFolder, service: 'notes', migrations, from, now: new Date('2026-03-02T12:00:00Z') })

/**
 * The files as a stopped service leaves them. The driver releases a file only when its statements are collected, or its
 * process ends; so a test works on copies.
 */
const stop = () => cp(join(folder, 'db'), join(folder, 'stopped', 'db'), { recursive: true })

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chancela-backup-'))
  store = await openNotes()
  await migrate(store, migrations)
  return async () => {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  }
})

describe('the backup of an embedded store', () => {
  test('is one sound file that other programs read, and that nobody else may read', async () => {
    await addNotes(50)
    const { sizeBytes } = await backupStore({ url, dataFolder: folder, destination: destination() })
    const file = await stat(destination())
    expect([file.size, file.mode & 0o777]).toStrictEqual([sizeBytes, 0o600])
    expect(sqlite3('select count(*) from note; pragma integrity_check')).toBe('50\nok')
    expect(await readdir(folder)).toStrictEqual(['copy.db', 'db'])
  })

  test('shows one moment of a store that is written meanwhile, and no writer waits for it', async () => {
    await addNotes(2_000, 10_000)
    let isOver = false
    const backup = backupStore({ url, dataFolder: folder, destination: destination() }).finally(() => {
      isOver = true
    })
    let written = 0
    while (!isOver) {
      await store.db
        .insertInto('note')
        .values({ id: 10_000 + written, text: 'late' })
        .execute()
      written += 1
      // SQLite answers synchronously: without a turn of the event loop no message about the copy would arrive.
      await new Promise(setImmediate)
    }
    await backup
    expect(sqlite3('select count(*) from note where id < 10000; pragma integrity_check')).toBe('2000\nok')
    // Rows written before the moment of the copy are in it without a gap, later ones are not.
    const [late, next] = sqlite3('select count(*), coalesce(max(id) + 1, 10000) from note where id >= 10000').split('|')
    expect(Number(next) - 10_000).toBe(Number(late))
    expect(written).toBeGreaterThan(Number(late))
  })

  test('tells how far it is, from 0 to 1', async () => {
    await addNotes(1_000, 10_000)
    const shares: number[] = []
    await backupStore({
      url,
      dataFolder: folder,
      destination: destination(),
      onProgress: (share) => void shares.push(share),
    })
    expect(shares.length).toBeGreaterThan(0)
    expect(shares).toStrictEqual([...shares].sort((a, b) => a - b))
    for (const share of shares) expect(share > 0 && share <= 1).toBe(true)
  })

  test('that is stopped leaves nothing behind', async () => {
    await addNotes(2_000, 10_000)
    const stopping = new AbortController()
    const stopped = backupStore({
      url,
      dataFolder: folder,
      destination: destination(),
      signal: stopping.signal,
      onProgress: () => stopping.abort(new Error('enough')),
    })
    await expect(stopped).rejects.toThrow('enough')
    expect(await readdir(folder)).toStrictEqual(['db'])
  })

  test('that cannot be written says why and leaves nothing behind', async () => {
    const nowhere = join(folder, 'absent', 'copy.db')
    await expect(backupStore({ url, dataFolder: folder, destination: nowhere })).rejects.toThrow('ENOENT')
    expect(await readdir(folder)).toStrictEqual(['db'])
  })
})

describe('a restore', () => {
  /** A backup of five notes, made once: each takes a process. */
  let fiveNotes: string | undefined
  let kept: string
  beforeAll(async () => {
    kept = await mkdtemp(join(tmpdir(), 'chancela-backups-'))
    return () => rm(kept, { recursive: true })
  })
  async function backUpFiveNotes(): Promise<void> {
    await addNotes(5)
    if (!fiveNotes) {
      const made = join(kept, 'five-notes.db')
      await backupStore({ url, dataFolder: folder, destination: made })
      fiveNotes = made
    }
    await copyFile(fiveNotes, destination())
  }

  test('puts the backup in place and keeps the file that was there', async () => {
    await backUpFiveNotes()
    await store.db.deleteFrom('note').execute()
    await stop()
    const { file, keptAside } = await restore()
    expect(await readdir(join(folder, 'stopped', 'db'))).toStrictEqual([
      'notes.db',
      'notes.db.before-restore-20260302T120000Z',
    ])
    expect(sqlite3('select count(*) from note', keptAside)).toBe('0')
    expect(file).toBe(join(folder, 'stopped', 'db', 'notes.db'))
    expect(await countNotes()).toBe(5)
  })

  test('is refused while the store is in use, and changes nothing', async () => {
    await backUpFiveNotes()
    await store.db.insertInto('note').values({ id: 99, text: 'one more' }).execute()
    await expect(restore(destination(), folder)).rejects.toThrow(/is in use; stop notes and restore again/)
    expect(await store.db.selectFrom('note').selectAll().execute()).toHaveLength(6)
  })

  test('takes the place of a store too damaged to be opened', async () => {
    await backUpFiveNotes()
    await stop()
    await writeFile(
      join(folder, 'stopped', 'db', 'notes.db'),
      'not a database at all, but long enough to be one'.repeat(100),
    )
    await restore()
    expect(await countNotes()).toBe(5)
  })

  test('makes the store where there is none', async () => {
    await backUpFiveNotes()
    await stop()
    await rm(join(folder, 'stopped'), { recursive: true })
    expect((await restore()).keptAside).toBeUndefined()
    expect(await countNotes()).toBe(5)
  })

  test('refuses what is no sound backup of this service', async () => {
    await addNotes(500, 1_000)
    await backupStore({ url, dataFolder: folder, destination: destination() })
    await stop()
    const cut = join(folder, 'cut.db')
    await copyFile(destination(), cut)
    await truncate(cut, 100_000)
    await expect(restore(cut)).rejects.toThrow(/is not a sound backup: .*; nothing was changed/)
    await expect(restore(join(folder, 'absent.db'))).rejects.toThrow(/cannot be read \(ENOENT\)/)
    await writeFile(join(folder, 'text.db'), 'hello')
    await expect(restore(join(folder, 'text.db'))).rejects.toThrow(/not a sound backup: file is not a database/)
    const foreign = join(folder, 'foreign.db')
    execFileSync('sqlite3', [foreign, 'create table a (b)'])
    await expect(restore(foreign)).rejects.toThrow(/is not a backup of notes: it has no tables of notes/)
    execFileSync('sqlite3', [destination(), `insert into schema_migration values ('notes', 2, 'later', 1, '', null)`])
    await expect(restore()).rejects.toThrow(/newer than this program/)
    expect(await readdir(join(folder, 'stopped', 'db'))).not.toContain('notes.db.restoring')
    expect(await countNotes()).toBe(500)
  })

  test('of a version without a part that came later is restored; the next start makes it', async () => {
    await addNotes(5)
    await backupStore({ url, dataFolder: folder, destination: destination() })
    await stop()
    const later = { ...migrations, mail: [{ id: 1, name: 'mail', breaking: false, up: async () => {} }] }
    const now = new Date('2026-03-02T12:00:00Z')
    const options = { url, dataFolder: join(folder, 'stopped'), service: 'notes', from: destination(), now }
    await restoreStore({ ...options, migrations: later })
    expect(await countNotes()).toBe(5)
  })

  test('is for embedded stores only', async () => {
    const elsewhere = { url: 'postgres://localhost/x', dataFolder: folder, service: 'notes', migrations, from: 'x' }
    await expect(restoreStore({ ...elsewhere, now: new Date(0) })).rejects.toThrow(/only an embedded store/)
  })
})

async function countNotes(): Promise<number> {
  const opened = await openNotes(join(folder, 'stopped'))
  onTestFinished(() => opened.close())
  return (await opened.db.selectFrom('note').selectAll().execute()).length
}

const sqlite3 = (query: string, file = destination()): string =>
  execFileSync('sqlite3', [file!, query], { encoding: 'utf8' }).trim()
