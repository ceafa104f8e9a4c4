import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import { HOUR, plus, SECOND } from '../clock/index.ts'
import { WEBHOOK_CHANNEL } from './emit-events.ts'
import { type EndpointKeys, endpointKeys } from './endpoints.ts'
import { type DeliveryInHand, Line } from './line.ts'
import {
  allLines,
  eventBodies,
  newInLines,
  nextInLine,
  type TakenDelivery,
  takeFromLine,
  takeOrdered,
} from './line-statements.ts'
import { openPoster, type Poster, type PostOutcome } from './post-delivery.ts'
import type { SenderOptions, WebhookSender } from './sender-options.ts'
import {
  type EndedAttempt,
  type EndpointHealth,
  givenUp,
  healthAfter,
  recordHealth,
  settleAttempts,
} from './settle-attempts.ts'
import { type EndpointRow, type EventRow, webhookTables } from './tables.ts'

const CONCURRENCY = 256
const UNPROVEN = 1024
const TIMEOUT_MS = 20_000
const SWEEP_MS = 5_000
const STOP_WAIT_MS = 25_000
/** Milliseconds until a database in trouble is asked again. */
const AFTER_TROUBLE_MS = 500
/** Lines taken from in one transaction, and new deliveries looked at in one query. */
const LINES_AT_ONCE = 64
const NEW_AT_ONCE = 5_000
/** On PostgreSQL a delivery with a smaller number may be committed after one with a larger: so many are looked at again. */
const LOOK_BACK = 200

/** Makes the sender of a service; nothing is sent before `start`. */
export const createWebhookSender = <Tables>(options: SenderOptions<Tables>): WebhookSender => new Sender(options)

/**
 * Takes what is due from the lines, sends it, and writes what came of it: each turn settles all attempts that ended
 * meanwhile and takes the next deliveries in one transaction, so that a flush of the disk serves hundreds of deliveries.
 * What a process that died had in its hands is due again when its lease ends.
 */
class Sender<Tables> implements WebhookSender {
  readonly #options: SenderOptions<Tables>
  readonly #poster: Poster
  readonly #incarnation = randomUUID()
  readonly #lines = new Map<string, Line>()
  readonly #keys = new Map<
    string,
    { readonly updatedAt: string; readonly until: string; readonly keys: EndpointKeys }
  >()
  #ended: EndedAttempt[] = []
  /** Attempts under way, to endpoints that answer and to others. */
  readonly #underWay = { proven: 0, unproven: 0 }
  #lastSeen = 0
  #isNews = false
  #mustSweep = true
  #running: Promise<void> | undefined
  #stopped = true
  #stopListening: () => void = () => {}
  #sweep: NodeJS.Timeout | undefined
  #alarm: NodeJS.Timeout | undefined

  constructor(options: SenderOptions<Tables>) {
    this.#options = options
    const { policy, clock, timeoutMs = TIMEOUT_MS } = options
    this.#poster = openPoster({ policy, clock, totalMs: timeoutMs })
  }

