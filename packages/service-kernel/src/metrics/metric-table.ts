/**
 * A service's metrics as data: exact name → what it is. A label is either open (`'any'`: a folder, a profile) or has
 * its values listed; the compiler then refuses others, and the series exist from the start with value 0.
 */
export type MetricTable = Readonly<Record<string, MetricDeclaration>>

export type MetricDeclaration = CounterDeclaration | GaugeDeclaration | HistogramDeclaration

export type LabelDeclarations = Readonly<Record<string, 'any' | readonly string[]>>

interface Declaration {
  /** One sentence: what it counts or measures, with its unit. */
  readonly help: string
  readonly labels?: LabelDeclarations
}

interface CounterDeclaration extends Declaration {
  readonly type: 'counter'
}

interface GaugeDeclaration extends Declaration {
  readonly type: 'gauge'
}

interface HistogramDeclaration extends Declaration {
  readonly type: 'histogram'
  /** Upper bounds of the buckets, rising, in the unit of the metric. */
  readonly buckets: readonly number[]
}

type LabelsOf<D extends MetricDeclaration> = D extends { readonly labels: infer L extends LabelDeclarations }
  ? L
  : Record<never, never>

/** The labels of a metric as a caller gives them: all of them, with listed values where they are listed. */
type LabelValues<D extends MetricDeclaration> = {
  readonly [Label in keyof LabelsOf<D>]: LabelsOf<D>[Label] extends readonly (infer Value)[] ? Value : string
}

/** Labels come first, and only where the metric has some. */
type Labelled<D extends MetricDeclaration, Rest extends unknown[]> = keyof LabelsOf<D> extends never
  ? Rest
  : [labels: LabelValues<D>, ...Rest]

interface CounterMetric<D extends MetricDeclaration> {
  /** Adds 1, or `by`. */
  inc(...given: Labelled<D, [by?: number]>): void
}

interface GaugeMetric<D extends MetricDeclaration> {
  set(...given: Labelled<D, [value: number]>): void
  inc(...given: Labelled<D, [by?: number]>): void
  dec(...given: Labelled<D, [by?: number]>): void
  /** Reads the value at every scrape; if that fails, the value is NaN and the other metrics are served. */
  measure(...given: Labelled<D, [read: () => number | Promise<number>]>): void
}

interface HistogramMetric<D extends MetricDeclaration> {
  observe(...given: Labelled<D, [value: number]>): void
}

/** The metrics of a table, by name. */
export type MetricsOf<Table extends MetricTable> = {
  readonly [Name in keyof Table]: Table[Name] extends CounterDeclaration
    ? CounterMetric<Table[Name]>
    : Table[Name] extends GaugeDeclaration
      ? GaugeMetric<Table[Name]>
      : HistogramMetric<Table[Name]>
}
