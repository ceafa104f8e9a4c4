import type { Metrics } from './create-metrics.ts'
import { defineMetrics } from './define-metrics.ts'

/** Durations of requests. */
export interface HttpMetrics {
  /** The route's template, never the path: each distinct label value is a series that Prometheus keeps. */
  observe(routeTemplate: string, method: string, status: number, seconds: number): void
}

// From a cached answer to a large signature; performance targets of the services lie inside.
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const

// Two surfaces of one service share its registry, in which a name can be declared only once.
const declared = new WeakMap<Metrics['registry'], HttpMetrics>()

/** The histogram that every surface of a service uses for its responses. */
export function httpMetrics(metrics: Metrics): HttpMetrics {
  const known = declared.get(metrics.registry)
  if (known) return known
  const fresh = declareHttpMetrics(metrics)
  declared.set(metrics.registry, fresh)
  return fresh
}

function declareHttpMetrics({ registry, prefix }: Metrics): HttpMetrics {
  const name = `${prefix}http_request_duration_seconds`
  const duration = defineMetrics(registry, {
    [name]: {
      type: 'histogram',
      help: 'Time from the arrival of a request to the end of its answer, in seconds.',
      labels: { route: 'any', method: 'any', status: 'any' },
      buckets: BUCKETS,
    },
  })[name]!
  return {
    observe: (route, method, status, seconds) => duration.observe({ route, method, status: String(status) }, seconds),
  }
}
