import { HOUR, plus, SECOND } from '@chancela/service-kernel/clock'
import { type Db, move } from '@chancela/service-kernel/store'
import { type DeliverySchedule, nextDelivery } from './delivery-schedule.ts'
import { cancelWaiting } from './endpoints.ts'
import {
  type AttemptValues,
  type DeliveredRow,
  type HealthRow,
  recordAttempts,
  recordHealth,
  type SettledRow,
  settleDelivered,
  settleFailed,
  type TakenDelivery,
  waitsBefore,
} from './line-statements.ts'
import type { PostOutcome } from './post-delivery.ts'
import { reason } from './reason-texts.ts'
import type { FailurePolicy } from './sender-options.ts'
import { type EndpointRow, endpointMoves, webhookTables } from './tables.ts'

/** An attempt that ended. */
export interface EndedAttempt {
  readonly delivery: TakenDelivery
  /** The endpoint as it was when the attempt began. */
  readonly endpoint: EndpointRow
  readonly outcome: PostOutcome
  readonly at: Date
  /** The body, where it was rendered for this attempt. */
  readonly rendered: string | null
  /** Its subject is gone: the delivery is canceled and does not affect the endpoint's health. */
  readonly nothingToReport?: true
}

/** Health of an endpoint. */
type EndpointHealth = Pick<EndpointRow, 'failing_since' | 'failures' | 'open_until'>

/** The effect of ended attempts on their endpoint. */
export interface Verdict {
  /** The endpoint with its health now. */
  readonly row: EndpointRow
  /** Why it is disabled. */
  readonly reason?: string
}

const defaults = {
  opensAfter: 10,
  firstPause: 30,
  longestPause: 3600,
  disablesAfter: 20,
} as const satisfies FailurePolicy

/**
 * Writes the results of attempts in the caller's transaction. Where another sender ended the same attempt first, its
 * result stays. Returns which deliveries are retried, and when.
 */
export async function settleAttempts<Tables>(
  db: Db<Tables>,
  schedule: DeliverySchedule,
  attempts: readonly EndedAttempt[],
): Promise<ReadonlyMap<number, number>> {
  const arrived = attempts.filter(({ outcome }) => outcome.delivered)
  if (arrived.length > 0) await settleDelivered(db, arrived.map(deliveredRow))
  const failures = attempts.filter(({ outcome }) => !outcome.delivered)
  const waited = await secondsWaited(db, failures)
  const failed = failures.map((attempt) => settledRow(schedule, attempt, waited.get(attempt.delivery.id)))
  if (failed.length > 0) await settleFailed(db, failed)
  const logged = attempts.filter(({ outcome, rendered }) => !outcome.delivered || rendered !== null)
  if (logged.length > 0) await recordAttempts(db, logged.map(attemptValues))
  return new Map(failed.filter(([, , state]) => state === 'waiting').map(([id, , , dueAt]) => [id, Date.parse(dueAt)]))
}

/** How long each delivery had waited before its attempt, in seconds; read for those that failed before, which are few. */
async function secondsWaited<Tables>(
  db: Db<Tables>,
  failures: readonly EndedAttempt[],
): Promise<ReadonlyMap<number, number>> {
  const again = failures.flatMap(({ delivery }) => (delivery.attempts > 0 ? [delivery.id] : []))
  if (again.length === 0) return new Map()
  const rows = await waitsBefore(db, again)
  return new Map(
    rows.map(({ id, due_at, at, duration_ms }) => [id, (Date.parse(due_at) - Date.parse(at) - duration_ms) / SECOND]),
  )
}

function settledRow(
  schedule: DeliverySchedule,
  { delivery, outcome, at, nothingToReport }: EndedAttempt,
  waited: number | undefined,
): SettledRow {
  const { id } = delivery
  const attempts = delivery.attempts + 1
  const now = at.toISOString()
  if (nothingToReport) return [id, attempts, 'canceled', now, now, null, outcome.error]
  const retry = nextDelivery(schedule, { ...outcome, attempts, waited }, at)
  if (!retry) return [id, attempts, 'failed', now, now, outcome.status, outcome.error]
  return [id, attempts, 'waiting', retry.toISOString(), null, outcome.status, outcome.error]
}

const deliveredRow = ({ delivery, outcome, at }: EndedAttempt): DeliveredRow => [
  delivery.id,
  delivery.attempts + 1,
  at.toISOString(),
  outcome.status,
  outcome.durationMs,
  outcome.answer,
]

