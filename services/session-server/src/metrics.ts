import { defineMetrics, type MetricTable } from '@chancela/service-kernel/metrics'
import type { Context } from './context.ts'

// From a small document with the signature service nearby to a large one with the service far away.
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const

/** Outcome of a document sent to be signed. */
export const signatureOutcomes = ['signed', 'canceled', 'rejected', 'failed', 'timed-out', 'unknown'] as const

/** The steps of one signature that take time. */
export const signingStages = ['upload', 'create', 'begin', 'key', 'complete'] as const

/** Every metric of the service. */
const sessionMetricTable = {
  session_signatures_total: {
    type: 'counter',
    help: 'Documents that went out to be signed, by how it ended.',
    labels: { outcome: signatureOutcomes },
  },
  session_signing_seconds: {
    type: 'histogram',
    help: 'Time of the steps of a signature, in seconds: four at the signature service, one at the key.',
    labels: { stage: signingStages },
    buckets: SECONDS,
  },
  session_documents_in_flight: {
    type: 'gauge',
    help: 'Documents that are sent to the signature service or signed there now.',
  },
  session_held_bytes: { type: 'gauge', help: 'Bytes of documents held in memory.' },
  session_live_sessions: { type: 'gauge', help: 'Sessions that are active.' },
  session_workstations_online: { type: 'gauge', help: 'Workstations that are connected.' },
} as const satisfies MetricTable

export const openSessionMetrics = ({ metrics }: Pick<Context, 'metrics'>) =>
  defineMetrics(metrics.registry, sessionMetricTable)

export type SessionMetrics = ReturnType<typeof openSessionMetrics>
