import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

/** The metrics of one service: a registry of its own, so that several services in one process do not mix. */
export interface Metrics {
  readonly registry: Registry
  /** Prefix of every name, if the specification of a service requires one: `bulk_`. */
  readonly prefix: string
  /** Prometheus text exposition. */
  text(): Promise<string>
  /** The content type of that text. */
  readonly contentType: string
}

export interface MetricsOptions {
  readonly service: string
  readonly version: string
  /** Prefix of every name, those of the process included. Default: none. */
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
