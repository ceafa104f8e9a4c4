import { HOUR, plus, SECOND } from '../clock/index.ts'
import type { Db } from '../store/index.ts'
import { type DeliverySchedule, nextDelivery } from './delivery-schedule.ts'
import { cancelWaiting } from './endpoints.ts'
import type { DeliveryInHand } from './line.ts'
import { type AttemptValues, recordAttempts, type SettledRow, settleDeliveries } from './line-statements.ts'
import type { PostOutcome } from './post-delivery.ts'
import type { FailurePolicy } from './sender-options.ts'
import { type EndpointRow, webhookTables } from './tables.ts'

/** An attempt that ended. */
export interface EndedAttempt {
  readonly delivery: DeliveryInHand
  readonly outcome: PostOutcome
  readonly at: Date
  /** The body, where it was rendered for this attempt. */
  readonly rendered: string | null
  /** What it tells of is gone: the delivery is canceled and says nothing about the endpoint. */
  readonly nothingToTell?: true
}

/** What ended attempts made of their endpoint. */
export interface EndpointHealth {
  readonly failing_since: string | null
  readonly failures: number
  readonly open_until: string | null
}

const defaults = {
  opensAfter: 10,
  firstPause: 30,
  longestPause: 3600,
  disablesAfterHours: 120,
  disablesAfter: 20,
} as const satisfies Required<FailurePolicy>

/** Writes what came of attempts: in the caller's transaction, all of it or nothing. An attempt that lost its claim is left out. */
export async function settleAttempts<Tables>(
  db: Db<Tables>,
  schedule: DeliverySchedule,
  attempts: readonly EndedAttempt[],
): Promise<void> {
  const settled = await settleDeliveries(
    db,
    attempts.map((attempt) => settledRow(schedule, attempt)),
  )
  const ours = new Set(settled.map(({ id }) => Number(id)))
  const rows = attempts.filter(({ delivery }) => ours.has(delivery.id)).map(attemptValues)
  if (rows.length > 0) await recordAttempts(db, rows)
}

function settledRow(schedule: DeliverySchedule, { delivery, outcome, at, nothingToTell }: EndedAttempt): SettledRow {
  const { id, claim, attempts } = delivery
  const now = at.toISOString()
  if (nothingToTell) return [id, claim, 'canceled', now, now, null, outcome.error]
  if (outcome.delivered) return [id, claim, 'delivered', now, now, outcome.status, null]
  const retry = outcome.gone ? undefined : nextDelivery(schedule, { ...outcome, attempts }, at)
  if (!retry) return [id, claim, 'failed', now, now, outcome.status, outcome.error]
  return [id, claim, 'waiting', retry.toISOString(), null, outcome.status, outcome.error]
}

const attemptValues = ({ delivery, outcome, at, rendered }: EndedAttempt): AttemptValues => [
  delivery.id,
  plus(at, -outcome.durationMs).toISOString(),
  outcome.durationMs,
  outcome.status,
  outcome.error,
  outcome.answer,
  rendered,
]

/** The endpoint's health after its attempts, in the order they ended. */
export function healthAfter(
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

/** Why an endpoint is given up; nothing while it is not. */
export function givenUp(
  health: EndpointHealth,
  attempts: readonly EndedAttempt[],
  { disablesAfterHours, disablesAfter }: FailurePolicy = {},
): string | undefined {
  const last = attempts.at(-1)
  if (!last) return undefined
  if (attempts.some(({ outcome }) => outcome.gone)) return 'The receiver answered 410: it is gone for good.'
  const hours = disablesAfterHours ?? defaults.disablesAfterHours
  const since = health.failing_since
  if (since === null || health.failures < (disablesAfter ?? defaults.disablesAfter)) return undefined
  if (last.at.getTime() - Date.parse(since) < hours * HOUR) return undefined
  return `Every attempt since ${since} has failed.`
}

/**
 * Records the health of an endpoint, and disables it when it is given up, with what waits and what was taken for it and
 * not sent; true when this did so.
 */
export async function recordHealth<Tables>(
  db: Db<Tables>,
  endpoint: Pick<EndpointRow, 'id'>,
  health: EndpointHealth,
  reason: string | undefined,
  now: Date,
  taken: readonly number[] = [],
): Promise<boolean> {
  const update = webhookTables(db).updateTable('webhook_endpoint').where('id', '=', endpoint.id)
  if (reason === undefined) {
    await update.set(health).execute()
    return false
  }
  const at = now.toISOString()
  const disabled = { state: 'disabled', state_reason: reason, state_at: at, updated_at: at } as const
  const { numUpdatedRows } = await update
    .set({ ...health, ...disabled })
    .where('state', '!=', 'disabled')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await cancelWaiting(db, endpoint.id, reason, now)
  if (taken.length > 0)
    await webhookTables(db)
      .updateTable('webhook_delivery')
      .set((row) => ({
        state: 'canceled' as const,
        claim: null,
        attempts: row('attempts', '-', 1),
        finished_at: at,
        last_error: reason,
      }))
      .where('id', 'in', [...taken])
      .execute()
  return true
}
