import type { JudgedMutant, Outcome } from './judge-mutant.ts'
import type { Measured } from './measure.ts'

interface Row {
  readonly name: string
  readonly mutants: number
  readonly killed: number
  readonly timedOut: number
  readonly survived: number
}

const rowOf = (name: string, judged: readonly JudgedMutant[]): Row => ({
  name,
  mutants: judged.length,
  killed: count(judged, 'killed'),
  timedOut: count(judged, 'timed out'),
  survived: count(judged, 'survived'),
})

const count = (judged: readonly JudgedMutant[], outcome: Outcome) =>
  judged.filter((mutant) => mutant.outcome === outcome).length

/** A mutant that makes the tests hang counts as found: a hang would be noticed. */
const scoreOf = ({ mutants, survived }: Row) =>
  mutants === 0 ? '–' : `${Math.round((100 * (mutants - survived)) / mutants)} %`

const rowsOf = (measured: readonly Measured[]): readonly Row[] => [
  ...measured.map(({ name, judged }) => rowOf(name, judged)),
  rowOf(
    'all',
    measured.flatMap(({ judged }) => judged),
  ),
]

export const survivorsOf = (measured: readonly Measured[]): readonly JudgedMutant[] =>
  measured.flatMap(({ judged }) => judged).filter(({ outcome }) => outcome === 'survived')

export const mutantText = ({ module, line, operator, was, text }: JudgedMutant): string =>
  `${module}:${line} ${operator}: ${onOneLine(was)} → ${text === ';' ? 'nothing' : onOneLine(text)}`

const onOneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 70 ? `${line.slice(0, 68)} …` : line
}

export function textOf(measured: readonly Measured[], seconds: number): string {
  const rows = rowsOf(measured).map(
    (row) =>
      `  ${row.name.padEnd(20)}${pad(row.killed)} killed${pad(row.timedOut)} timed out${pad(row.survived)} survived  ${scoreOf(row)}`,
  )
  const survivors = survivorsOf(measured).map((mutant) => `  survived: ${mutantText(mutant)}`)
  return [`prove:mutants, ${seconds} s`, ...rows, ...survivors].join('\n')
}

const pad = (figure: number) => String(figure).padStart(5)

/** The section of docs/reliability.md. */
export function markdownOf(measured: readonly Measured[], seed: number, seconds: number): string {
  const table = measured.map((one) => [one, rowOf(one.name, one.judged)] as const)
  const rows = table.map(
    ([one, row]) =>
      `| ${row.name} | ${one.modules} | ${share(one)} | ${row.mutants} | ${row.killed} | ${row.timedOut} | ${row.survived} | ${scoreOf(row)} |`,
  )
  const all = rowOf(
    'all',
    measured.flatMap(({ judged }) => judged),
  )
  const modules = measured.reduce((sum, one) => sum + one.modules, 0)
  const refused = measured.reduce((sum, one) => sum + one.refusedByTypes, 0)
  return `| Package | Modules | Code run by quick tests | Mutants | Killed | Timed out | Survived | Score |
|---|---|---|---|---|---|---|---|
${rows.join('\n')}
| **all** | ${modules} | | ${all.mutants} | ${all.killed} | ${all.timedOut} | ${all.survived} | **${scoreOf(all)}** |

Seed ${seed}, ${seconds} seconds; ${refused} more were drawn that the compiler refuses.`
}

const share = ({ reached, mutants }: Measured) => `${Math.round((100 * reached) / Math.max(1, mutants))} %`
