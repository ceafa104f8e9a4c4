// `npm run prove:fuzz`: mutates valid files and checks the guarantees of every reader of the engine.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { deserialize } from 'node:v8'
import { buildCorpus } from './corpus/build-corpus.ts'
import type { Corpus } from './fuzz-case.ts'
import { keepProblems } from './keep-problems.ts'
import { type KindName, kindNames } from './kinds.ts'
import { type FuzzReport, runFuzz } from './run-fuzz.ts'
import type { Recording } from './seed.ts'

const usage = `Usage: npm run prove:fuzz -- [options]

  --cases <n>      mutated files in all (default 100000)
  --seed <n>       makes the same mutations again (default: a new one, printed)
  --kind <name>    only this kind, or several divided by commas: ${kindNames.join(', ')}
  --corpus <file>  the honest files of an earlier run, which a failing run leaves behind
  --lanes <n>      processes side by side (default: one per core)
`

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    kind: { type: 'string' },
    corpus: { type: 'string' },
    lanes: { type: 'string' },
    help: { type: 'boolean' },
  },
})

if (values.help) process.stdout.write(usage)
else process.exitCode = await prove()

async function prove(): Promise<number> {
  const kinds = chosenKinds(values.kind)
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
  const cases = Number(values.cases)
  const { corpus, recording } = values.corpus ? loadCorpus(values.corpus) : await buildCorpus(kinds)
  say(`fuzz: ${cases} cases of ${kinds.join(', ')}; seed ${seed}`)
  const start = performance.now()
  const report = await runFuzz({
    corpus,
    recording,
    kinds,
    seed,
    cases,
    lanes: Number(values.lanes ?? availableParallelism()),
    onProgress: progressLines(start, cases),
  })
  say(summary(report, (performance.now() - start) / 1000))
  for (const line of keepProblems(report.problems, corpus, recording)) say(`\n${line}`)
  return report.problems.length === 0 && report.done >= cases ? 0 : 1
}

function chosenKinds(asked: string | undefined): readonly KindName[] {
  const names = asked?.split(',') ?? kindNames
  const unknown = names.find((name) => !kindNames.includes(name as KindName))
  if (unknown !== undefined) throw new Error(`There is no kind "${unknown}"; there are: ${kindNames.join(', ')}.`)
  return names as KindName[]
}

function progressLines(start: number, cases: number): (done: number, problems: number) => void {
  let told = start
  return (done, problems) => {
    const now = performance.now()
    if (now - told < 5_000) return
    told = now
    const rate = Math.round(done / ((now - start) / 1000))
    say(`fuzz: ${done} of ${cases}, ${rate} cases/s, ${problems} problems`)
  }
}

function summary({ done, results, problems }: FuzzReport, seconds: number): string {
  const kinds = [...results].map(([kind, counts]) => {
    const parts = [...counts].sort().map(([result, count]) => `${count} ${result}`)
    return `  ${kind.padEnd(16)} ${parts.join(', ')}`
  })
  const rate = Math.round(done / seconds)
  return [`fuzz: ${done} cases in ${Math.round(seconds)} s (${rate}/s), ${problems.length} problems`, ...kinds].join(
    '\n',
  )
}

function loadCorpus(file: string): { corpus: Corpus; recording: Recording } {
  return deserialize(readFileSync(file)) as { corpus: Corpus; recording: Recording }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
