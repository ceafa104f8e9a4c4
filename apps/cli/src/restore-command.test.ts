import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServiceDefinition } from '@chancela/service-kernel/service'
import { testClock } from '@chancela/testkit/clock'
import { sampleService } from '@chancela/testkit/sample-service'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runCli } from './index.ts'
import { services } from './services.ts'

// Only the name and the settings matter here: the database is at `sqlite:sample/store.db`.
const batchSigner = { ...sampleService, name: 'batch-signer', surfaces: [] }

async function restore(
  data: string,
  args: readonly string[],
  known: readonly ServiceDefinition[] = [batchSigner, sampleService],
) {
  const lines = { out: [] as string[], err: [] as string[] }
  const code = await runCli(['restore', '--data', data, ...args], {
    services: known,
    environment: {},
    clock: testClock(),
    print: (text) => void lines.out.push(text),
    log: (text) => void lines.err.push(text),
  })
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') }
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chancela-restore-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A store with the tables of a batch signer that a restore checks. */
function makeStore(file: string, marker: string): string {
  const steps = `insert into schema_migration values ('events', 1, 'audit-event', 0, ''), ('batch-signer', 1, 'pipeline', 0, '')`
  execFileSync('sqlite3', [
    file,
    `pragma journal_mode = wal;
     create table schema_migration (owner text, id integer, name text, breaking integer, applied_at text);
     ${steps}; create table marker (text); insert into marker values ('${marker}')`,
  ])
  return file
}

const markerIn = (file: string) =>
  execFileSync('sqlite3', [file, 'select text from marker'], { encoding: 'utf8' }).trim()

function stoppedService() {
  const data = temporaryFolder()
  mkdirSync(join(data, 'sample'))
  return {
    data,
    store: makeStore(join(data, 'sample', 'store.db'), 'now'),
    backup: makeStore(join(data, 'b.db'), 'then'),
  }
}

/** Processes start slowly on a busy machine. */
const patient = { timeout: 120_000 }

const KEY = 'operator-key-of-the-restore'

/** The real batch signer in a process of its own; returns its URL and a function that stops it. */
async function startBatchSigner(data: string) {
  // Compiled, as in production: from source it takes seconds to load.
  const program = join(import.meta.dirname, '../bin/chancela.mjs')
  const child = spawn(process.execPath, [program, 'start', 'batch-signer', '--data', data], {
    env: {
      ...process.env,
      CHANCELA__BATCH_SIGNER__HTTP__PORT: '0',
      CHANCELA__BATCH_SIGNER__COMPACT__PORT: '0',
      CHANCELA__BATCH_SIGNER__AUTH__APIKEY: KEY,
      CHANCELA__BATCH_SIGNER__BACKUP__ENABLED: 'true',
      CHANCELA__BATCH_SIGNER__BACKUP__PATH: 'backups',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let told = ''
  child.stderr.on('data', (chunk) => {
    told += chunk
  })
  await expect.poll(() => told, patient).toMatch(/batch-signer +http/)
  const url = /batch-signer +(http\S+)/.exec(told)![1]!
  const call = async (method: string, path: string) =>
    (await fetch(`${url}${path}`, { method, headers: { 'X-API-Key': KEY } })).json() as Promise<Record<string, unknown>>
  const kill = async () => {
    child.kill('SIGKILL')
    await once(child, 'close')
  }
  return { call, kill }
}

test(
  'a backup of the running service is restored after the service was killed, and has the state of its time',
  patient,
  async () => {
    const data = temporaryFolder()
    const service = await startBatchSigner(data)
    await service.call('POST', '/api/pipeline/pause')
    await service.call('POST', '/api/backup')
    await expect
      .poll(() => service.call('GET', '/api/backup'), patient)
      .toMatchObject({ runs: [{ result: 'Succeeded' }] })
    await service.call('POST', '/api/pipeline/resume')
    const from = join(data, 'backups', readdirSync(join(data, 'backups'))[0]!)
    const inUse = await restore(data, ['--service', 'batch-signer', '--from', from], services)
    expect([inUse.code, inUse.err]).toStrictEqual([1, expect.stringMatching(/is in use; stop batch-signer/)])
    await service.kill()
    expect((await restore(data, ['--service', 'batch-signer', '--from', from], services)).code).toBe(0)
    const restored = join(data, 'batch-signer', 'db', 'batch-signer.db')
    const states = execFileSync('sqlite3', [restored, 'pragma integrity_check; select paused from pipeline_state'])
    expect(states.toString()).toBe('ok\n1\n')
  },
)

describe('chancela restore', () => {
  test('puts the backup in place, keeps what was there and says what to do next', async () => {
    const { data, store, backup } = stoppedService()
    const { code, out, err } = await restore(data, ['--service', 'batch-signer', '--from', backup])
    expect([code, markerIn(store)]).toStrictEqual([0, 'then'])
    const aside = `${store}.before-restore-20260302T120000Z`
    expect(out).toBe(`batch-signer: restored ${store} from ${backup}.\nWhat was there before is ${aside}.`)
    expect(markerIn(aside)).toBe('now')
    expect(err).toMatch(/^Next:\n {2}1\. Put the master key file/)
    expect(existsSync(backup)).toBe(true)
  })

  test('refuses while another process has the store open, and changes nothing', async () => {
    const { data, store, backup } = stoppedService()
    const service = spawn('sqlite3', [store], { stdio: ['pipe', 'pipe', 'inherit'] })
    onTestFinished(() => void service.kill())
    service.stdin.write('select text from marker;\n')
    await once(service.stdout, 'data')
    const { code, err } = await restore(data, ['--service', 'batch-signer', '--from', backup])
    expect([code, err]).toStrictEqual([1, expect.stringMatching(/is in use; stop batch-signer and restore again\.$/)])
    expect([
      markerIn(store),
      readdirSync(join(data, 'sample')).filter((name) => name.includes('restor')),
    ]).toStrictEqual(['now', []])
  })

  test('refuses a file that is no backup of the service', async () => {
    const { data, store } = stoppedService()
    const { code, err } = await restore(data, ['--service', 'batch-signer', '--from', join(data, 'absent.db')])
    expect([code, err]).toStrictEqual([1, expect.stringMatching(/absent\.db cannot be read \(ENOENT\)/)])
    expect(markerIn(store)).toBe('now')
  })

  test('refuses a service that makes no backups', async () => {
    const { data, backup } = stoppedService()
    const { code, err } = await restore(data, ['--service', 'sample', '--from', backup])
    expect([code, err]).toStrictEqual([1, 'sample makes no backups of its own.'])
  })
})
