import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { renderDocument } from './markdown.ts'
import type { BenchmarkRun } from './result.ts'

/** Puts a run first and removes the benchmarks it repeats from the earlier ones, so that each is recorded once. */
export function mergeRuns(earlier: readonly BenchmarkRun[], latest: BenchmarkRun): BenchmarkRun[] {
  const repeated = new Set(latest.results.map(({ name }) => name))
  const kept = earlier.map(({ setting, results }) => ({
    setting,
    results: results.filter(({ name }) => !repeated.has(name)),
  }))
  return [latest, ...kept.filter(({ results }) => results.length > 0)]
}

/** Writes the run into `benchmarks.json` and `benchmarks.md` of a folder, next to the results of other runs. */
export async function recordRun(folder: string, run: BenchmarkRun): Promise<void> {
  await mkdir(folder, { recursive: true })
  const runs = mergeRuns(await readRuns(join(folder, 'benchmarks.json')), run)
  await writeFile(join(folder, 'benchmarks.json'), `${JSON.stringify({ runs }, shortNumbers, 2)}\n`)
  await writeFile(join(folder, 'benchmarks.md'), renderDocument(runs))
}

async function readRuns(file: string): Promise<BenchmarkRun[]> {
  try {
    return (JSON.parse(await readFile(file, 'utf8')) as { runs: BenchmarkRun[] }).runs
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [] // the first run ever
    throw error
  }
}

// Fifteen digits of a wall time are noise that would fill every diff.
const shortNumbers = (_key: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value
