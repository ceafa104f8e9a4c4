import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { RunSetting } from './machine.ts'
import { formatFigure, renderBenchmark, renderDocument } from './markdown.ts'
import type { BenchmarkResult, ContestantResult } from './result.ts'
import { mergeRuns, recordRun } from './run-record.ts'

const always = (value: number) => ({ median: value, min: value, max: value })

const setting: RunSetting = {
  date: '2026-09-30T12:34:56.789Z',
  commit: '0123456789',
  code: 'compiled',
  cpu: 'Neoverse-N1',
  cores: 2,
  memoryGb: 23,
  system: 'Debian GNU/Linux 12 (bookworm), Linux 6.18, arm64',
  flushMicroseconds: 62,
  versions: { Node: '20.20.2', SQLite: '3.53.0' },
}

const contestant = (name: string, more: Partial<ContestantResult> = {}): ContestantResult => ({
  name,
  against: 'bare Fastify',
  value: always(8001),
  cpuMsPerOperation: always(0.125),
  ratio: always(1),
  cpuRatio: always(1),
  figures: {},
  samples: [],
  ...more,
})

const resultOf = (more: Partial<BenchmarkResult> = {}): BenchmarkResult => ({
  name: 'http',
  title: 'A JSON route',
  question: 'What does a request pay for the kernel?',
  compares: { measure: 'rate', unit: 'requests/s' },
  figures: [],
  notes: [],
  rounds: 3,
  sampleSeconds: 3,
  gated: true,
  contestants: [contestant('bare Fastify'), contestant('kernel', kernel)],
  targets: [],
  ...more,
})

const kernel = {
  value: { median: 5600.4, min: 5500, max: 5712.6 },
  cpuMsPerOperation: always(0.1786),
  ratio: always(0.7),
  cpuRatio: always(0.65),
}

describe('the report', () => {
  test('shows the question, the table with its reference, and under what conditions it was measured', () => {
    expect(renderBenchmark(resultOf({ notes: ['load by wrk'] }))).toBe(
      `### A JSON route

What does a request pay for the kernel?

| Contestant   | requests/s |  min to max | cpu ms each |     ratio | cpu ratio |
| ------------ | ---------: | ----------: | ----------: | --------: | --------: |
| bare Fastify |      8,001 | 8,001–8,001 |       0.125 | reference |           |
| kernel       |      5,600 | 5,500–5,713 |       0.179 |      0.70 |      0.65 |

- load by wrk
- 3 rounds of 3 s each`,
    )
  })

  test('says of each target whether it was met, with what was measured', () => {
    const text = renderBenchmark(
      resultOf({
        targets: [
          { contestant: 'kernel', measure: 'ratio', atLeast: 0.6, measured: 0.7, met: true },
          { contestant: 'kernel', measure: 'rate', atLeast: 6000, measured: 5600, met: false },
          { contestant: 'kernel', measure: 'p99 ms', atMost: 9.5, measured: 9.4999, met: true },
        ],
      }),
    )
    expect(text).toContain('- **met**: kernel, ratio to bare Fastify ≥ 0.6 (measured 0.7)')
    expect(text).toContain('- **missed**: kernel, requests/s ≥ 6000 (measured 5,600)')
    expect(text).toContain('- **met**: kernel, p99 ms ≤ 9.5 (measured 9.5)')
  })

  test('gives each further figure a column, with a dash where a contestant has none', () => {
    const contestants = [
      contestant('bare Fastify'),
      contestant('kernel', { figures: { 'claims per trip': always(97.25) } }),
    ]
    const text = renderBenchmark(resultOf({ contestants, figures: ['claims per trip'] }))
    expect(text).toMatch(/^\| bare Fastify .* – \| reference \| +\|$/m)
    expect(text).toMatch(/^\| kernel .* 97\.3 \| +1\.00 \| +1\.00 \|$/m)
  })

  test('shows no cpu column for a measure that is no rate', () => {
    expect(renderBenchmark(resultOf({ compares: { measure: 'RSS', unit: 'MB' } }))).not.toContain('cpu ms')
  })

  test('admits disturbed samples and runs without gating', () => {
    const sample = { operations: 1, wallMs: 1, cpuMs: 1, figures: {}, foreignCores: 0.1, disturbed: false }
    const samples = [sample, { ...sample, foreignCores: 1.456, disturbed: true }, sample]
    const text = renderBenchmark(resultOf({ gated: false, contestants: [contestant('bare Fastify', { samples })] }))
    expect(text).toContain('- 3 rounds of 3 s each, without waiting for a quiet machine')
    expect(text).toContain('- 1 of 3 samples of bare Fastify disturbed: others used up to 1.46 core')
  })

  test('heads every run with date, machine, versions and commit', () => {
    const text = renderDocument([{ setting, results: [resultOf()] }])
    expect(text).toContain('## Run of 2026-09-30 12:34 UTC')
    expect(text).toContain('- Machine: Neoverse-N1, 2 cores, 23 GB; Debian GNU/Linux 12 (bookworm), Linux 6.18, arm64')
    expect(text).toContain('- Disk: a durable flush takes 62 µs')
    expect(text).toContain('- Versions: Node 20.20.2, SQLite 3.53.0')
    expect(text).toContain('- Code: commit 0123456789, compiled')
  })

  test.each([
    [17_900.4, '17,900'],
    [583, '583'],
    [99.95, '100'],
    [52.345, '52.3'],
    [0.1249, '0.125'],
    [0.6, '0.6'],
    [0, '0'],
  ])('writes %d as %s', (value, text) => {
    expect(formatFigure(value)).toBe(text)
  })
})

describe('the record of runs', () => {
  const run = (date: string, ...names: string[]) => ({
    setting: { ...setting, date },
    results: names.map((name) => resultOf({ name })),
  })
  const outline = (runs: ReturnType<typeof mergeRuns>) =>
    runs.map(({ setting, results }) => [setting.date, ...results.map(({ name }) => name)])

  test('shows each benchmark once, as last measured', () => {
    const merged = mergeRuns(
      [run('2026-01-01', 'http', 'memory'), run('2025-12-01', 'store')],
      run('2026-02-01', 'http'),
    )
    expect(outline(merged)).toEqual([
      ['2026-02-01', 'http'],
      ['2026-01-01', 'memory'],
      ['2025-12-01', 'store'],
    ])
  })

  test('forgets a run of which everything was measured again', () => {
    expect(outline(mergeRuns([run('2026-01-01', 'http')], run('2026-02-01', 'http', 'memory')))).toEqual([
      ['2026-02-01', 'http', 'memory'],
    ])
  })

  test('keeps earlier benchmarks in both files, and refuses to overwrite a record it cannot read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chancela-record-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await recordRun(folder, run('2026-01-01T00:00:00.000Z', 'memory'))
    await recordRun(folder, run('2026-02-01T00:00:00.000Z', 'http'))
    const document = await readFile(join(folder, 'benchmarks.md'), 'utf8')
    expect(document.match(/^## Run of .*$/gm)).toEqual([
      '## Run of 2026-02-01 00:00 UTC',
      '## Run of 2026-01-01 00:00 UTC',
    ])

    await writeFile(join(folder, 'benchmarks.json'), 'half a fi')
    await expect(recordRun(folder, run('2026-03-01T00:00:00.000Z', 'http'))).rejects.toThrow(SyntaxError)
    expect(await readFile(join(folder, 'benchmarks.json'), 'utf8')).toBe('half a fi')
  })
})
