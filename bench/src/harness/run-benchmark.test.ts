import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Benchmark, Contestant, Runner } from './benchmark.ts'
import type { CpuTimes } from './cpu-time.ts'
import { procCpuTimes } from './cpu-time.ts'
import { describeSetting } from './machine.ts'
import { noPatience } from './quiet.ts'
import { repeatFor } from './repeat.ts'
import type { BenchmarkRun } from './result.ts'
import { runBenchmark } from './run-benchmark.ts'
import { recordRun } from './run-record.ts'

/** A contestant that always works at the given rate, whatever the machine does. */
const steady = (
  name: string,
  perSecond: number,
  more: Partial<Contestant> & { diary?: string[] } = {},
): Contestant => ({
  cores: 1,
  setUp: async () => steadyRunner(name, perSecond, more.diary),
  ...more,
  name,
})

function steadyRunner(name: string, perSecond: number, diary: string[] = []): Runner {
  let turn = 0
  return {
    prepare: async () => void diary.push(`prepare ${name}`),
    run: async (forMs) => {
      diary.push(`run ${name} ${forMs}`)
      turn++
      return { operations: perSecond, wallMs: 1000, figures: { 'rows each': perSecond / 10, turn } }
    },
    tearDown: async () => void diary.push(`end ${name}`),
  }
}

const benchmark = (contestants: Contestant[], more: Partial<Benchmark> = {}): Benchmark => ({
  name: 'pace',
  title: 'Pace',
  question: 'Who is faster?',
  compares: { measure: 'rate', unit: 'steps/s' },
  reference: 'bare',
  contestants,
  targets: [],
  sampleSeconds: 0.05,
  ...more,
})

const ungated = { times: undefined, rounds: 2 }

/** CPU times of a machine where others burn 10^exponent milliseconds (nothing for 0) in each watched piece of work. */
function machineWithForeign(...exponents: number[]): CpuTimes & { readings: number } {
  const machine = {
    readings: 0,
    busy: 0,
    endedChildrenMs: () => 0,
    treeMs: () => 0,
    mainThreadMs: () => 0,
    machineBusyMs,
  }
  // Every second reading ends a watched piece of work.
  function machineBusyMs() {
    machine.readings++
    const exponent = exponents[machine.readings / 2 - 1]
    machine.busy += exponent ? 10 ** exponent : 0
    return machine.busy
  }
  return machine
}

describe('a benchmark', () => {
  test('runs the reference first, then each contestant once, in every round, after a warm-up', async () => {
    const diary: string[] = []
    const contestants = [steady('kernel', 60, { diary }), steady('bare', 100, { diary })]
    await runBenchmark(benchmark(contestants, { sampleSeconds: 0.5 }), ungated)
    const round = ['prepare bare', 'run bare 500', 'prepare kernel', 'run kernel 500']
    const warmUp = ['prepare bare', 'run bare 400', 'prepare kernel', 'run kernel 400']
    expect(diary).toEqual([...warmUp, ...round, ...round, 'end bare', 'end kernel'])
  })

  test('warms up as long as it asks, a cut sample at most, and not at all when told', async () => {
    const runs = async (more: Partial<Benchmark>, cut: { sampleSeconds?: number } = {}) => {
      const diary: string[] = []
      await runBenchmark(benchmark([steady('bare', 9, { diary })], more), { ...ungated, ...cut, rounds: 1 })
      return diary.filter((entry) => entry.startsWith('run'))
    }
    expect(await runs({ sampleSeconds: 0.05, warmUpMs: 90 })).toEqual(['run bare 90', 'run bare 50'])
    expect(await runs({ sampleSeconds: 1 }, { sampleSeconds: 0.05 })).toEqual(['run bare 50', 'run bare 50'])
    expect(await runs({ sampleSeconds: 0.05, warmUpMs: 0 })).toEqual(['run bare 50'])
  })

  test('reports rates, ratios to the reference of the same rounds, figures and verdicts', async () => {
    const result = await runBenchmark(
      benchmark([steady('bare', 100), steady('kernel', 60)], {
        figures: ['rows each'],
        targets: [
          { contestant: 'kernel', measure: 'ratio', atLeast: 0.6 },
          { contestant: 'kernel', measure: 'ratio', atLeast: 0.61 },
          { contestant: 'kernel', measure: 'rows each', atMost: 6 },
          { contestant: 'kernel', measure: 'rate', atMost: 59 },
        ],
      }),
      ungated,
    )
    expect(result.contestants.map(({ name, value, ratio }) => [name, value.median, ratio.median])).toEqual([
      ['bare', 100, 1],
      ['kernel', 60, 0.6],
    ])
    expect(result.contestants[1]?.figures['rows each']?.median).toBe(6)
    expect(result.targets.map(({ met }) => met)).toEqual([true, false, true, false])
    expect(result.gated).toBe(false)
  })

  test('compares a contestant with a reference of its own when it names one', async () => {
    const contestants = [
      steady('bare', 100),
      steady('bare, ten', 500),
      steady('kernel, ten', 250, { against: 'bare, ten' }),
    ]
    const result = await runBenchmark(benchmark(contestants), ungated)
    expect(result.contestants[2]?.ratio.median).toBe(0.5)
  })

  test('tears down what was started when a later contestant cannot start', async () => {
    const diary: string[] = []
    const broken = steady('kernel', 1, { setUp: () => Promise.reject(new Error('no such port')) })
    await expect(runBenchmark(benchmark([steady('bare', 1, { diary }), broken]), ungated)).rejects.toThrow(
      'no such port',
    )
    expect(diary).toEqual(['end bare'])
  })

  test('refuses a contestant that did nothing instead of reporting a rate', async () => {
    await expect(runBenchmark(benchmark([steady('bare', 0)], { warmUpMs: 0 }), ungated)).rejects.toThrow('did nothing')
  })

  test.each<[string, Partial<Benchmark>]>([
    ['target', { targets: [{ contestant: 'kernal', measure: 'ratio', atLeast: 1 }] }],
    ['reference', { reference: 'kernal' }],
    ['reference of one contestant', { contestants: [steady('bare', 1), steady('kernel', 1, { against: 'kernal' })] }],
  ])('refuses, before it starts anything, a %s that is no contestant', async (_, misnamed) => {
    const diary: string[] = []
    const declared = benchmark([steady('bare', 1, { diary })], misnamed)
    await expect(runBenchmark(declared, ungated)).rejects.toThrow('kernal')
    expect(diary).toEqual([])
  })

  test('runs every reference directly before those it is compared with', async () => {
    const against = { against: 'bare, ten' }
    const contestants = [
      steady('kernel, ten', 1, against),
      steady('kernel', 1),
      steady('bare, ten', 1, against),
      steady('bare', 1),
    ]
    const result = await runBenchmark(benchmark(contestants), { ...ungated, rounds: 1 })
    expect(result.contestants.map(({ name }) => name)).toEqual(['bare', 'kernel', 'bare, ten', 'kernel, ten'])
  })

  test('repeats a disturbed sample until one is undisturbed', async () => {
    const diary: string[] = []
    const times = machineWithForeign(8, 8, 0)
    const options = { times, rounds: 1, patience: { waitSeconds: 0, tries: 6 } }
    const result = await runBenchmark(benchmark([steady('bare', 9, { diary })], { warmUpMs: 0 }), options)
    expect(diary.filter((entry) => entry === 'run bare 50')).toHaveLength(3)
    expect(result.contestants[0]?.samples).toMatchObject([{ disturbed: false, foreignCores: 0 }])
  })

  test('keeps the least disturbed sample when it never gets quiet, and says that it was disturbed', async () => {
    const diary: string[] = []
    const options = { times: machineWithForeign(12, 8, 12), rounds: 1, patience: { waitSeconds: 0, tries: 3 } }
    const result = await runBenchmark(benchmark([steady('bare', 9, { diary })], { warmUpMs: 0 }), options)
    expect(diary.filter((entry) => entry === 'run bare 50')).toHaveLength(3)
    expect(result.contestants[0]?.samples).toMatchObject([{ disturbed: true, figures: { turn: 2 } }])
  })

  test('takes no notice of others for a figure that is not a time', async () => {
    const options = { times: machineWithForeign(8, 8), rounds: 1, patience: { waitSeconds: 0, tries: 6 } }
    const result = await runBenchmark(benchmark([steady('bare', 9, { cores: 0 })], { warmUpMs: 0 }), options)
    expect(result.contestants[0]?.samples).toMatchObject([{ disturbed: false }])
  })

  test('waits for quiet before a sample', async () => {
    const times = machineWithForeign(8, 0, 0)
    const options = { times, rounds: 1, patience: { waitSeconds: 60, tries: 1 } }
    await runBenchmark(benchmark([steady('bare', 9)], { warmUpMs: 0 }), options)
    expect(times.readings).toBe(2 * 3) // a probe that found others busy, a quiet probe, the sample
  })
})

