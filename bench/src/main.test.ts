import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { BenchmarkRun } from './harness/result.ts'

async function bench(...args: string[]) {
  // Compiled, as `npm run bench` runs it: from source every process takes seconds to load.
  const program = fileURLToPath(new URL('../dist/main.js', import.meta.url))
  const child = spawn(process.execPath, ['--expose-gc', program, ...args])
  const [output, problems, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { output, problems, code: code as number }
}

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'chancela-bench-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** All of them take minutes even at their shortest; `npm run bench` runs them all. */
const oneOfEachKind = [
  'http',
  'store-insert-sqlite',
  'store-claim-postgresql',
  'memory',
  'signatures-cms',
  'batch-latency',
  'webhooks-latency',
]

const all = [
  'http',
  'store-insert-sqlite',
  'store-claim-sqlite',
  'store-insert-postgresql',
  'store-claim-postgresql',
  'memory',
  'signatures-pdf',
  'signatures-cms',
  'signatures-xml',
  'signatures-validation',
  'signatures-two-cores',
  'signatures-revocation-list',
  'signatures-large-file',
  'batch-folder',
  'batch-latency',
  'batch-backlog',
  'batch-large-file',
  'batch-job-list',
  'webhooks-throughput',
  'webhooks-latency',
  'webhooks-purge',
  'documents-sign',
  'documents-list',
  'credentials-degree',
  'credentials-judging',
  'credentials-public',
  'credentials-search',
  'credentials-import',
  'sessions-sign',
  'sessions-load',
  'sessions-memory',
  'sessions-agents',
  'hub-sign',
  'hub-discovery',
  'hub-memory',
  'hub-sweep',
  'pki-core-authentication',
  'pki-core-signatures',
  'pki-core-chain',
  'loop-start',
]

describe('the bench program', () => {
  test('runs one benchmark of each kind for real, prints the tables and records them', {
    timeout: 480_000,
  }, async () => {
    const folder = await emptyFolder()
    const quickly = ['--rounds', '1', '--seconds', '0.1', '--ungated']
    const { output, problems, code } = await bench(...quickly, ...oneOfEachKind, '--docs', folder)
    expect(code, problems).toBe(0)

    const { runs } = JSON.parse(await readFile(join(folder, 'benchmarks.json'), 'utf8')) as { runs: BenchmarkRun[] }
    const results = runs[0]?.results ?? []
    expect(results.map(({ name }) => name)).toEqual(oneOfEachKind)
    for (const { value, ratio } of results.flatMap(({ contestants }) => contestants)) {
      expect(value.median).toBeGreaterThan(0)
      expect(ratio.median).toBeGreaterThan(0)
    }
    expect(Object.keys(runs[0]?.setting.versions ?? {})).toEqual(['Node', 'OpenSSL', 'SQLite', 'PostgreSQL'])
    // A batch is one round trip on both sides, at any speed of the machine.
    const claims = results.find(({ name }) => name === 'store-claim-postgresql')
    const trips = claims?.contestants.map(({ name, figures }) => [name, figures['jobs per round trip']?.median])
    expect(trips).toContainEqual(['bare driver, 1 at a time', 1])
    expect(trips).toContainEqual(['kernel, 10 at a time', 10])

    expect(output).toMatch(/^\| kernel route +\|/m)
    const document = await readFile(join(folder, 'benchmarks.md'), 'utf8')
    expect(document).toContain(output.trim())
    expect((await readdir(folder)).sort()).toEqual(['benchmarks.json', 'benchmarks.md'])
  })

  test('says in one sentence what is wrong with a command line, and how to write it', async () => {
    const { problems, output, code } = await bench('--rounds', 'many')
    expect(code).toBe(2)
    expect(problems).toContain('--rounds needs a positive number, not "many".')
    expect(problems).toContain('Usage: npm run bench')
    expect(output).toBe('')
  })

  test('lists the benchmarks without running any', async () => {
    const { output, code } = await bench('--list')
    expect(code).toBe(0)
    expect(output).toMatch(/^http {2,}What does a JSON POST pay/m)
    expect(output.match(/^[a-z][a-z0-9-]+(?= {2,})/gm)).toEqual(all)
  })
})