  start(): void {
    const { store, sweepMs = SWEEP_MS } = this.#options
    this.#stopped = false
    this.#stopListening = store.listen(WEBHOOK_CHANNEL, () => this.wake())
    this.#sweep = setInterval(() => {
      this.#mustSweep = true
      this.wake()
    }, sweepMs)
    this.wake()
  }

  wake(): void {
    this.#isNews = true
    this.#run()
  }

  async stop(waitMs: number = STOP_WAIT_MS): Promise<void> {
    this.#stopped = true
    this.#stopListening()
    clearInterval(this.#sweep)
    clearTimeout(this.#alarm)
    const until = performance.now() + waitMs
    while (this.#isSending && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20))
    await this.#running
    await this.#turn().catch((error) => this.#options.onTrouble?.(error))
    await this.#giveBack().catch((error) => this.#options.onTrouble?.(error))
    await this.#poster.close()
  }

  get #isSending(): boolean {
    return this.#underWay.proven + this.#underWay.unproven > 0
  }

  #run(): void {
    if (this.#stopped) return
    this.#running ??= this.#workOff()
      .catch((error) => {
        this.#options.onTrouble?.(error)
        this.#wakeAfter(AFTER_TROUBLE_MS)
      })
      .finally(() => {
        this.#running = undefined
        // What ended while the last turn ended.
        if (this.#ended.length > 0) setImmediate(() => this.#run())
      })
  }

  async #workOff(): Promise<void> {
    for (;;) {
      // One turn of the loop: attempts that end in it share the transaction.
      await new Promise(setImmediate)
      if (this.#isNews) await this.#learn()
      if (!(await this.#turn())) break
    }
    this.#setAlarm()
  }

  /** Learns which lines have something in them. */
  async #learn(): Promise<void> {
    this.#isNews = false
    const { store } = this.#options
    if (this.#mustSweep) {
      this.#mustSweep = false
      // An endpoint may have been mended or paused since it was last looked at.
      for (const line of this.#lines.values()) line.looksAgain()
      for (const { endpoint_id, due_at } of await allLines(store.db, undefined))
        this.#line(endpoint_id).goesOnAt(Date.parse(due_at))
    }
    for (;;) {
      const after = store.dialect === 'postgres' ? Math.max(0, this.#lastSeen - LOOK_BACK) : this.#lastSeen
      const fresh = await newInLines(store.db, { after, most: NEW_AT_ONCE })
      for (const { endpoint_id } of fresh) this.#line(endpoint_id).goesOnAt(0)
      this.#lastSeen = Math.max(this.#lastSeen, Number(fresh.at(-1)?.id ?? 0))
      if (fresh.length < NEW_AT_ONCE) return
    }
  }

  #line(endpointId: string): Line {
    const known = this.#lines.get(endpointId)
    if (known) return known
    const line = new Line(endpointId)
    this.#lines.set(endpointId, line)
    return line
  }

  /** Settles what ended and takes what is due; false when there was neither. */
  async #turn(): Promise<boolean> {
    const { store, clock, schedule } = this.#options
    const ended = this.#ended
    this.#ended = []
    try {
      const dueLines = this.#stopped ? [] : await this.#dueLines(clock().getTime())
      if (ended.length === 0 && dueLines.length === 0) return false
      const now = clock()
      const { taken, events, verdicts } = await store.transaction(async (tx) => {
        if (ended.length > 0) await settleAttempts(tx, schedule, ended)
        const verdicts = await this.#settleHealth(tx, ended, now)
        return { verdicts, ...(await this.#take(tx, dueLines, now)) }
      })
      for (const verdict of verdicts) this.#apply(verdict)
      this.#afterEnd(ended)
      this.#hand(taken, events)
      this.#pump()
      return true
    } catch (error) {
      // Nothing of it was written: it is said again with the next turn.
      this.#ended = [...ended, ...this.#ended]
      throw error
    }
  }

  /** Lines to take from, with their endpoints as they are now. */
  async #dueLines(now: number): Promise<readonly Line[]> {
    const hot = [...this.#lines.values()].filter((line) => line.dueAt <= now && line.hasRoom).slice(0, LINES_AT_ONCE)
    if (hot.length === 0) return []
    const rows = await webhookTables(this.#options.store.db)
      .selectFrom('webhook_endpoint')
      .selectAll()
      .where(
        'id',
        'in',
        hot.map(({ endpointId }) => endpointId),
      )
      .execute()
    const found = new Map(rows.map((row) => [row.id, row]))
    return hot.filter((line) => {
      const row = found.get(line.endpointId)
      // Without an endpoint nothing waits any more; a paused or disabled one is looked at again by the sweep.
      if (row?.state !== 'enabled') {
        line.restsUntil(Number.POSITIVE_INFINITY)
        return false
      }
      line.endpoint = { row, keys: this.#keysOf(row) }
      return line.wanted(now) > 0
    })
  }

  #keysOf(row: EndpointRow): EndpointKeys {
    const now = this.#options.clock()
    const known = this.#keys.get(row.id)
    if (known?.updatedAt === row.updated_at && now.toISOString() < known.until) return known.keys
    const keys = endpointKeys(this.#options.secrets, row, now)
    // Beyond its overlap a secret of before signs no more.
    const until = keys.signingSecrets.length > 1 ? row.previous_secret_until! : plus(now, HOUR).toISOString()
    this.#keys.set(row.id, { updatedAt: row.updated_at, until, keys })
    return keys
  }

  async #take(tx: Transaction<Tables>, lines: readonly Line[], now: Date) {
    const { timeoutMs = TIMEOUT_MS } = this.#options
    const leaseUntil = plus(now, 5 * timeoutMs + 30 * SECOND).toISOString()
    const claim = `${this.#incarnation}/${randomUUID()}`
    const taken: Taken[] = []
    for (const line of lines) {
      const most = line.wanted(now.getTime())
      const from = { endpointId: line.endpointId, now: now.toISOString(), most, claim, leaseUntil }
      const deliveries = await (line.endpoint!.row.ordered === 1 ? takeOrdered : takeFromLine)(tx, from)
      const [next] = deliveries.length < most ? await nextInLine(tx, line.endpointId) : []
      const dueAt = deliveries.length < most ? (next?.due_at ? Date.parse(next.due_at) : Number.POSITIVE_INFINITY) : 0
      taken.push({ line, dueAt, claim, deliveries: deliveries.map((one) => ({ ...one, id: Number(one.id) })) })
    }
    const ids = [...new Set(taken.flatMap(({ deliveries }) => deliveries.map(({ event_id }) => event_id)))]
    const events = new Map((ids.length > 0 ? await eventBodies(tx, ids) : []).map((event) => [event.id, event]))
    return { taken, events }
  }

  #hand(taken: readonly Taken[], events: ReadonlyMap<string, EventRow>): void {
    for (const { line, dueAt, claim, deliveries } of taken) {
      line.restsUntil(dueAt)
      // In the order of the line: the database returns changed rows in any.
      const inOrder = [...deliveries].sort((a, b) => a.id - b.id)
      for (const delivery of inOrder) line.queue.push({ ...delivery, claim, event: events.get(delivery.event_id)! })
    }
  }

  /** Sends what the lines allow. */
  #pump(): void {
    const now = this.#options.clock().getTime()
    for (const line of this.#lines.values())
      while (!this.#stopped && this.#hasRoomFor(line) && line.maySend(now)) void this.#send(line)
  }

  /** Two rooms: a thousand receivers that never answer fill theirs, and nobody else's. */
  #hasRoomFor({ isProven }: Line): boolean {
    const { concurrency = CONCURRENCY, unprovenConcurrency = UNPROVEN } = this.#options
    return isProven ? this.#underWay.proven < concurrency : this.#underWay.unproven < unprovenConcurrency
  }

  async #send(line: Line): Promise<void> {
    const delivery = line.queue.shift()!
    const room = line.isProven ? 'proven' : 'unproven'
    line.begins()
    this.#underWay[room] += 1
    const { row, keys } = line.endpoint!
    const ended = await this.#attempt(delivery, row, keys)
    line.ends(ended.outcome.delivered)
    this.#underWay[room] -= 1
    this.#count(ended)
    this.#ended.push(ended)
    this.#pump()
    this.#run()
  }

  async #attempt(delivery: DeliveryInHand, row: EndpointRow, keys: EndpointKeys): Promise<EndedAttempt> {
    const { clock } = this.#options
    try {
      const { event } = delivery
      const body = event.body ?? (await this.#options.render?.(event))
      if (body === undefined) return { ...nothing(delivery, clock()), nothingToTell: true }
      const outcome = await this.#poster.post({
        url: row.url,
        authType: row.auth_type,
        keys,
        eventId: event.id,
        body,
      })
      return { delivery, outcome, at: clock(), rendered: event.body === null ? body : null }
    } catch (error) {
      // Rendering failed: told like a receiver that did not answer, and tried again.
      this.#options.onTrouble?.(error)
      return nothing(delivery, clock())
    }
  }

  #count({ outcome, delivery, at }: EndedAttempt): void {
    const { metrics } = this.#options
    if (!metrics) return
    const kind = outcome.delivered ? 'delivered' : outcome.status === null ? 'no_answer' : 'refused'
    metrics.webhook_attempts_total.inc({ outcome: kind })
    metrics.webhook_attempt_duration_seconds.observe(outcome.durationMs / 1000)
    if (delivery.attempts > 1) return
    const delay = at.getTime() - outcome.durationMs - Date.parse(delivery.event.created_at)
    metrics.webhook_delivery_delay_seconds.observe(Math.max(0, delay) / 1000)
  }

  /** Records the health of endpoints whose attempts failed, or had failed before; it holds once that is durable. */
  async #settleHealth(tx: Transaction<Tables>, ended: readonly EndedAttempt[], now: Date): Promise<readonly Verdict[]> {
    const verdicts: Verdict[] = []
    for (const [endpointId, all] of grouped(ended)) {
      const attempts = all.filter(({ nothingToTell }) => !nothingToTell)
      const line = this.#lines.get(endpointId)
      const row = line?.endpoint?.row
      if (!line || !row || attempts.length === 0) continue
      if (row.failures === 0 && attempts.every(({ outcome }) => outcome.delivered)) continue
      const { failures } = this.#options
      const health = healthAfter(row, attempts, failures)
      const reason = givenUp(health, attempts, failures)
      const taken = line.queue.map(({ id }) => id)
      const isDisabled = await recordHealth(tx, row, health, reason, now, taken)
      verdicts.push({ line, health, ...(isDisabled && { disabledFor: reason! }) })
    }
    return verdicts
  }

  #apply({ line, health, disabledFor }: Verdict): void {
    const { row, keys } = line.endpoint!
    line.endpoint = { row: { ...row, ...health }, keys }
    if (disabledFor === undefined) return
    line.queue.splice(0)
    this.#options.metrics?.webhook_endpoints_disabled_total.inc()
    this.#options.onDisabled?.({ id: row.id, ownerId: row.owner_id, reason: disabledFor })
  }

  /** After attempts are settled, their lines may go on: with a retry, or with the next one of a subject. */
  #afterEnd(ended: readonly EndedAttempt[]): void {
    for (const { delivery } of ended) {
      const line = this.#lines.get(delivery.endpoint_id)
      line?.settled()
      line?.goesOnAt(0)
    }
  }

  /** What was taken and not sent goes back to its line, as if it had not been taken. */
  async #giveBack(): Promise<void> {
    const { store, clock } = this.#options
    const unsent = [...this.#lines.values()].flatMap(({ queue }) => queue.splice(0))
    const now = clock().toISOString()
    for (const { id, claim, attempts } of unsent)
      await webhookTables(store.db)
        .updateTable('webhook_delivery')
        .set({ state: 'waiting', due_at: now, claim: null, attempts: attempts - 1 })
        .where('id', '=', id)
        .where('claim', '=', claim)
        .execute()
  }

  /** Wakes when the first line goes on. */
  #setAlarm(): void {
    if (this.#stopped) return
    const now = this.#options.clock().getTime()
    const next = Math.min(...[...this.#lines.values()].map((line) => line.nextAt(now)))
    if (next !== Number.POSITIVE_INFINITY) this.#wakeAfter(Math.max(1, next - now))
    for (const [id, line] of this.#lines) if (line.isDone) this.#forget(id)
  }

  #forget(endpointId: string): void {
    this.#lines.delete(endpointId)
    this.#keys.delete(endpointId)
  }

  #wakeAfter(milliseconds: number): void {
    clearTimeout(this.#alarm)
    this.#alarm = setTimeout(
      () => {
        this.#pump()
        this.#run()
      },
      Math.min(milliseconds, 60_000),
    )
  }
}

/** What attempts made of an endpoint. */
interface Verdict {
  readonly line: Line
  readonly health: EndpointHealth
  /** Why it is disabled now. */
  readonly disabledFor?: string
}

interface Taken {
  readonly line: Line
  readonly dueAt: number
  readonly claim: string
  readonly deliveries: readonly TakenDelivery[]
}

const silence: PostOutcome = {
  delivered: false,
  status: null,
  error: 'The body could not be made.',
  answer: null,
  durationMs: 0,
  needsPatience: false,
  gone: false,
}

const nothing = (delivery: DeliveryInHand, at: Date): EndedAttempt => ({
  delivery,
  outcome: silence,
  at,
  rendered: null,
})

function grouped(ended: readonly EndedAttempt[]): ReadonlyMap<string, EndedAttempt[]> {
  const groups = new Map<string, EndedAttempt[]>()
  for (const one of ended) {
    const group = groups.get(one.delivery.endpoint_id)
    if (group) group.push(one)
    else groups.set(one.delivery.endpoint_id, [one])
  }
  return groups
}
