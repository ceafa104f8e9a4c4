// `npm run prove:faults`: breaks what the suite depends on, one thing at a time and in pairs, and checks that it serves again.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { replaceSection } from '@chancela/testkit/figures'
import { type Fault, faults, lasting, stoppedDuring } from './faults.ts'
import { kinds, type WorldKind } from './settings.ts'
import { stopTrial, type TrialReport, trial } from './trial.ts'
import { openWorld, type World } from './world.ts'

const usage = `Usage: npm run prove:faults -- [options]

  --pairs <n>    pairs of faults, drawn at random (default 50); every single fault comes first
  --seed <n>     which pairs (default: another one each time)
  --only <text>  faults whose name has this text, alone
  --in <world>   this world alone: files or servers
  --log <file>   keeps the log of the last suite of each world, with its name at the end
  --write        writes the figures into docs/reliability.md
`

const FIGURES = new URL('../../../../docs/reliability.md', import.meta.url)

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '50' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    only: { type: 'string' },
    in: { type: 'string' },
    log: { type: 'string' },
    write: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})

const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** Numbers from 0 to 1 that are the same for the same seed. */
function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

interface Plan {
  readonly kind: WorldKind
  readonly faults: readonly Fault[]
  /** Whether the suite is asked to stop meanwhile. */
  readonly stops?: boolean
}

const isAsked = ({ name }: Fault): boolean => values.only === undefined || name.includes(values.only)

const singles = (kind: WorldKind): readonly Plan[] =>
  faults.filter((fault) => fault.in.includes(kind) && isAsked(fault)).map((fault) => ({ kind, faults: [fault] }))

const stops = (kind: WorldKind): readonly Plan[] =>
  [...faults.filter(({ name }) => stoppedDuring[kind].includes(name)), ...lasting]
    .filter((fault) => fault.in.includes(kind) && isAsked(fault))
    .map((fault) => ({ kind, faults: [fault], stops: true }))

/** A process that does nothing keeps open what another fault needs closed. */
const frozenLast = (a: Fault, b: Fault): number => Number(a.kind === 'process') - Number(b.kind === 'process')

/** Pairs of faults that can happen at once, half of them in each world. */
function pairs(count: number, next: () => number): readonly Plan[] {
  const drawn: Plan[] = []
  while (drawn.length < count) {
    const kind = kinds[drawn.length < count / 2 ? 0 : 1]!
    const possible = faults.filter((fault) => fault.in.includes(kind))
    const [one, other] = [0, 0].map(() => possible[Math.floor(next() * possible.length)]!)
    if (one!.kind !== other!.kind) drawn.push({ kind, faults: [one!, other!].sort(frozenLast) })
  }
  return drawn
}

/** A world is used until something was wrong in it: what comes after might be its consequence. */
async function prove(kind: WorldKind, plans: readonly Plan[]): Promise<readonly TrialReport[]> {
  const reports: TrialReport[] = []
  let world: World | undefined
  const close = async () => {
    if (values.log !== undefined && world) keepLog(world, `${values.log}.${kind}`)
    await world?.close()
    world = undefined
  }
  for (const plan of plans) {
    const report = await tried(plan, async () => {
      const failing = plan.faults.flatMap(({ failing = [] }) => failing)
      if (failing.length > 0) await close()
      world ??= await openWorld(kind, { isolated: true, failing })
      return (plan.stops ? stopTrial : trial)(world, plan.faults)
    })
    reports.push(report)
    say(`  ${kind}, ${reports.length} of ${plans.length}: ${lineOf(report)}`)
    for (const violation of report.violations) say(`    VIOLATED: ${violation}`)
    if (report.violations.length > 0 || plan.stops) await close()
  }
  await close()
  return reports
}

/** A trial that could not be made proves nothing, which is a violation. */
async function tried({ kind, faults, stops }: Plan, make: () => Promise<TrialReport>): Promise<TrialReport> {
  try {
    return await make()
  } catch (error) {
    const names = faults.map(({ name }) => name)
    const nothing = {
      done: 0,
      failed: 0,
      confirmed: 0,
      servesAfter: undefined,
      ...(stops && { endedAfter: undefined }),
    }
    return { faults: names, world: kind, ...nothing, violations: [`the trial was not made: ${error}`] }
  }
}

