import { defineMetrics, type MetricTable } from '@chancela/service-kernel/metrics'
import type { Context } from './context.ts'
import { sessionTypes } from './contract/models.ts'
import { providerOperations } from './contract/provider-operations.ts'
import { providerProblems } from './upstream/provider-problem.ts'

/** Outcomes of hashes to sign; `unknown` may have been signed, `wrong` do not match the certificate. */
const signatureOutcomes = ['signed', 'refused', 'unknown', 'wrong'] as const

/** Outcomes of holders returning from a provider. */
const authorizationOutcomes = ['authorized', 'denied', 'failed', 'late'] as const

/** Every metric of the service. */
const hubMetricTable = {
  hub_sessions_created_total: {
    type: 'counter',
    help: 'Sessions that were created, by their type: one for every provider a client was told of.',
    labels: { type: sessionTypes },
  },
  hub_session_authorizations_total: {
    type: 'counter',
    help: 'Holders that came back from a provider, by how it ended.',
    labels: { outcome: authorizationOutcomes },
  },
  hub_signatures_total: {
    type: 'counter',
    help: 'Hashes that were sent to a provider to be signed, by how it ended.',
    labels: { outcome: signatureOutcomes },
  },
  hub_sign_calls_total: {
    type: 'counter',
    help: 'Calls of providers that signed one hash or several at once.',
  },
  hub_sweep_seconds: {
    type: 'histogram',
    help: 'Time of one tick of the sweep of expired sessions, in seconds; a tick handles a bounded number of rows.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
  },
  hub_provider_seconds: {
    type: 'histogram',
    help: 'Time of calls of a provider, in seconds, however they ended.',
    labels: { provider: 'any', operation: providerOperations },
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
  },
  hub_provider_problems_total: {
    type: 'counter',
    help: 'What went wrong at a provider.',
    labels: { provider: 'any', operation: providerOperations, kind: providerProblems },
  },
  hub_provider_breaker: {
    type: 'gauge',
    help: 'Whether a provider is left alone after failures: 0 for no, 1 for one call on trial, 2 for yes.',
    labels: { provider: 'any', calls: ['discovery', 'use'] },
  },
} as const satisfies MetricTable

export const openHubMetrics = ({ metrics }: Pick<Context, 'metrics'>) => defineMetrics(metrics.registry, hubMetricTable)

export type HubMetrics = ReturnType<typeof openHubMetrics>
