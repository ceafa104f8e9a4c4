import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutant, Population } from './population.ts'
import { probed, stretchId } from './reach.ts'
import type { TestBench, TestedFile } from './test-bench.ts'

/** The tests of a package without a mutant: how long each file takes and which code it runs. */
export interface Baseline {
  /** Quick test files that run the code of a mutant, those nearest to its module first. */
  testsFor(mutant: Mutant): readonly QuickTest[]
  readonly quick: number
}

export interface QuickTest {
  readonly test: string
  readonly milliseconds: number
}

export async function takeBaseline(
  root: string,
  population: Population,
  bench: TestBench,
  slowest: number,
): Promise<Baseline> {
  const planted = probedModules(root, population.mutants)
  const { files } = await bench.measure(population.tests, planted)
  const quick = files.filter(({ passed, milliseconds }) => passed && milliseconds <= slowest).map(whatItReaches)
  return {
    testsFor: (mutant) => nearestFirst(population, mutant, quick),
    quick: quick.length,
  }
}

function probedModules(root: string, mutants: readonly Mutant[]): ReadonlyMap<string, string> {
  const modules = [...new Set(mutants.map(({ module }) => module))]
  return new Map(
    modules.map((module) => {
      const stretches = mutants.filter((mutant) => mutant.module === module).map(({ stretch }) => stretch)
      return [module, probed(module, readFileSync(join(root, module), 'utf8'), stretches)]
    }),
  )
}

const whatItReaches = ({ test, milliseconds, reached }: TestedFile) => ({
  test,
  milliseconds,
  reached: new Set(reached),
})

function nearestFirst(
  { graph }: Population,
  mutant: Mutant,
  quick: readonly ReturnType<typeof whatItReaches>[],
): readonly QuickTest[] {
  const id = stretchId(mutant.module, mutant.stretch)
  // Files share a process: only the first of them sees the code that runs when a module is loaded.
  const { atLoad } = mutant.stretch
  return quick
    .filter(({ test, reached }) => reached.has(id) || (atLoad && graph.reachOf(test).has(mutant.module)))
    .map((one) => ({ ...one, distance: graph.reachOf(one.test).get(mutant.module) ?? Number.POSITIVE_INFINITY }))
    .toSorted((a, b) => a.distance - b.distance || a.milliseconds - b.milliseconds)
}
