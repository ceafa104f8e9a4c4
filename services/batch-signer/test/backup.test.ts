import { execFileSync } from 'node:child_process'
import { mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HOUR, MINUTE } from '@chancela/service-kernel/clock'
import { describe, expect, test } from 'vitest'
import { restoreBatchSigner } from '../src/restore.ts'
import { completeNext, newJob } from '../src/test-support/ledger-world.ts'
import { startWorld, type World, type WorldOptions } from './test-support/operations-world.ts'

const enabled = { Backup: { Enabled: true, Path: 'backups' } }

const startWithBackup = (options: WorldOptions = {}) => startWorld({ settings: enabled, ...options })

const folder = ({ dataFolder }: World) => join(dataFolder, 'backups')
const files = async (world: World) => (await readdir(folder(world))).sort()
const begin = (world: World) => world.call('POST', '/api/backup')
const cancel = (world: World) => world.call('POST', '/api/backup/cancel')
const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code]

interface Run {
  id: string
  result: string | null
  fileName: string
  sizeBytes: number | null
  error: string | null
}
interface View {
  supported: boolean
  enabled: boolean
  running: (Run & { progress: number }) | null
  runs: Run[]
  nextDueAtUtc: string | null
  lastSuccessAtUtc: string | null
}
const view = async (world: World) => (await (await world.call('GET', '/api/backup')).json()) as View

const sqlite3 = (file: string, query: string) => execFileSync('sqlite3', [file, query], { encoding: 'utf8' }).trim()

/** Enough rows that copying takes several steps. */
async function fill({ store }: World, megabytes = 20): Promise<void> {
  const text = 'x'.repeat(100_000)
  await store.transaction(async (tx) => {
    for (let n = 0; n < megabytes * 10; n++)
      await tx
        .insertInto('job_payments')
        .values({ job_id: `filler-${n}`, payments: text })
        .execute()
  })
}

describe('POST /api/backup', () => {
  test('answers 202 with the run as soon as it is admitted; the backup is sound for other programs', async () => {
    const world = await startWithBackup()
    await world.context.ledger.enqueue(newJob({ fileName: 'a.pdf' }), world.clock())
    const answer = await begin(world)
    const { runId } = (await answer.json()) as { runId: string }
    expect([answer.status, runId]).toStrictEqual([202, expect.stringMatching(/^[0-9a-f-]{36}$/)])
    await world.backup.idle()
    const [run] = (await view(world)).runs
    const name = `batch-signer-20260302T120000Z-${runId.slice(0, 8)}.db`
    expect(run).toMatchObject({ id: runId, result: 'Succeeded', fileName: name, trigger: 'Manual', actor: 'api-key' })
    expect(await files(world)).toStrictEqual([name])
    const file = join(folder(world), name)
    const { size, mode } = await stat(file)
    expect([run?.sizeBytes, mode & 0o777]).toStrictEqual([size, 0o600])
    expect(sqlite3(file, 'pragma integrity_check; select file_name from job')).toBe('ok\na.pdf')
    const { items } = await world.context.events.list({ type: 'BackupCompleted' })
    expect(items[0]?.text).toMatch(/stored, \d+ bytes\. The master key file is not part of it/)
  })

  test('runs one at a time: backup.already-running; nothing to cancel: backup.not-running', async () => {
    const world = await startWithBackup()
    await fill(world)
    const [one, other] = await Promise.all([begin(world), begin(world)])
    const [admitted, refused] = one.status === 202 ? [one, other] : [other, one]
    expect(admitted.status).toBe(202)
    expect(await codeOf(refused)).toStrictEqual([409, 'backup.already-running'])
    await world.backup.idle()
    expect(await codeOf(await cancel(world))).toStrictEqual([409, 'backup.not-running'])
  })

  test('tells how far it is; meanwhile no writer waits, and the copy shows one moment', async () => {
    const world = await startWithBackup()
    await fill(world)
    await begin(world)
    const seen = new Set<number>()
    let enqueued = 0
    for (let now = await view(world); now.running; now = await view(world)) {
      seen.add(now.running.progress)
      await world.context.ledger.enqueue(newJob(), world.clock())
      enqueued += 1
    }
    expect([...seen].some((progress) => progress > 0 && progress <= 1)).toBe(true)
    const [run] = (await view(world)).runs
    const copied = sqlite3(join(folder(world), run!.fileName), 'pragma integrity_check; select count(*) from job')
    expect(copied).toMatch(/^ok\n\d+$/)
    expect(await world.store.db.selectFrom('job').select('id').execute()).toHaveLength(enqueued)
  })

  test('that is canceled leaves nothing behind and is recorded as Canceled', async () => {
    const world = await startWithBackup()
    await fill(world)
    const { runId } = (await (await begin(world)).json()) as { runId: string }
    const answer = await cancel(world)
    expect([answer.status, await answer.json()]).toStrictEqual([202, { runId }])
    await world.backup.idle()
    expect((await view(world)).runs).toMatchObject([{ result: 'Canceled', sizeBytes: null }])
    const [told] = (await world.context.events.list({ type: 'BackupCanceled' })).items
    expect(told).toMatchObject({ actor: 'api-key', address: '127.0.0.1' })
    expect(await files(world)).toStrictEqual([])
    const text = await (await world.call('GET', '/api/metrics')).text()
    expect(text).toMatch(/^bulk_backup_runs_total\{result="Canceled"\} 1$/m)
  })

  test('that cannot be written is recorded as Failed with the reason', async () => {
    const world = await startWithBackup()
    await writeFile(folder(world), 'a file where the folder should be')
    await begin(world)
    await world.backup.idle()
    expect((await view(world)).runs).toMatchObject([{ result: 'Failed', error: expect.stringContaining('EEXIST') }])
    const { items } = await world.context.events.list({ type: 'BackupFailed' })
    expect(items).toHaveLength(1)
  })

  test('feeds the metrics of backups, which know the last success after a restart', async () => {
    const world = await startWithBackup()
    await begin(world)
    await world.backup.idle()
    await world.stop()
    const again = await startWithBackup({ after: world })
    const text = await (await again.call('GET', '/api/metrics')).text()
    expect(text).toMatch(/^bulk_backup_last_size_bytes [1-9]\d+$/m)
    expect(text).toMatch(/^bulk_backup_last_success_timestamp_seconds 1772452800$/m)
  })

  test('keeps the newest RetainCount backups, and files that are not backups', async () => {
    const world = await startWorld({ settings: { Backup: { ...enabled.Backup, RetainCount: 2 } } })
    await mkdir(folder(world))
    const older = ['20250101T000000Z-00000001', '20260101T000000Z-00000003', '20250901T000000Z-00000002']
    for (const name of [...older.map((one) => `batch-signer-${one}.db`), 'batch-signer.db', 'notes.txt'])
      await writeFile(join(folder(world), name), 'old')
    await begin(world)
    await world.backup.idle()
    expect(await files(world)).toStrictEqual([
      'batch-signer-20260101T000000Z-00000003.db',
      expect.stringMatching(/^batch-signer-20260302T120000Z-/),
      'batch-signer.db',
      'notes.txt',
    ])
  })

  test('is not failed by old backups that cannot be removed: that is counted', async () => {
    const world = await startWorld({ settings: { Backup: { ...enabled.Backup, RetainCount: 1 } } })
    await mkdir(join(folder(world), 'batch-signer-20200101T000000Z-00000000.db'), { recursive: true })
    await begin(world)
    await world.backup.idle()
    expect((await view(world)).runs).toMatchObject([{ result: 'Succeeded' }])
    const text = await (await world.call('GET', '/api/metrics')).text()
    expect(text).toMatch(/^bulk_backup_prune_failures_total 1$/m)
  })
})

