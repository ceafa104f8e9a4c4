import { SECOND } from '@chancela/service-kernel/clock'
import { Bucket } from './bucket.ts'
import type { TakenDelivery } from './line-statements.ts'
import type { Target } from './post-delivery.ts'
import type { EndpointRow } from './tables.ts'

/** An endpoint with its secrets opened. */
export interface OpenEndpoint {
  readonly row: EndpointRow
  readonly target: Target
  /** How long the opened secrets are valid, in milliseconds of the clock. */
  readonly freshUntil: number
}

/** Lease of a line, unless renewed: the delay after a sender's process died. */
export const LEASE = 15 * SECOND
/** A lease is renewed when this much of it is left. */
const RENEWED_AT = LEASE / 2

/** Deliveries prefetched per concurrent one, and how many are left when the next are read. */
const AHEAD = 8
const LEFT = 4

const NEVER = Number.POSITIVE_INFINITY

/** A sender's state of one endpoint and its line. Endpoints do not block each other. */
export class Line {
  readonly endpointId: string
  /** Read and not sent yet. */
  readonly queue: TakenDelivery[] = []
  /** All deliveries of the line that this sender holds: queued, in progress, or ended and not written yet. */
  readonly inHand = new Set<number>()
  #endpoint: OpenEndpoint | undefined
  #leasedUntil = 0
  #opensAt = 0
  #dueAt = NEVER
  #underWay = 0
  /** Whether the last attempt succeeded, and whether earlier ones were known to have failed. */
  #isProven = false
  #isFailing = false
  /** An attempt failed: its effect on the endpoint is written before the next one begins. */
  #isHalted = false
  /** The endpoint's remaining rate. */
  #rate: Bucket | undefined

  constructor(endpointId: string) {
    this.endpointId = endpointId
  }

  /** The row as of the lease, updated with later attempts. */
  get endpoint(): OpenEndpoint | undefined {
    return this.#endpoint
  }

  leased(endpoint: OpenEndpoint, until: number): void {
    this.knows(endpoint)
    this.#leasedUntil = until
  }

  knows(endpoint: OpenEndpoint): void {
    this.#endpoint = endpoint
    const { open_until, per_second, failures } = endpoint.row
    this.#isFailing = failures > 0
    this.#opensAt = open_until === null ? 0 : Date.parse(open_until)
    if (per_second === null) this.#rate = undefined
    else if (this.#rate?.perSecond !== per_second) this.#rate = new Bucket(per_second)
  }

  /** Drops what was not sent yet and the endpoint's row: it is read again before anything is sent. */
  looksAgain(): void {
    for (const { id } of this.queue.splice(0)) this.inHand.delete(id)
    this.#endpoint = undefined
    this.#leasedUntil = 0
    this.#opensAt = 0
  }

  /** Whether the line must be leased, or the endpoint read, before deliveries are taken or sent. */
  mustLease(now: number): boolean {
    const isKnown = this.#endpoint !== undefined && now < this.#endpoint.freshUntil
    return !isKnown || this.#leasedUntil - now <= RENEWED_AT
  }

  /** When the line is next due, in milliseconds of the clock. */
  get dueAt(): number {
    return Math.max(this.#dueAt, this.#opensAt)
  }

  /** A delivery was added to the line, or becomes due. */
  goesOnAt(time: number): void {
    this.#dueAt = Math.min(this.#dueAt, time)
  }

  /** The next delivery that is not held is due at this time. */
  restsUntil(time: number): void {
    this.#dueAt = time
  }

  /** Whether deliveries should be taken from the line, or its lease renewed, now. */
  isHungry(now: number): boolean {
    if (this.#isHalted) return false
    if (this.dueAt <= now && this.wanted > 0 && this.queue.length <= this.#width * LEFT) return true
    return this.queue.length + this.#underWay > 0 && this.mustLease(now)
  }

  /** How many deliveries to take. After a pause of the breaker one is sent first, as a trial. */
  get wanted(): number {
    if (!this.#isProven || this.#opensAt > 0) return 1 - this.queue.length - this.#underWay
    return this.#width * AHEAD - this.queue.length
  }

  takes(deliveries: readonly TakenDelivery[]): void {
    for (const delivery of deliveries) {
      this.queue.push(delivery)
      this.inHand.add(delivery.id)
    }
  }

  /** Whether a delivery may be sent now. */
  maySend(now: number): boolean {
    if (!this.#endpoint || this.#isHalted || this.queue.length === 0 || this.#underWay >= this.#width) return false
    return now < this.#leasedUntil && (this.#rate?.allows(now) ?? true)
  }

  begins(): TakenDelivery {
    this.#underWay += 1
    this.#rate?.take()
    return this.queue.shift()!
  }

  ends(delivered: boolean): void {
    this.#underWay -= 1
    this.#isProven = delivered
    if (!delivered) this.#isHalted = true
  }

  /** The result is in the database; a retry is due at its time, and a subject continues with its next delivery. */
  settled(deliveryId: number, retryAt: number | undefined): void {
    this.inHand.delete(deliveryId)
    this.#isHalted = false
    if (retryAt !== undefined) this.goesOnAt(retryAt)
    if (this.#endpoint?.row.ordered === 1) this.goesOnAt(0)
  }

  /** Whether the endpoint answers. An endpoint that does not, or is unknown, gets one attempt at a time. */
  get isProven(): boolean {
    return this.#isProven
  }

  get isFailing(): boolean {
    return this.#isFailing && !this.#isProven
  }

  /** From the database, before the line is leased. */
  set isFailing(value: boolean) {
    this.#isFailing = value
  }

  /** When to check the line again; ended attempts check it by themselves. */
  nextAt(now: number): number {
    const renewal = this.inHand.size > 0 ? Math.max(now, this.#leasedUntil - RENEWED_AT) : NEVER
    if (this.#underWay > 0) return renewal
    if (this.queue.length === 0) return Math.min(renewal, this.dueAt)
    // Without a rate it waits for a free slot, which ended attempts provide.
    return this.#rate ? Math.min(renewal, now + this.#rate.wait) : renewal
  }

  /** Whether nothing is known of the line any more, so that it can be dropped. */
  get isDone(): boolean {
    return this.#dueAt === NEVER && this.inHand.size === 0
  }

  get #width(): number {
    return this.#isProven ? (this.#endpoint?.row.concurrency ?? 1) : 1
  }
}
