import { plus, SECOND } from '@chancela/service-kernel/clock'

/** When failed deliveries are tried again. */
export interface DeliverySchedule {
  /** Seconds before each retry, at least and at most: a delivery has one attempt more than there are waits. */
  readonly waits: readonly (readonly [least: number, most: number])[]
}

/**
 * The growing intervals of the platforms we are compatible with (document-platform facts 2): before retry n they wait
 * (n−1)⁴ + 15 seconds and up to 29 n more. Ten retries take about four and a half hours.
 */
export const growingIntervals = (attempts: number): DeliverySchedule => ({
  waits: Array.from({ length: Math.max(0, attempts - 1) }, (_, at) => {
    const least = at ** 4 + 15
    return [least, least + 29 * (at + 1)] as const
  }),
})

/** The minimum wait, in seconds, after a response that asks for patience. */
const PATIENCE = 60
/** Longest wait a receiver can ask for, in seconds. */
const LONGEST_RETRY_AFTER = 6 * 60 * 60

/** The result of an attempt, as far as the next one depends on it. */
export interface FailedDelivery {
  /** Attempts made, this one included. */
  readonly attempts: number
  /** The receiver is overloaded or did not answer in time: 429, 502, 503, 504, a timeout. */
  readonly needsPatience: boolean
  /** Seconds of its `Retry-After`. */
  readonly retryAfter?: number
}

/** When the next attempt is due; undefined when none is left. */
export function nextDelivery(
  { waits }: DeliverySchedule,
  { attempts, needsPatience, retryAfter }: FailedDelivery,
  now: Date,
  random: () => number = Math.random,
): Date | undefined {
  const wait = waits[attempts - 1]
  if (!wait) return undefined
  const [least, most] = wait
  const planned = least + (most - least) * random()
  const asked = Math.min(retryAfter ?? 0, LONGEST_RETRY_AFTER)
  return plus(now, Math.max(planned, asked, needsPatience ? PATIENCE : 0) * SECOND)
}

/** `Retry-After` in seconds: a number, or an HTTP date. */
export function retryAfterSeconds(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value)
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now.getTime()) / SECOND))
}