describe('backup.disabled', () => {
  test('is answered while Backup:Enabled is off', async () => {
    const world = await startWorld()
    expect(await codeOf(await begin(world))).toStrictEqual([409, 'backup.disabled'])
    expect(await codeOf(await cancel(world))).toStrictEqual([409, 'backup.disabled'])
    expect(await view(world)).toMatchObject({ supported: true, enabled: false, runs: [] })
  })

  test('is answered on PostgreSQL, which has its own tools', async () => {
    const world = await startWithBackup({ database: 'PostgreSQL' })
    expect(await codeOf(await begin(world))).toStrictEqual([409, 'backup.disabled'])
    expect(await codeOf(await cancel(world))).toStrictEqual([409, 'backup.disabled'])
    expect(await view(world)).toMatchObject({ supported: false, enabled: false })
  })
})

describe('the schedule', () => {
  const scheduled = { Backup: { ...enabled.Backup, IntervalHours: 6 } }
  const tick = async (world: World) => {
    await world.backup.tick()
    await world.backup.idle()
    return (await view(world)).runs.length
  }

  test('is due at once when there was no backup, then IntervalHours after the last success, whoever stops meanwhile', async () => {
    const world = await startWorld({ settings: scheduled })
    expect([await tick(world), await tick(world)]).toStrictEqual([1, 1])
    expect(await view(world)).toMatchObject({
      nextDueAtUtc: '2026-03-02T18:00:00.000Z',
      runs: [{ trigger: 'Scheduled', actor: 'schedule' }],
    })
    await world.stop()
    world.clock.advance(5 * HOUR)
    const again = await startWorld({ settings: scheduled, after: world })
    expect(await tick(again)).toBe(1)
    again.clock.advance(HOUR)
    expect(await tick(again)).toBe(2)
  })

  test('counts from the last success, and does not hammer after a failure', async () => {
    const world = await startWorld({ settings: scheduled })
    await writeFile(folder(world), 'in the way')
    expect(await tick(world)).toBe(1)
    world.clock.advance(MINUTE)
    expect(await tick(world)).toBe(1)
    await rm(folder(world))
    world.clock.advance(15 * MINUTE)
    expect(await tick(world)).toBe(2)
    expect((await view(world)).runs.map(({ result }) => result)).toStrictEqual(['Succeeded', 'Failed'])
  })

  test('does nothing without IntervalHours', async () => {
    const world = await startWithBackup()
    expect(await tick(world)).toBe(0)
  })
})

