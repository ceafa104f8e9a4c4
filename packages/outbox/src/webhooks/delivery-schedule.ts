import { plus, SECOND } from '@chancela/service-kernel/clock'

/** When failed deliveries are tried again. */
export interface DeliverySchedule {
  /** Seconds before each retry, at least and at most: a delivery has one attempt more than there are waits. */
  readonly waits: readonly Wait[]
}

type Wait = readonly [least: number, most: number]

/**
 * The growing intervals of the platforms we are compatible with (document-platform facts 2): before retry n they wait
 * (n−1)⁴ + 15 seconds and up to 29 n more. Their mean is kept: ten retries take about four and a half hours. The random
 * part ends where the next wait could be the shorter one: intervals grow (spec 3 A, Events).
 */
export const growingIntervals = (attempts: number): DeliverySchedule => ({
  waits: Array.from({ length: Math.max(0, attempts - 1) }, (_, at) => waitBefore(at + 1)),
})

function waitBefore(retry: number): Wait {
  const [mean, meanBefore] = [meanWait(retry), meanWait(retry - 1)]
  const spread = Math.min(29 * retry, mean - meanBefore) / 2
  return [mean - spread, mean + spread]
}

const meanWait = (retry: number): number => (retry - 1) ** 4 + 15 + 14.5 * retry

/** An answer that asks for patience gets at least this much, in seconds. */
const PATIENCE = 60
/** Longest wait a receiver can ask for, in seconds. */
const LONGEST_RETRY_AFTER = 6 * 60 * 60
/** A wait is longer than the one before by so many seconds at least, whatever made that one long. */
const LEAST_GROWTH = 1

/** The result of an attempt, as far as the next one depends on it. */
export interface FailedDelivery {
  /** Attempts made, this one included. */
  readonly attempts: number
  /** The receiver is overloaded or did not answer in time: 429, 502, 503, 504, a timeout. */
  readonly needsPatience: boolean
  /** Seconds of its `Retry-After`. */
  readonly retryAfter?: number
  /** Seconds that were waited before this attempt; nothing before the first. */
  readonly waited?: number | undefined
}

/** When the next attempt is due; undefined when none is left. */
export function nextDelivery(
  { waits }: DeliverySchedule,
  { attempts, needsPatience, retryAfter, waited }: FailedDelivery,
  now: Date,
  random: () => number = Math.random,
): Date | undefined {
  const wait = waits[attempts - 1]
  if (!wait) return undefined
  const [least, most] = wait
  const planned = least + (most - least) * random()
  const asked = Math.min(retryAfter ?? 0, LONGEST_RETRY_AFTER)
  const longer = waited === undefined ? 0 : waited + growthTo(wait, waits[attempts - 2])
  return plus(now, Math.max(planned, asked, needsPatience ? PATIENCE : 0, longer) * SECOND)
}

/** What lies between two waits of the schedule: a receiver that asked for patience goes on along the same curve, later. */
const growthTo = ([least]: Wait, before: Wait | undefined): number =>
  Math.max(LEAST_GROWTH, least - (before?.[1] ?? least))

/** `Retry-After` in seconds: a number, or a date of HTTP. */
export function retryAfterSeconds(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value)
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now.getTime()) / SECOND))
}
