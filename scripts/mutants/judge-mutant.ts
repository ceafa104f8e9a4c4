import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { QuickTest } from './baseline.ts'
import { withChange } from './module-mutants.ts'
import type { Mutant } from './population.ts'
import type { BenchRun, TestBench } from './test-bench.ts'

export type Outcome = 'killed' | 'timed out' | 'survived'

export interface JudgedMutant extends Mutant {
  readonly outcome: Outcome
}

export interface JudgeTerms {
  readonly root: string
  /** Time for the tests beyond three times their duration without a mutant: a busy machine is no endless loop. */
  readonly patience: number
}

/** Half a minute of tests for each mutant is enough: the nearest come first, and mostly those find it. */
const LONGEST_RUN = 30_000

/** Plants a mutant and runs its tests, the nearest first, in one process, until one fails. */
export async function judgeMutant(
  mutant: Mutant,
  tests: readonly QuickTest[],
  bench: TestBench,
  { root, patience }: JudgeTerms,
): Promise<JudgedMutant> {
  const source = readFileSync(join(root, mutant.module), 'utf8')
  const planted = new Map([[mutant.module, withChange(source, mutant)]])
  const { files, milliseconds } = affordable(tests)
  return { ...mutant, outcome: outcomeOf(await bench.judge(files, planted, patience + 3 * milliseconds)) }
}

function affordable(tests: readonly QuickTest[]) {
  let milliseconds = 0
  const files: string[] = []
  for (const { test, milliseconds: own } of tests) {
    if (files.length > 0 && milliseconds + own > LONGEST_RUN) break
    files.push(test)
    milliseconds += own
  }
  return { files, milliseconds }
}

const outcomeOf = ({ failed, timedOut }: BenchRun): Outcome => (timedOut ? 'timed out' : failed ? 'killed' : 'survived')
