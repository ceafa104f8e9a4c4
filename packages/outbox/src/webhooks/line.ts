import { SECOND } from '@chancela/service-kernel/clock'
import { Bucket } from './bucket.ts'
import type { TakenDelivery } from './line-statements.ts'
import type { Target } from './post-delivery.ts'
import type { EndpointRow } from './tables.ts'

/** An endpoint with its secrets opened. */
export interface OpenEndpoint {
  readonly row: EndpointRow
  readonly target: Target
  /** Until when the secrets stay the same, in milliseconds of the clock. */
  readonly freshUntil: number
}

/** How long a line belongs to the sender that took it, unless it goes on: so long a process that died is waited for. */
export const LEASE = 15 * SECOND
/** A lease is renewed when so much of it is left. */
const RENEWED_AT = LEASE / 2

/** Deliveries read ahead per one under way, and how many are left when the next ones are read. */
const AHEAD = 8
const LEFT = 4

const NEVER = Number.POSITIVE_INFINITY

/** What a sender knows of one endpoint and its line. Nothing of one endpoint stands in another's way. */
export class Line {
  readonly endpointId: string
  /** Read and not sent yet. */
  readonly queue: TakenDelivery[] = []
  /** All that this sender has of the line: in the queue, under way, or ended and not written yet. */
  readonly inHand = new Set<number>()
  #endpoint: OpenEndpoint | undefined
  #leasedUntil = 0
  #opensAt = 0
  #dueAt = NEVER
  #underWay = 0
  /** Whether the last attempt was delivered, and whether those before were known to have failed. */
  #isProven = false
  #isFailing = false
  /** An attempt failed: what it means for the endpoint is settled before the next one begins. */
  #isHalted = false
  /** What the endpoint's rate still allows. */
  #rate: Bucket | undefined

  constructor(endpointId: string) {
    this.endpointId = endpointId
  }

  /** As it was when the line was leased, with what came of attempts since. */
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

  /** Forgets what was not sent yet and how the endpoint was: it is looked at again before anything goes on. */
  looksAgain(): void {
    for (const { id } of this.queue.splice(0)) this.inHand.delete(id)
    this.#endpoint = undefined
    this.#leasedUntil = 0
    this.#opensAt = 0
  }

  /** Whether the line must be leased, or the endpoint looked at, before deliveries are taken or sent. */
  mustLease(now: number): boolean {
    const isKnown = this.#endpoint !== undefined && now < this.#endpoint.freshUntil
    return !isKnown || this.#leasedUntil - now <= RENEWED_AT
  }

  /** When the line goes on, in milliseconds of the clock. */
  get dueAt(): number {
    return Math.max(this.#dueAt, this.#opensAt)
  }

  /** Something was added to the line, or will be due. */
  goesOnAt(time: number): void {
    this.#dueAt = Math.min(this.#dueAt, time)
  }

  /** What is in the line and not in hand is due at this time. */
  restsUntil(time: number): void {
    this.#dueAt = time
  }

  /** Whether deliveries should be taken from the line, or its lease renewed, now. */
  isHungry(now: number): boolean {
    if (this.#isHalted) return false
    if (this.dueAt <= now && this.wanted > 0 && this.queue.length <= this.#width * LEFT) return true
    return this.queue.length + this.#underWay > 0 && this.mustLease(now)
  }

  /** How many deliveries to take. After a pause of the breaker one goes ahead and says whether the others may follow. */
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

  /** What ended is in the database; a retry goes on at its time, and a subject with its next delivery. */
  settled(deliveryId: number, retryAt: number | undefined): void {
    this.inHand.delete(deliveryId)
    this.#isHalted = false
    if (retryAt !== undefined) this.goesOnAt(retryAt)
    if (this.#endpoint?.row.ordered === 1) this.goesOnAt(0)
  }

  /** Whether the endpoint answers. One that does not, or is not known to, gets one attempt at a time. */
  get isProven(): boolean {
    return this.#isProven
  }

  get isFailing(): boolean {
    return this.#isFailing && !this.#isProven
  }

  /** As the database has it, before the line is leased. */
  set isFailing(value: boolean) {
    this.#isFailing = value
  }

  /** When to look at the line again; attempts that end look at it by themselves. */
  nextAt(now: number): number {
    const renewal = this.inHand.size > 0 ? Math.max(now, this.#leasedUntil - RENEWED_AT) : NEVER
    if (this.#underWay > 0) return renewal
    if (this.queue.length === 0) return Math.min(renewal, this.dueAt)
    // Without a rate it waits for room, which attempts that end make.
    return this.#rate ? Math.min(renewal, now + this.#rate.wait) : renewal
  }

  /** Whether nothing is known of the line any more. */
  get isDone(): boolean {
    return this.#dueAt === NEVER && this.inHand.size === 0
  }

  get #width(): number {
    return this.#isProven ? (this.#endpoint?.row.concurrency ?? 1) : 1
  }
}
