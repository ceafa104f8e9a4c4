import type { EndpointKeys } from './endpoints.ts'
import type { TakenDelivery } from './line-statements.ts'
import type { EndpointRow, EventRow } from './tables.ts'

/** A delivery in the hands of this process. */
export interface DeliveryInHand extends TakenDelivery {
  readonly claim: string
  readonly event: EventRow
}

/** An endpoint with its secrets opened. */
interface OpenEndpoint {
  readonly row: EndpointRow
  readonly keys: EndpointKeys
}

/** Deliveries in hand per one under way, so that an endpoint stays busy while the next ones are taken. */
const AHEAD = 4

const NEVER = Number.POSITIVE_INFINITY

/** What a sender knows of one endpoint and its line. Nothing of one endpoint stands in another's way. */
export class Line {
  readonly endpointId: string
  /** As it was when the line was last taken from. */
  endpoint: OpenEndpoint | undefined
  /** Taken and not sent yet. */
  readonly queue: DeliveryInHand[] = []
  #dueAt = NEVER
  #underWay = 0
  /** Whether the last attempt was delivered. */
  #isProven = false
  /** An attempt failed: what it means for the endpoint is settled before the next one begins. */
  #isHalted = false
  /** Sends the endpoint's rate still allows, and when that was worked out. */
  #allowance = 0
  #allowanceAt = 0

  constructor(endpointId: string) {
    this.endpointId = endpointId
  }

  /** When the line goes on, in milliseconds of the clock. */
  get dueAt(): number {
    return Math.max(this.#dueAt, this.#opensAt)
  }

  /** Something was added to the line, or will be due. */
  goesOnAt(time: number): void {
    this.#dueAt = Math.min(this.#dueAt, time)
  }

  /** What is in the line now is due at this time. */
  restsUntil(time: number): void {
    this.#dueAt = time
  }

  /** Forgets how the endpoint was, unless deliveries rest on it. */
  looksAgain(): void {
    if (this.queue.length === 0 && this.#underWay === 0) this.endpoint = undefined
  }

  get hasRoom(): boolean {
    return !this.endpoint || this.#room > 0
  }

  /** How many deliveries to take now. */
  wanted(now: number): number {
    return this.endpoint && this.dueAt <= now ? Math.max(0, this.#room) : 0
  }

  /** Whether a delivery may be sent now. */
  maySend(now: number): boolean {
    if (!this.endpoint || this.#isHalted || this.queue.length === 0 || this.#underWay >= this.#width) return false
    return this.#isAllowed(now)
  }

  begins(): void {
    this.#underWay += 1
    if (this.endpoint?.row.per_second) this.#allowance -= 1
  }

  ends(delivered: boolean): void {
    this.#underWay -= 1
    this.#isProven = delivered
    if (!delivered) this.#isHalted = true
  }

  /** What ended is in the database. */
  settled(): void {
    this.#isHalted = false
  }

  /** Whether the endpoint answers. One that does not, or is not known to, gets one attempt at a time. */
  get isProven(): boolean {
    return this.#isProven
  }

  /** When to look at the line again; never while attempts under way will do so. */
  nextAt(now: number): number {
    if (this.queue.length > 0) return this.#underWay > 0 ? NEVER : now + this.#untilAllowed()
    return this.#underWay > 0 ? NEVER : this.dueAt
  }

  /** Whether nothing is known of the line any more. */
  get isDone(): boolean {
    return this.#dueAt === NEVER && this.queue.length === 0 && this.#underWay === 0
  }

  get #width(): number {
    return this.#isProven ? this.endpoint!.row.concurrency : 1
  }

  // After a pause of the breaker one delivery goes ahead and says whether the others may follow.
  get #room(): number {
    const most = this.endpoint!.row.open_until === null ? this.#width * AHEAD : 1
    return most - this.queue.length - this.#underWay
  }

  get #opensAt(): number {
    const until = this.endpoint?.row.open_until
    return until ? Date.parse(until) : 0
  }

  // A bucket of one second.
  #isAllowed(now: number): boolean {
    const rate = this.endpoint?.row.per_second
    if (!rate) return true
    this.#allowance = Math.min(rate, this.#allowance + ((now - this.#allowanceAt) / 1000) * rate)
    this.#allowanceAt = now
    return this.#allowance >= 1
  }

  #untilAllowed(): number {
    const rate = this.endpoint?.row.per_second
    return rate ? Math.ceil(((1 - this.#allowance) / rate) * 1000) : 1
  }
}