function keepLog({ suite }: World, path: string): void {
  try {
    copyFileSync(suite.pathOf('log', 'demo.log'), path)
  } catch {
    // The disk of a suite that has ended is gone with it.
  }
}

const lineOf = ({ faults: names, done, failed, violations, ...report }: TrialReport): string => {
  const outcome = isStop(report)
    ? `ended after ${secondsOf(report.endedAfter)}`
    : `serves after ${secondsOf(report.servesAfter)}`
  return `${names.join(' + ')}: ${done} done, ${failed} refused, ${outcome}, ${violations.length} violations`
}

const isStop = (report: object): boolean => 'endedAfter' in report

const secondsOf = (seconds: number | undefined): string => (seconds === undefined ? 'never' : `${Math.ceil(seconds)} s`)

/** One line per single fault, with the worst of both worlds; pairs together; and one per stop. */
function tableOf(reports: readonly TrialReport[]): string {
  const broken = reports.filter((one) => !isStop(one))
  const alone = broken.filter((one) => one.faults.length === 1)
  const rows = [...new Set(alone.map((one) => one.faults[0]!))].map((name) =>
    rowOf(
      name,
      alone.filter((one) => one.faults[0] === name),
    ),
  )
  const paired = broken.filter((one) => one.faults.length > 1)
  const all = paired.length > 0 ? [...rows, rowOf(`${paired.length} pairs of them at once`, paired)] : rows
  const head =
    '| Fault | Where | Deeds done | refused | Confirmed, and looked at | Serves again after, at most | Violations |'
  return [head, '|---|---|---|---|---|---|---|', ...all, '', ...stopTableOf(reports.filter(isStop))].join('\n')
}

const stopTableOf = (reports: readonly TrialReport[]): readonly string[] => [
  '| Asked to stop during | Where | Ended after | Violations |',
  '|---|---|---|---|',
  ...reports.map(
    ({ faults: [name], world, endedAfter, violations }) =>
      `| ${name} | ${world} | ${secondsOf(endedAfter)} | ${violations.length} |`,
  ),
]

function rowOf(name: string, reports: readonly TrialReport[]): string {
  const sum = (figure: (report: TrialReport) => number) => reports.reduce((total, one) => total + figure(one), 0)
  const slowest = reports.some((one) => one.servesAfter === undefined)
    ? undefined
    : Math.max(...reports.map((one) => one.servesAfter!))
  const cells = [
    name,
    [...new Set(reports.map((one) => one.world))].join(', '),
    sum((one) => one.done),
    sum((one) => one.failed),
    sum((one) => one.confirmed),
    secondsOf(slowest),
    sum((one) => one.violations.length),
  ]
  return `| ${cells.join(' | ')} |`
}

async function main(): Promise<number> {
  if (values.help) {
    say(usage)
    return 0
  }
  const seed = Number(values.seed)
  const count = values.only === undefined ? Number(values.pairs) : 0
  say(`prove:faults, seed ${seed}`)
  const drawn = pairs(count, random(seed))
  const plansOf = (kind: WorldKind) => [...singles(kind), ...drawn.filter((pair) => pair.kind === kind), ...stops(kind)]
  const chosen = kinds.filter((kind) => values.in === undefined || values.in === kind)
  // Side by side: most of a trial is waiting.
  const reports = (await Promise.all(chosen.map((kind) => prove(kind, plansOf(kind))))).flat()
  const table = `${tableOf(reports)}\n\nSeed ${seed}.`
  say(table)
  if (values.write) writeFileSync(FIGURES, replaceSection(readFileSync(FIGURES, 'utf8'), 'prove:faults', table))
  return reports.every(({ violations }) => violations.length === 0) ? 0 : 1
}

process.exitCode = await main()
