import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { LabelDeclarations, MetricDeclaration, MetricsOf, MetricTable } from './metric-table.ts'

/** Declares every metric of a table in a registry, under exactly the names of the table. */
export function defineMetrics<const Table extends MetricTable>(registry: Registry, table: Table): MetricsOf<Table> {
  const metrics = Object.entries(table).map(([name, declaration]) => [name, define(registry, name, declaration)])
  return Object.freeze(Object.fromEntries(metrics)) as MetricsOf<Table>
}

type Labels = Record<string, string>
/** `MetricsOf` is the typed interface; inside, labels are an optional first argument. */
type Given = [Labels, ...unknown[]] | unknown[]

function define(registry: Registry, name: string, declaration: MetricDeclaration): object {
  const { help, labels = {} } = declaration
  const common = { name, help, labelNames: Object.keys(labels), registers: [registry] }
  if (declaration.type === 'counter') return counter(new Counter(common), labels)
  if (declaration.type === 'gauge') return gauge(common, labels)
  return histogram(new Histogram({ ...common, buckets: [...declaration.buckets] }), labels)
}

function counter(metric: Counter, labels: LabelDeclarations): object {
  for (const one of listedSeries(labels)) metric.inc(one, 0)
  return {
    inc: (...given: Given) => withLabels(given, labels, (values, by) => metric.inc(values, by as number | undefined)),
  }
}

function histogram(metric: Histogram, labels: LabelDeclarations): object {
  for (const one of listedSeries(labels)) metric.zero(one)
  return {
    observe: (...given: Given) => withLabels(given, labels, (values, value) => metric.observe(values, value as number)),
  }
}

interface GaugeOptions {
  readonly name: string
  readonly help: string
  readonly labelNames: string[]
  readonly registers: Registry[]
}

type Read = () => number | Promise<number>

function gauge(options: GaugeOptions, labels: LabelDeclarations): object {
  const reads = new Map<string, { values: Labels; read: Read }>()
  const metric: Gauge = new Gauge({ ...options, collect: () => collect(metric, [...reads.values()]) })
  for (const one of listedSeries(labels)) metric.set(one, 0)
  return {
    set: (...given: Given) => withLabels(given, labels, (values, value) => metric.set(values, value as number)),
    inc: (...given: Given) => withLabels(given, labels, (values, by) => metric.inc(values, by as number | undefined)),
    dec: (...given: Given) => withLabels(given, labels, (values, by) => metric.dec(values, by as number | undefined)),
    measure: (...given: Given) =>
      withLabels(given, labels, (values, read) => reads.set(JSON.stringify(values), { values, read: read as Read })),
  }
}

async function collect(metric: Gauge, reads: readonly { values: Labels; read: Read }[]): Promise<void> {
  await Promise.all(reads.map(async ({ values, read }) => metric.set(values, await orNaN(read))))
}

async function orNaN(read: Read): Promise<number> {
  try {
    return await read()
  } catch {
    // NaN means "unknown" to Prometheus; the readiness check of the same resource shows the cause.
    return Number.NaN
  }
}

function withLabels(given: Given, labels: LabelDeclarations, use: (values: Labels, argument: unknown) => void): void {
  const [values, argument] = Object.keys(labels).length > 0 ? given : [{}, given[0]]
  use(values as Labels, argument)
}

/** Every combination of listed values; none if a label is open. Without labels the library starts at 0 itself. */
function listedSeries(labels: LabelDeclarations): Labels[] {
  const entries = Object.entries(labels)
  if (entries.length === 0 || entries.some(([, values]) => values === 'any')) return []
  return (entries as [string, readonly string[]][]).reduce<Labels[]>(
    (series, [label, values]) => series.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  )
}
