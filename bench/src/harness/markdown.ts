import type { RunSetting } from './machine.ts'
import type { BenchmarkResult, BenchmarkRun, ContestantResult, TargetResult } from './result.ts'
import type { Summary } from './statistics.ts'

/** The whole document: every run with its machine and date, every benchmark with its table and verdicts. */
export const renderDocument = (runs: readonly BenchmarkRun[]): string =>
  `${[introduction, ...runs.map(renderRun)].join('\n\n')}\n`

const introduction = `# Benchmarks

Written by \`npm run bench -- --write\`; the raw samples are in \`benchmarks.json\`. Contestants run side by side: each
has its turn in every round, a reference directly before those it is compared with, which stand below it in the table.
Figures are medians over the rounds; a ratio is the median of the rounds' own ratios. A turn begins when the rest of
the machine is quiet and is repeated when others disturb it. "cpu" is the CPU time of one operation over all threads and
server processes; "cpu ratio" is that of the reference divided by the contestant's, which on a shared machine is
steadier than the ratio of the rates.`

/** One run: where and when, then its benchmarks. */
export const renderRun = ({ setting, results }: BenchmarkRun): string =>
  [renderSetting(setting), ...results.map(renderBenchmark)].join('\n\n')

function renderSetting(setting: RunSetting): string {
  const versions = Object.entries(setting.versions).map(([product, version]) => `${product} ${version}`)
  const code = setting.code === 'source' ? 'source, so figures are for development only' : 'compiled'
  return [
    `## Run of ${setting.date.slice(0, 16).replace('T', ' ')} UTC`,
    '',
    `- Machine: ${setting.cpu}, ${setting.cores} ${setting.cores === 1 ? 'core' : 'cores'}, ${setting.memoryGb} GB; ${setting.system}`,
    `- Disk: a durable flush takes ${formatFigure(setting.flushMicroseconds)} µs`,
    `- Versions: ${versions.join(', ')}`,
    `- Code: commit ${setting.commit}, ${code}`,
  ].join('\n')
}

/** One benchmark: the question, the table, a line per target, what to know about the figures. */
export function renderBenchmark(result: BenchmarkResult): string {
  const verdicts = result.targets.map((target) => renderTarget(target, result))
  const notes = [...result.notes, ...conditions(result)].map((note) => `- ${note}`)
  return [`### ${result.title}`, result.question, renderTable(result), verdicts.join('\n'), notes.join('\n')]
    .filter((part) => part !== '')
    .join('\n\n')
}

interface Column {
  readonly heading: string
  cell(contestant: ContestantResult): string
}

function columnsOf({ compares, figures }: BenchmarkResult): Column[] {
  const isRate = compares.measure === 'rate'
  return [
    { heading: 'Contestant', cell: ({ name }) => name },
    { heading: compares.unit, cell: ({ value }) => formatFigure(value.median) },
    { heading: 'min to max', cell: ({ value }) => formatRange(value) },
    ...(isRate ? [cpuColumn] : []),
    ...figures.map(figureColumn),
    { heading: 'ratio', cell: ({ ratio, ...of }) => (isReference(of) ? 'reference' : formatRatio(ratio)) },
    ...(isRate ? [cpuRatioColumn] : []),
  ]
}

const cpuColumn: Column = {
  heading: 'cpu ms each',
  cell: ({ cpuMsPerOperation }) => formatFigure(cpuMsPerOperation.median),
}

const cpuRatioColumn: Column = {
  heading: 'cpu ratio',
  cell: ({ cpuRatio, ...of }) => (isReference(of) ? '' : formatRatio(cpuRatio)),
}

const figureColumn = (figure: string): Column => ({
  heading: figure,
  cell: ({ figures }) => (figures[figure] ? formatFigure(figures[figure].median) : '–'),
})

const isReference = ({ name, against }: Pick<ContestantResult, 'name' | 'against'>): boolean => name === against

function renderTable(result: BenchmarkResult): string {
  const columns = columnsOf(result)
  const rows = result.contestants.map((contestant) => columns.map(({ cell }) => cell(contestant)))
  const texts = [columns.map(({ heading }) => heading), ...rows]
  const widths = columns.map((_, index) => Math.max(3, ...texts.map((row) => row[index]?.length ?? 0)))
  const [head = '', ...body] = texts.map((row) => line(row.map((text, index) => align(text, index, widths))))
  return [head, line(widths.map(ruler)), ...body].join('\n')
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

// Names are left-aligned, figures right-aligned.
const isLeft = (index: number): boolean => index === 0

const align = (text: string, index: number, widths: readonly number[]): string =>
  isLeft(index) ? text.padEnd(widths[index] ?? 0) : text.padStart(widths[index] ?? 0)

const ruler = (width: number, index: number): string =>
  isLeft(index) ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`

function renderTarget(target: TargetResult, result: BenchmarkResult): string {
  const [sign, bound] = 'atLeast' in target ? ['≥', target.atLeast] : ['≤', target.atMost]
  const verdict = target.met ? '**met**' : '**missed**'
  return `- ${verdict}: ${target.contestant}, ${measureName(target, result)} ${sign} ${bound} (measured ${formatFigure(target.measured)})`
}

function measureName(target: TargetResult, { compares, contestants }: BenchmarkResult): string {
  if (target.measure === 'ratio' || target.measure === 'cpu ratio')
    return `${target.measure} to ${contestants.find(({ name }) => name === target.contestant)?.against}`
  return target.measure === compares.measure ? compares.unit : target.measure
}

function conditions(result: BenchmarkResult): string[] {
  const rounds = `${result.rounds} ${result.rounds === 1 ? 'round' : 'rounds'} of ${result.sampleSeconds} s each`
  const gating = result.gated ? '' : ', without waiting for a quiet machine'
  return [`${rounds}${gating}`, ...result.contestants.flatMap(disturbance)]
}

function disturbance({ name, samples }: ContestantResult): string[] {
  const disturbed = samples.filter((sample) => sample.disturbed)
  if (disturbed.length === 0) return []
  const worst = Math.max(...disturbed.map(({ foreignCores = 0 }) => foreignCores))
  return [
    `${disturbed.length} of ${samples.length} samples of ${name} disturbed: others used up to ${worst.toFixed(2)} core`,
  ]
}

const formatRatio = ({ median }: Summary): string => median.toFixed(2)

const formatRange = ({ min, max }: Summary): string => `${formatFigure(min)}–${formatFigure(max)}`

/** Three significant digits: `8,001`, `52.3`, `0.125`. */
export const formatFigure = (value: number): string =>
  Math.abs(value) >= 100
    ? value.toLocaleString('en-US', { maximumFractionDigits: 0 })
    : String(Number(value.toPrecision(3)))