describe('the start', () => {
  test('refuses a Backup:Path inside a watched folder, processing, output, error or the database’s folder', async () => {
    for (const Path of [
      'batch-signer/input',
      'batch-signer/input/deep/er',
      'batch-signer/output',
      'batch-signer/error/x',
      'batch-signer/processing',
      'batch-signer/db',
    ])
      await expect(startWorld({ settings: { Backup: { Enabled: true, Path } } })).rejects.toThrow(
        /Backup:Path: .* lies in/,
      )
  })

  test('is not deceived by a link', async () => {
    const world = await startWorld()
    await symlink(join(world.dataFolder, 'batch-signer', 'output'), join(world.dataFolder, 'link'))
    await world.stop()
    const settings = { Backup: { Enabled: true, Path: 'link/backups' } }
    await expect(startWorld({ after: world, settings })).rejects.toThrow(/lies in the work folder output/)
  })

  test('ends runs a crash left without an end, and removes what they left', async () => {
    const world = await startWithBackup()
    await mkdir(folder(world))
    const run = {
      cause: 'Manual',
      actor: 'api-key',
      finished_at: null,
      result: null,
      size_bytes: null,
      error: null,
    } as const
    const done = 'batch-signer-20260302T110000Z-00000001.db'
    const cut = 'batch-signer-20260302T113000Z-00000002.db'
    await writeFile(join(folder(world), done), 'complete')
    for (const end of ['', '-journal']) await writeFile(join(folder(world), `${cut}.part${end}`), 'cut')
    const rows = [
      { ...run, id: 'a', started_at: '2026-03-02T11:00:00.000Z', file_name: done },
      { ...run, id: 'b', started_at: '2026-03-02T11:30:00.000Z', file_name: cut },
    ]
    await world.store.db.insertInto('backup_run').values(rows).execute()
    await world.stop()
    const again = await startWithBackup({ after: world })
    expect((await view(again)).runs.map(({ id, result }) => [id, result])).toStrictEqual([
      ['b', 'Failed'],
      ['a', 'Succeeded'],
    ])
    expect(await files(again)).toStrictEqual([done])
  })

  test('a stop during a backup ends it and records it', async () => {
    const world = await startWithBackup()
    await fill(world)
    await begin(world)
    await world.stop()
    const again = await startWithBackup({ after: world })
    expect((await view(again)).runs).toMatchObject([
      { result: 'Failed', error: 'The service stopped during the backup.' },
    ])
    expect(await files(again)).toStrictEqual([])
  })
})

describe('a backup that is restored', () => {
  test('is the store as it was, and the run that made it has succeeded', async () => {
    const world = await startWithBackup()
    await world.context.ledger.enqueue(newJob({ fileName: 'before.pdf' }), world.clock())
    await completeNext(world.context.ledger, world.clock())
    await begin(world)
    await world.backup.idle()
    const [run] = (await view(world)).runs
    await world.context.ledger.enqueue(newJob({ fileName: 'after.pdf' }), world.clock())
    const restored = await restoreBatchSigner({
      databaseUrl: 'sqlite:restored/batch-signer.db',
      dataFolder: world.dataFolder,
      from: join(folder(world), run!.fileName),
      now: world.clock(),
    })
    expect(restored.nextSteps[0]).toMatch(/master key file/)
    expect(sqlite3(restored.file, 'select file_name, status from job')).toBe('before.pdf|Completed')
    const database = { Url: `sqlite:${restored.file}` }
    await world.stop()
    const again = await startWorld({
      after: { ...world, store: { ...world.store, url: database.Url } },
      settings: enabled,
    })
    expect((await view(again)).runs).toMatchObject([{ id: run!.id, result: 'Succeeded', sizeBytes: run!.sizeBytes }])
  })

  test('is refused while the service runs', async () => {
    const world = await startWithBackup()
    await begin(world)
    await world.backup.idle()
    const [run] = (await view(world)).runs
    const from = join(folder(world), run!.fileName)
    const options = { databaseUrl: world.store.url, dataFolder: world.dataFolder, from, now: world.clock() }
    await expect(restoreBatchSigner(options)).rejects.toThrow(/is in use; stop batch-signer and restore again/)
    expect(await world.store.db.selectFrom('job').selectAll().execute()).toStrictEqual([])
  })
})