const attemptValues = ({ delivery, outcome, at, rendered }: EndedAttempt): AttemptValues => [
  delivery.id,
  delivery.attempts + 1,
  plus(at, -outcome.durationMs).toISOString(),
  outcome.durationMs,
  outcome.status,
  outcome.error,
  outcome.answer,
  rendered,
]

/** The endpoint's health after its attempts, in the order they ended. */
function healthAfter(
  before: EndpointHealth,
  attempts: readonly EndedAttempt[],
  { opensAfter, firstPause, longestPause }: FailurePolicy = {},
): EndpointHealth {
  return attempts.reduce<EndpointHealth>((health, { outcome, at }) => {
    if (outcome.delivered) return { failing_since: null, failures: 0, open_until: null }
    const failures = health.failures + 1
    const beyond = failures - (opensAfter ?? defaults.opensAfter)
    const pause = Math.min(longestPause ?? defaults.longestPause, (firstPause ?? defaults.firstPause) * 2 ** beyond)
    return {
      failing_since: health.failing_since ?? at.toISOString(),
      failures,
      open_until: beyond < 0 ? health.open_until : plus(at, pause * SECOND).toISOString(),
    }
  }, before)
}

/** Why an endpoint must be disabled; undefined otherwise. */
function givenUp(
  health: EndpointHealth,
  attempts: readonly EndedAttempt[],
  { disablesOnGone, disablesAfterHours, disablesAfter }: FailurePolicy = {},
): string | undefined {
  const last = attempts.at(-1)
  if (!last) return undefined
  if (disablesOnGone && attempts.some(({ outcome }) => outcome.gone)) return reason('gone-for-good')
  const since = health.failing_since
  if (!disablesAfterHours || since === null) return undefined
  if (health.failures < (disablesAfter ?? defaults.disablesAfter)) return undefined
  if (last.at.getTime() - Date.parse(since) < disablesAfterHours * HOUR) return undefined
  return reason('failing', { since })
}

/**
 * Writes the health of endpoints after failed attempts, or after a success that ends failures. A change of the endpoint
 * meanwhile resets its health and takes precedence.
 */
export async function settleHealth<Tables>(db: Db<Tables>, verdicts: readonly Verdict[]): Promise<readonly Verdict[]> {
  if (verdicts.length === 0) return []
  const written = new Set((await recordHealth(db, verdicts.map(healthRow))).map(({ id }) => id))
  return verdicts.filter(({ row }) => written.has(row.id))
}

const healthRow = ({ row }: Verdict): HealthRow => [
  row.id,
  row.updated_at,
  row.failing_since,
  row.failures,
  row.open_until,
]

/** The effect of attempts on each endpoint; only of those that changed. `known` is the endpoint as last seen. */
export function verdictsOn(
  attempts: readonly EndedAttempt[],
  known: (endpointId: string) => EndpointRow | undefined,
  policy: FailurePolicy | undefined,
): readonly Verdict[] {
  const told = attempts.filter(({ nothingToReport }) => !nothingToReport)
  return [...grouped(told)].flatMap(([endpointId, all]) => {
    const row = known(endpointId) ?? all.at(-1)!.endpoint
    if (row.failures === 0 && all.every(({ outcome }) => outcome.delivered)) return []
    const health = healthAfter(row, all, policy)
    const reason = givenUp(health, all, policy)
    return [{ row: { ...row, ...health }, ...(reason !== undefined && { reason }) }]
  })
}

function grouped(ended: readonly EndedAttempt[]): ReadonlyMap<string, EndedAttempt[]> {
  const groups = new Map<string, EndedAttempt[]>()
  for (const one of ended) {
    const group = groups.get(one.endpoint.id)
    if (group) group.push(one)
    else groups.set(one.endpoint.id, [one])
  }
  return groups
}

/** Disables a failing endpoint, and cancels its waiting deliveries; false when another sender did. */
export async function giveUp<Tables>(db: Db<Tables>, { row, reason }: Verdict, now: Date): Promise<boolean> {
  if (reason === undefined) return false
  const at = now.toISOString()
  const disabled = await move(webhookTables(db), {
    table: 'webhook_endpoint',
    column: 'state',
    moves: endpointMoves,
    move: 'disabled',
    id: row.id,
    set: { state_reason: reason, state_at: at, updated_at: at },
  })
  if (!disabled) return false
  await cancelWaiting(db, row.id, reason, now)
  return true
}
