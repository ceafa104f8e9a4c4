import { Type } from 'typebox'
import type { KernelSettings } from '../config/index.ts'
import { anonymous, detailed } from '../health/index.ts'
import { type App, route, serve } from '../http/index.ts'
import type { ServiceContext } from './definition.ts'

const Check = Type.Object({ name: Type.String(), ok: Type.Boolean(), detail: Type.Optional(Type.String()) })
const Verdict = Type.Object({ ready: Type.Boolean(), checks: Type.Array(Check) }, { $id: 'ReadinessVerdict' })
const Health = Type.Object({ healthy: Type.Boolean(), status: Type.String() }, { $id: 'Health' })

/** Paths of the operational endpoints; a service leaves out those its contract does not have. */
export interface OperationPaths {
  readonly health: string
  readonly ready?: string
  /** The same with the reason of each check; takes an API key. */
  readonly readyDetails?: string
  readonly metrics?: string
}

/** The settings section `Metrics`, and further options of a service. */
export type OperationOptions = KernelSettings['Metrics'] & {
  /** Whether even the verdict without details requires an API key. Default false. */
  readonly readyRequiresKey?: boolean
  /** Access to what is not public. Default: an API key. */
  readonly access?: string
}

/** Sources of the answers. */
type OperationContext = Pick<ServiceContext, 'readiness' | 'metrics'>

/** Adds liveness, readiness and metrics to an app. */
export function serveOperations(
  app: App,
  context: OperationContext,
  paths: OperationPaths,
  options: OperationOptions,
): void {
  serveHealth(app, paths.health)
  const { access = 'key', readyRequiresKey, Enabled, RequireApiKey } = options
  const unless = (isOpen: boolean) => (isOpen ? 'anonymous' : access)
  if (paths.ready) serveReady(app, context, paths.ready, unless(!readyRequiresKey))
  if (paths.readyDetails) serveReadyDetails(app, context, paths.readyDetails, access)
  if (paths.metrics && Enabled) serveMetrics(app, context, paths.metrics, unless(!RequireApiKey))
}

const tags = ['Operations']

/** Liveness: this process answers. Whether it can work is readiness. */
function serveHealth(app: App, path: string): void {
  const health = route({
    method: 'GET',
    path,
    tags,
    summary: 'Whether the process answers.',
    access: 'anonymous',
    answer: Health,
  })
  serve(app, health, () => ({ healthy: true, status: 'OK' }))
}

function serveReady(app: App, { readiness }: OperationContext, path: string, access: string): void {
  const summary = 'Whether the service can work, check by check.'
  const ready = route({
    method: 'GET',
    path,
    tags,
    summary,
    access,
    answer: Verdict,
    otherAnswers: { 503: Verdict },
  })
  serve(app, ready, async ({ reply }) => {
    const verdict = await readiness.verdict()
    reply.code(verdict.ready ? 200 : 503)
    return anonymous(verdict)
  })
}

function serveReadyDetails(app: App, { readiness }: OperationContext, path: string, access: string): void {
  const summary = 'The same with the reason of each check.'
  const details = route({ method: 'GET', path, tags, summary, access, answer: Verdict, otherAnswers: { 503: Verdict } })
  serve(app, details, async ({ reply }) => {
    const verdict = await readiness.verdict()
    reply.code(verdict.ready ? 200 : 503)
    return detailed(verdict)
  })
}

function serveMetrics(app: App, { metrics }: OperationContext, path: string, access: string): void {
  const summary = 'Counters and durations in Prometheus text format.'
  const text = route({ method: 'GET', path, tags, summary, access, produces: 'text/plain' })
  serve(app, text, async ({ reply }) => {
    reply.type(metrics.contentType)
    return metrics.text()
  })
}
