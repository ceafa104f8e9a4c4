import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serialize } from 'node:v8'
import { type Corpus, makeCase } from './fuzz-case.ts'
import type { FuzzProblem } from './run-fuzz.ts'
import type { Recording } from './seed.ts'

/** Below the folder the run was started in. */
const FOLDER = 'node_modules/.cache/chancela-fuzz'

/**
 * Saves the bytes of each sort of problem, and the corpus that reproduces them: keys and serial numbers are new in
 * every corpus, so a seed alone repeats the mutation, not the file. Returns a message for the user.
 */
export function keepProblems(problems: readonly FuzzProblem[], corpus: Corpus, recording: Recording): string[] {
  if (problems.length === 0) return []
  mkdirSync(FOLDER, { recursive: true })
  const corpusFile = join(FOLDER, 'corpus.bin')
  writeFileSync(corpusFile, serialize({ corpus, recording }))
  return [
    ...firstOfEach(problems).map((problem) => kept(problem, corpus)),
    `Again: npm run prove:fuzz -- --corpus ${corpusFile} --seed ${problems[0]!.seed}, with the same kinds and cases`,
  ]
}

function kept(problem: FuzzProblem, corpus: Corpus): string {
  const { kind, seed, index } = problem
  const { bytes, from, mutations } = makeCase(corpus, problem)
  const file = join(FOLDER, `${kind}-${seed}-${index}.bin`)
  writeFileSync(file, bytes)
  return `${kind}, seed ${seed}, case ${index}: "${from.name}" after ${mutations.join(', ')} → ${file}\n${problem.problem}`
}

/** One of each sort: the same weakness is found many times. */
function firstOfEach(problems: readonly FuzzProblem[]): FuzzProblem[] {
  const bySort = new Map<string, FuzzProblem>()
  for (const problem of problems) {
    const sort = `${problem.kind} ${problem.problem.replace(/\d+/g, 'N')}`
    if (!bySort.has(sort)) bySort.set(sort, problem)
  }
  return [...bySort.values()]
}
