// `npm run prove:mutants`: plants small mistakes in the code and reports which of them the tests find.
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { replaceSection } from '../../packages/testkit/src/figures/index.ts'
import config, { sharingProcess } from '../../vitest.config.ts'
import { Hindrance, runScript, say } from '../steps/say.mjs'
import { lastRun } from './last-run.ts'
import { type Measured, measurePackage } from './measure.ts'
import { killAllWorkers } from './mortal-worker.ts'
import { defaultSample, type MeasuredPackage, packages, quotas } from './packages.ts'
import { ProgressLines } from './progress.ts'
import { markdownOf, textOf } from './report.ts'
import { TestBench } from './test-bench.ts'

const usage = `Usage: npm run prove:mutants -- [options]

  --sample <n>      mutants in all (default ${defaultSample})
  --seed <n>        another sample of the same size (default 1)
  --package <name>  one package alone: ${packages.map(({ name }) => name).join(', ')}
  --slowest <s>     test files that take longer are left out (default 10 seconds)
  --write           writes the figures into docs/reliability.md
`

const root = join(import.meta.dirname, '../..')
const FIGURES = join(root, 'docs/reliability.md')

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: String(defaultSample) },
    seed: { type: 'string', default: '1' },
    package: { type: 'string' },
    slowest: { type: 'string', default: '10' },
    write: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})

async function prove(): Promise<number> {
  const begun = performance.now()
  const plan = quotas(chosen(), wholeNumber('sample'))
  const measured = await measureAll(plan)
  const seconds = Math.round((performance.now() - begun) / 1000)
  process.stdout.write(`${textOf(measured, seconds)}\n`)
  if (values.write) {
    const text = markdownOf(measured, wholeNumber('seed'), seconds)
    writeFileSync(FIGURES, replaceSection(readFileSync(FIGURES, 'utf8'), 'prove:mutants', text))
  }
  return 0
}

function chosen(): readonly MeasuredPackage[] {
  const named = packages.filter(({ name }) => values.package === undefined || name === values.package)
  if (named.length === 0)
    throw new Hindrance(
      `No such package: ${values.package}. There are: ${packages.map(({ name }) => name).join(', ')}.`,
    )
  return named
}

function wholeNumber(option: 'sample' | 'seed' | 'slowest'): number {
  const number = Number(values[option])
  if (!Number.isSafeInteger(number) || number < 1) throw new Hindrance(`--${option} is a whole number from 1.`)
  return number
}

async function measureAll(plan: ReadonlyMap<MeasuredPackage, number>): Promise<readonly Measured[]> {
  const benches: [TestBench, ...TestBench[]] = [await TestBench.open(root, config, sharingProcess)]
  while (benches.length < availableParallelism()) benches.push(await TestBench.open(root, config, sharingProcess))
  const slowest = wholeNumber('slowest') * 1000
  const known = lastRun(root)
  const options = {
    root,
    seed: wholeNumber('seed'),
    slowest,
    mayBeQuick: (test: string) => (known.get(test) ?? 0) <= 2 * slowest,
    patience: 20_000,
    progress: new ProgressLines([...plan.values()], say),
  }
  const measured: Measured[] = []
  try {
    for (const [one, quota] of plan) measured.push(await measurePackage(one, quota, benches, options))
  } finally {
    await Promise.all(benches.map((bench) => bench.close()))
  }
  return measured
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    killAllWorkers()
    process.exit(130)
  })
}

if (values.help) process.stdout.write(usage)
else await runScript(prove)
