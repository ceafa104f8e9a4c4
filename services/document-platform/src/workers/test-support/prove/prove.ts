// `npm run prove:webhooks`: kills the service 200 times and checks that nothing is lost.
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { replaceSection } from '@chancela/testkit/figures'
import { type Crash, steps } from './life-plan.ts'
import { type ProofReport, proveWebhooks } from './prove-webhooks.ts'

const usage = `Usage: npm run prove:webhooks -- [options]

  --kills <n>   processes killed at a random moment (default 70); at named steps 130 more die
  --write       writes the figures into docs/reliability.md
`

const FIGURES = new URL('../../../../../../docs/reliability.md', import.meta.url)

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '70' }, write: { type: 'boolean' }, help: { type: 'boolean' } },
})

/** Each step before and after, early in a run and later, when other work reaches it; and messages that are under way. */
const crashes: readonly Crash[] = [
  ...steps.flatMap((point) =>
    (['before', 'after'] as const).flatMap((side) =>
      [1, 2, 3, 4, 5, 7, 9, 12, 16, 20].map((nth) => ({ point, side, nth })),
    ),
  ),
  ...[1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 18, 20].map((nth) => ({
    point: 'delivery' as const,
    nth,
  })),
  ...[1, 1, 1, 1, 2, 2, 2, 3, 3, 3].map((nth) => ({ point: 'mail' as const, nth })),
]

async function prove(): Promise<number> {
  const begun = performance.now()
  const seconds = () => Math.round((performance.now() - begun) / 1000)
  const report = await proveWebhooks({
    randomKills: Number(values.kills),
    crashes,
    postgresWorlds: 2,
    onLife: (life, of) => {
      if (life % 5 === 0 || life === of) say(`  ${life} of ${of} lives, ${seconds()} s`)
    },
  })
  say(textOf(report, seconds()))
  if (values.write) writeFigures(markdownOf(report, seconds()))
  return report.violations.length === 0 ? 0 : 1
}

function writeFigures(table: string): void {
  writeFileSync(FIGURES, replaceSection(readFileSync(FIGURES, 'utf8'), 'prove:webhooks', table))
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function textOf(report: ProofReport, seconds: number): string {
  const rows = rowsOf(report, seconds).map(([what, figure]) => `  ${what}: ${figure}`)
  const missed = report.crashesMissed.map((one) => `  not reached: ${one}`)
  const violations = report.violations.map((one) => `  VIOLATED: ${one}`)
  return ['prove:webhooks', ...rows, ...missed, ...violations].join('\n')
}

const rowsOf = (report: ProofReport, seconds: number): readonly (readonly [string, string | number])[] => [
  ['kill -9', report.kills],
  ['of them at a named step', report.crashesReached.length],
  ['planned at a step that life did not reach', report.crashesMissed.length],
  ['databases', `${report.worlds.sqlite} SQLite, ${report.worlds.postgres} PostgreSQL`],
  ['changes the service confirmed', report.confirmed],
  ['calls that were not answered', report.unanswered],
  ['documents in the end', report.documents],
  ['changes that happened, each with its event', report.events],
  ['deliveries at the three receivers', report.deliveries],
  ['of them repeated', report.repeated],
  ['signed files shown to pdfsig', report.pdfsJudged],
  ['users who were invited', report.accounts],
  ['changes of passwords', report.passwordChanges],
  ['generations of 40 rows', report.generations],
  ['documents they made', report.generated],
  ['mails', report.mails],
  ['of them repeated, under one Message-ID', report.mailsRepeated],
  ['entries of the audit', report.auditEntries],
  ['times its chain was verified after a kill', report.chainsFollowed],
  ['violations', report.violations.length],
  ['seconds', seconds],
]

const markdownOf = (report: ProofReport, seconds: number): string =>
  [
    '| What | Figure |',
    '|---|---|',
    ...rowsOf(report, seconds).map(([what, figure]) => `| ${what} | ${figure} |`),
  ].join('\n')

if (values.help) process.stdout.write(usage)
else process.exitCode = await prove()
