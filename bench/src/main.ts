// `npm run bench`: runs the benchmarks and prints (or records) what they found.
import { fileURLToPath } from 'node:url'
import { type BenchCommand, choose, parseCommandLine, UsageProblem, usage } from './command-line.ts'
import type { Benchmark } from './harness/benchmark.ts'
import { procCpuTimes } from './harness/cpu-time.ts'
import { describeSetting } from './harness/machine.ts'
import { renderRun } from './harness/markdown.ts'
import { runsFromSource } from './harness/program.ts'
import { defaultPatience, noPatience } from './harness/quiet.ts'
import type { BenchmarkResult, BenchmarkRun } from './harness/result.ts'
import { runBenchmark } from './harness/run-benchmark.ts'
import { recordRun } from './harness/run-record.ts'
import { type BenchScene, openScene } from './scene.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

// The benchmarks take seconds to load; a wrong command line is reported at once.
const benchmarksOn = async (scene: BenchScene) => (await import('./benches/all-benchmarks.ts')).allBenchmarks(scene)

const actions: Record<BenchCommand['action'], (command: BenchCommand, scene: BenchScene) => Promise<void>> = {
  help: async () => void process.stdout.write(usage),
  list: async (_, scene) => void process.stdout.write(list(await benchmarksOn(scene))),
  run: async (command, scene) => {
    const run = await measure(command, scene)
    process.stdout.write(`${renderRun(run)}\n`)
  },
}

async function measure(command: BenchCommand, scene: BenchScene): Promise<BenchmarkRun> {
  const code = runsFromSource ? 'source' : 'compiled'
  const setting = describeSetting({ now: new Date(), root, code, scratchFolder: scene.folder })
  const options = {
    ...command,
    times: procCpuTimes(),
    patience: command.ungated ? noPatience : defaultPatience,
    progress: (line: string) => void process.stderr.write(`${line}\n`),
  }
  const results: BenchmarkResult[] = []
  const soFar = async (): Promise<BenchmarkRun> => {
    const versions = { ...setting.versions, ...(await scene.versions()) }
    return { setting: { ...setting, versions }, results: [...results] }
  }
  for (const benchmark of choose(await benchmarksOn(scene), command.only)) {
    results.push(await runBenchmark(benchmark, options))
    // At once: a later benchmark that fails must not lose an hour of measurements.
    if (command.record) await recordRun(command.record, await soFar())
  }
  return soFar()
}

function list(benchmarks: readonly Benchmark[]): string {
  const width = Math.max(...benchmarks.map(({ name }) => name.length))
  return benchmarks.map(({ name, question }) => `${name.padEnd(width)}  ${question}\n`).join('')
}

async function main(): Promise<void> {
  const command = parseCommandLine(process.argv.slice(2), fileURLToPath(new URL('../../docs', import.meta.url)))
  const scene = await openScene(root)
  process.once('SIGINT', () => void scene.close().finally(() => process.exit(130)))
  try {
    await actions[command.action](command, scene)
  } finally {
    await scene.close()
  }
}

try {
  await main()
} catch (error) {
  if (!(error instanceof UsageProblem)) throw error
  process.stderr.write(`${error.message}\n\n${usage}`)
  process.exitCode = 2
}
