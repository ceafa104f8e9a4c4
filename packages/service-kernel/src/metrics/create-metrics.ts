import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

/** The metrics of one service: a registry of its own, so that several services in one process do not mix. */
export interface Metrics {
  readonly registry: Registry
  /** Begins every name, as the specification of a service may demand: `bulk_`. */
  readonly prefix: string
  /** Prometheus text exposition. */
  text(): Promise<string>
  /** The content type of that text. */
  readonly contentType: string
}

export interface MetricsOptions {
  readonly service: string
  readonly version: string
  /** Begins every name, those of the process included. Default: none. */
  readonly prefix?: string
}

/** Opens a registry with the metrics of the process and `build_info`, which carries service and version as labels. */
export function createMetrics({ service, version, prefix = '' }: MetricsOptions): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix })
  new Gauge({
    name: `${prefix}build_info`,
    help: 'Always 1; which service this is, in which version.',
    labelNames: ['service', 'version'],
    registers: [registry],
  }).set({ service, version }, 1)
  return { registry, prefix, text: () => registry.metrics(), contentType: registry.contentType }
}
