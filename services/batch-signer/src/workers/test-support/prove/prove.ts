// `npm run prove:batch`: kills the service a thousand times and checks that no file is lost.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { stepsOfRecovery, stepsOfWork, troubles } from './life-plan.ts'
import { type ProofReport, proveBatch } from './prove-batch.ts'
import { type Violation, violationKinds } from './violations.ts'
import type { ProofOptions } from './world-plan.ts'

const takingPart = ['consumer', 'writers', 'acts', 'stores', 'seconds', 'postgresql', 'sqlite'] as const

const usage = `Usage: npm run prove:batch -- [options]

  --kills <n>     processes killed at a random moment (default 900); before and after each durable step one more dies
  --troubled <n>  lives with each kind of trouble: ${troubles.join(', ')} (default 20)
  --seed <n>      repeats the plans of another run, which printed it (default: random)
  --stores <n>    stores lost or put back per world (default 2)
  --lives <n>     lives of one world (default 40); short worlds with many changed stores look for what is held
  --without <who>  leaves out who is named: ${takingPart.join(', ')} (several with commas)
  --go-on         does not stop at the first broken promise: counts them all
  --write         writes the figures into docs/prove-batch.md
`

/** The options that repeat this run. */
const optionsOf = ({ kills, troubled, seed, stores, lives, without }: typeof values): string =>
  Object.entries({ kills, troubled, seed, stores, lives, without })
    .flatMap(([name, value]) => (value ? [`--${name} ${value}`] : []))
    .join(' ')

const steps = [...stepsOfWork, ...stepsOfRecovery]

const FIGURES = new URL('../../../../../../docs/prove-batch.md', import.meta.url)

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '900' },
    troubled: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    stores: { type: 'string' },
    lives: { type: 'string' },
    without: { type: 'string', default: '' },
    'go-on': { type: 'boolean', default: false },
    write: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})

async function prove(): Promise<number> {
  const begun = performance.now()
  const seconds = () => Math.round((performance.now() - begun) / 1000)
  say(`prove:batch, seed ${values.seed}`)
  const report = await proveBatch({
    randomKills: Number(values.kills),
    steps: Number(values.troubled) > 0 ? steps : [],
    livesPerTrouble: Number(values.troubled),
    seed: Number(values.seed),
    goesOn: values['go-on'],
    ...(values.stores && { storeChanges: Number(values.stores) }),
    ...(values.lives && { livesPerWorld: Number(values.lives) }),
    ...leftOut(values.without.split(',')),
    onLife: (life, of) => {
      if (life % 20 === 0 || life === of) say(`  ${life} of ${of} lives, ${seconds()} s`)
    },
    onBroken: ({ violations }, kept) => say([...violations.map(violationText), `  kept in ${kept}`].join('\n')),
  })
  say(textOf(report, seconds()))
  if (values.write) writeFileSync(FIGURES, markdownOf(report, seconds()))
  return report.violations.length === 0 ? 0 : 1
}

/** Options that leave somebody out; by default all take part. */
const absences = {
  consumer: { consumer: false },
  writers: { writersPerLife: 0 },
  acts: { actsInOneOf: 0 },
  stores: { storeChanges: 0 },
  seconds: { seconds: 0 },
  postgresql: { databases: ['sqlite'] },
  sqlite: { databases: ['postgresql'] },
} as const satisfies Readonly<Record<(typeof takingPart)[number], Partial<ProofOptions>>>

const leftOut = (who: readonly string[]): Partial<ProofOptions> =>
  Object.assign({}, ...takingPart.filter((one) => who.includes(one)).map((one) => absences[one]))

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

const violationText = ({ kind, about, text }: Violation): string => `  VIOLATED, ${kind}: ${about}: ${text}`

function textOf(report: ProofReport, seconds: number): string {
  const rows = rowsOf(report, seconds).map(([what, figure]) => `  ${what}: ${figure}`)
  const missed = report.crashesMissed.map((one) => `  not reached: ${one}`)
  const violations = report.violations.map(violationText)
  const plan = report.brokenBy ? [`  by the plan ${JSON.stringify(report.brokenBy)}`, `  kept in ${report.kept}`] : []
  return [...rows, ...missed, ...violations, ...plan].join('\n')
}

const rowsOf = (report: ProofReport, seconds: number): readonly (readonly [string, string | number])[] => [
  ['files given to the service', report.filesGiven],
  ['kill -9', report.kills],
  ['of them while it started', report.killsAtBoot],
  ['of them at a named durable step', report.crashesReached.length],
  ['acts of operator and clients in between', report.acts],
  ['files canceled', report.canceled],
  ['stores lost, or put back from an older copy', report.storesChanged],
  ['second processes on the store refused', report.secondsRefused],
  ['second processes on the store let in', report.secondsLetIn],
  ...troubles.map((trouble) => [`lives with ${trouble}`, report.lives[trouble]] as const),
  ['outputs judged by us, and by openssl, pdfsig or xmlsec1', report.strangersAsked],
  ...violationKinds.map((kind) => [kind, report.violations.filter((one) => one.kind === kind).length] as const),
  ['seconds', seconds],
]

function markdownOf(report: ProofReport, seconds: number): string {
  const rows = rowsOf(report, seconds).map(([what, figure]) => `| ${what} | ${figure} |`)
  const again = optionsOf(values)
  return `# The batch signer under fire

Figures of \`npm run prove:batch\`. The whole service, behind its public door and on its own store (SQLite with full
durability, every fourth world PostgreSQL), signs a stream of PDF, XML, remittances and other files, small ones held in
memory and large ones staged on disk, and is killed with SIGKILL again and again: at random moments, while it starts and
recovers, and before and after every durable step. Around it, and never killed:

- a **consumer** takes two of three outputs as soon as they have their name, by turns by a rename and by a copy that is
  then deleted, and keeps every one;
- **writers** write in place: slowly, opened long before they write, under an advisory lock, once more after the file was
  taken, or nothing at all; each knows what it had finished;
- an **operator** and clients cancel, upload, delete jobs, clear them, clean up a month later, and have what failed taken
  again, except in one folder, where nothing that failed or was canceled has a word of theirs;
- the **store** is lost, or an older copy of it is put back;
- a **second process** starts on the same store, beside the first or while that is frozen; every other world is a
  cluster, where it is let in.

After each start, before anything is taken or signed: every file is somewhere, each was delivered at most once and has
exactly one Completed job if it was, no history is lost or untrue, nothing is left behind. At the end of a world every
file that was to be signed is delivered, and each delivery is judged by our engine and by openssl, pdfsig or xmlsec1,
and its content compared with what a writer had finished.

| What | Figure |
|---|---|
${rows.join('\n')}

The same plans again: \`npm run prove:batch -- ${again}\`.

Before deliveries followed completion, inputs were read under leases and refusals were remembered, 30 kills over 168 files
broke these promises: 8 files lost, 6 delivered twice, 11 signed while they were open, 1 signed though empty, and 15
delivered files whose history denied it.

The durable steps: ${steps.map((point) => `\`${point}\``).join(', ')}.
`
}

if (values.help) process.stdout.write(usage)
else process.exitCode = await prove()
