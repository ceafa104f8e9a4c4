import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Baseline, takeBaseline } from './baseline.ts'
import { inTurn } from './draw.ts'
import { type JudgedMutant, type JudgeTerms, judgeMutant } from './judge-mutant.ts'
import { withChange } from './module-mutants.ts'
import type { MeasuredPackage } from './packages.ts'
import { type Mutant, populationOf } from './population.ts'
import type { TestBench } from './test-bench.ts'
import { TypeJudge } from './type-judge.ts'

/** The result of one package. */
export interface Measured {
  readonly name: string
  readonly modules: number
  readonly quickTests: number
  readonly slowTests: number
  /** Of all mutants of its pure modules: those whose code some quick test runs. The sample is drawn from these. */
  readonly mutants: number
  readonly reached: number
  readonly refusedByTypes: number
  readonly judged: readonly JudgedMutant[]
}

export interface MeasureOptions extends JudgeTerms {
  readonly seed: number
  /** A test file that takes longer is not among the quick ones; milliseconds. */
  readonly slowest: number
  /** Whether it is worth trying: what was slow in the last run is slow again. */
  mayBeQuick(test: string): boolean
  readonly progress: Progress
}

export interface Progress {
  /** What is done with a package before its first mutant is planted. */
  preparing(what: string): void
  judged(mutant: JudgedMutant): void
}

/** Draws mutants of one package, plants each and reports which the tests find. */
export async function measurePackage(
  { name, folder }: MeasuredPackage,
  quota: number,
  benches: readonly [TestBench, ...TestBench[]],
  options: MeasureOptions,
): Promise<Measured> {
  const tests = await benches[0].tests()
  const population = populationOf(options.root, folder, tests.filter(options.mayBeQuick))
  options.progress.preparing(`${name}: ${population.tests.length} test files without a mutant`)
  const baseline = await takeBaseline(options.root, population, benches[0], options.slowest)
  const reached = population.mutants.filter((mutant) => baseline.testsFor(mutant).length > 0)
  options.progress.preparing(`${name}: choosing ${quota} of ${reached.length} mutants`)
  const drawn = draw(reached, quota, options)
  const judged = await judgeAll(drawn.mutants, baseline, benches, options)
  return {
    name,
    modules: new Set(reached.map(({ module }) => module)).size,
    quickTests: baseline.quick,
    slowTests: tests.filter((test) => test.startsWith(`${folder}/`)).length - baseline.quick,
    mutants: population.mutants.length,
    reached: reached.length,
    refusedByTypes: drawn.refused,
    judged,
  }
}

function draw(population: readonly Mutant[], quota: number, { root, seed }: MeasureOptions) {
  using judge = new TypeJudge(root)
  const mutants: Mutant[] = []
  let refused = 0
  for (const mutant of inTurn(population, seed)) {
    if (mutants.length === quota) break
    if (judge.compiles(mutant.module, mutated(root, mutant))) mutants.push(mutant)
    else refused++
  }
  return { mutants, refused }
}

const mutated = (root: string, mutant: Mutant) => withChange(readFileSync(join(root, mutant.module), 'utf8'), mutant)

/** Every bench takes the next mutant as soon as it has finished one. */
async function judgeAll(
  mutants: readonly Mutant[],
  baseline: Baseline,
  benches: readonly TestBench[],
  options: MeasureOptions,
): Promise<readonly JudgedMutant[]> {
  const waiting = [...mutants]
  const judged: JudgedMutant[] = []
  const work = async (bench: TestBench): Promise<void> => {
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const one = await judgeMutant(mutant, baseline.testsFor(mutant), bench, options)
      judged.push(one)
      options.progress.judged(one)
    }
  }
  await Promise.all(benches.map(work))
  return judged
}