describe('repeating work for a time', () => {
  test('adds up what every turn did, and stops when nothing is left to do', async () => {
    const stock = [5, 3, 2]
    expect(await repeatFor(60_000, async () => stock.shift() ?? 0)).toEqual({ operations: 10 })
  })
})

describe('a whole run', () => {
  const busy = (name: string, rounds: number): Contestant => ({
    name,
    cores: 1,
    setUp: async () => ({
      run: (forMs) => repeatFor(forMs, () => countTo(rounds)),
      tearDown: async () => {},
    }),
  })

  const countTo = (end: number): number => {
    let count = 0
    for (let turn = 0; turn < end; turn++) count += Math.sqrt(turn) >= 0 ? 1 : 0
    return count > 0 ? 1 : 0
  }

  test('measures two contestants for real and writes a table and JSON that tell the same', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chancela-bench-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const measured = benchmark([busy('bare', 1000), busy('kernel', 4000)], {
      targets: [{ contestant: 'kernel', measure: 'ratio', atLeast: 0.000001 }],
      warmUpMs: 20,
    })
    const setting = describeSetting({ now: new Date(), root: folder, code: 'source', scratchFolder: folder })
    const progress: string[] = []
    const result = await runBenchmark(measured, {
      times: procCpuTimes(),
      patience: noPatience,
      progress: (line) => progress.push(line),
    })
    await recordRun(folder, { setting, results: [result] })

    const { runs } = JSON.parse(await readFile(join(folder, 'benchmarks.json'), 'utf8')) as { runs: BenchmarkRun[] }
    const [bare, kernel] = runs[0]?.results[0]?.contestants ?? []
    expect([bare?.samples.length, kernel?.samples.length]).toEqual([3, 3])
    for (const sample of [...(bare?.samples ?? []), ...(kernel?.samples ?? [])]) {
      expect(sample.operations).toBeGreaterThan(0)
      expect(sample.wallMs).toBeGreaterThanOrEqual(50)
      expect(sample.cpuMs).toBeGreaterThan(0)
    }
    const document = await readFile(join(folder, 'benchmarks.md'), 'utf8')
    expect(document).toMatch(/^\| Contestant \| +steps\/s \|/m)
    expect(document).toMatch(/^\| bare +\| .* \| +reference \| +\|$/m)
    expect(document).toMatch(/^- \*\*met\*\*: kernel, ratio to bare ≥ 0.000001/m)
    expect(progress).toContain('pace: round 3 of 3, kernel')
  })
})
