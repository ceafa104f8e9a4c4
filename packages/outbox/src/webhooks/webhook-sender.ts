import { randomUUID } from 'node:crypto'
import { HOUR, plus } from '@chancela/service-kernel/clock'
import type { Heartbeat } from '@chancela/service-kernel/health'
import type { Transaction } from 'kysely'
import { WEBHOOK_CHANNEL } from './emit-events.ts'
import { cancelWaiting, ENDPOINT_CHANNEL, endpointKeys } from './endpoints.ts'
import { LEASE, Line, type OpenEndpoint } from './line.ts'
import {
  allLines,
  eventById,
  leaseLines,
  newestDelivery,
  newInLines,
  nextInLines,
  nextOrdered,
  releaseLines,
  type TakenDelivery,
  takeFromLines,
  takeOrdered,
  type WaitingLine,
} from './line-statements.ts'
import { openPoster, type Poster, type PostOutcome } from './post-delivery.ts'
import { reason } from './reason-texts.ts'
import type { SenderOptions, WebhookSender } from './sender-options.ts'
import { type EndedAttempt, giveUp, settleAttempts, settleHealth, type Verdict, verdictsOn } from './settle-attempts.ts'
import type { EndpointRow } from './tables.ts'
import { measureOutbox } from './webhook-metrics.ts'

const CONCURRENCY = 256
const UNPROVEN = 1024
const FAILING_PER_SECOND = 50
const TIMEOUT_MS = 20_000
const SWEEP_MS = 5_000
const STOP_WAIT_MS = 25_000
/** Milliseconds until a failed database is tried again. */
const AFTER_TROUBLE_MS = 500
/**
 * Ended attempts are written when there are so many, or so many milliseconds after the first; later on a slow machine,
 * where turns would take time from sending: a turn may take a fifth of the time, within the longest wait.
 */
const SETTLED_AT_ONCE = 256
const SETTLED_AFTER_MS = 20
const SETTLED_LATEST_MS = 100
const SENDING_PER_TURN = 4
/** Lines taken from in one transaction. */
const LINES_AT_ONCE = 256
/** Endpoints of unknown health, which are many after a start: so few at once that others do not wait. */
const UNKNOWN_AT_ONCE = 32
/** Milliseconds between two turns of failing endpoints, which are handled together. */
const FAILING_EVERY_MS = 250
/** Lines kept in memory; beyond that, empty ones are dropped. */
const KEPT_LINES = 1_000
/** New deliveries read in one query. */
const NEW_AT_ONCE = 10_000
/** On PostgreSQL a delivery with a smaller id may be committed after one with a larger: so many are read again. */
const LOOK_BACK = 200

const NEVER = Number.POSITIVE_INFINITY

/** Creates the sender of a service; nothing is sent before `start`. */
export const createWebhookSender = <Tables>(options: SenderOptions<Tables>): WebhookSender => new Sender(options)

/**
 * Takes due deliveries from the lines, sends them, and writes the results. A line belongs to one sender at a time, by a
 * lease on its endpoint: so taking a delivery writes nothing, and the rate and order of an endpoint hold across
 * processes. A turn writes all attempts that ended meanwhile and reads the next deliveries in one transaction, so that
 * one disk flush serves hundreds of them. Deliveries of a process that died continue when its lease ends.
 */
class Sender<Tables> implements WebhookSender {
  readonly #options: SenderOptions<Tables>
  readonly #poster: Poster
  /** Holder of the leases: a new one after every start. */
  readonly #holder = randomUUID()
  readonly #lines = new Map<string, Line>()
  /** Lines that could not send because all slots were taken. */
  readonly #crowded = new Set<Line>()
  /** Next turn of failing endpoints: those that refuse quickly would flood the process with attempts. */
  #failingAt = 0
  #ended: EndedAttempt[] = []
  /** Attempts in progress, to endpoints that answer and to others. */
  readonly #underWay = { proven: 0, unproven: 0 }
  #lastSeen: number | undefined
  #isNews = false
  #mustSweep = true
  /** Whether the data that the running turn reads was changed meanwhile. */
  #isStale = false
  #running: Promise<void> | undefined
  #stopped = true
  #stopListening: () => void = () => {}
  #sweep: NodeJS.Timeout | undefined
  #alarm: NodeJS.Timeout | undefined
  #settling: NodeJS.Timeout | undefined
  #settlesAfter = SETTLED_AFTER_MS
  #heartbeat: Heartbeat | undefined

  constructor(options: SenderOptions<Tables>) {
    this.#options = options
    const { policy, clock, timeoutMs = TIMEOUT_MS, proxyUrl, signs = true } = options
    this.#poster = openPoster({ policy, clock, totalMs: timeoutMs, signs, ...(proxyUrl && { proxyUrl }) })
    if (options.metrics) measureOutbox(options.metrics, options.store, clock)
  }

  start(): void {
    const { store, sweepMs = SWEEP_MS, heartbeats } = this.#options
    this.#stopped = false
    this.#heartbeat = heartbeats?.expect('webhooks', sweepMs)
    const stops = [
      store.listen(WEBHOOK_CHANNEL, () => this.wake()),
      store.listen(ENDPOINT_CHANNEL, () => this.#lookAgain()),
    ]
    this.#stopListening = () => {
      for (const stop of stops) stop()
    }
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

  /** An endpoint was changed, or waiting deliveries were canceled: what is read and not sent is read again. */
  #lookAgain(): void {
    for (const line of this.#lines.values()) line.looksAgain()
    this.#isStale = true
    this.#mustSweep = true
    this.wake()
  }

  async stop(waitMs: number = STOP_WAIT_MS): Promise<void> {
    this.#stopped = true
    this.#heartbeat?.end()
    this.#stopListening()
    clearInterval(this.#sweep)
    clearTimeout(this.#alarm)
    clearTimeout(this.#settling)
    const until = performance.now() + waitMs
    while (this.#isSending && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20))
    await this.#running
    await this.#turn()
      .then(() => this.#letGo())
      .catch((error) => this.#options.onTrouble?.(error))
    await this.#poster.close()
  }

  /** Releases the lines and notifies other senders. */
  async #letGo(): Promise<void> {
    const { store } = this.#options
    await releaseLines(store.db, this.#holder)
    await store.notify(store.db, ENDPOINT_CHANNEL)
  }

  get #isSending(): boolean {
    return this.#underWay.proven + this.#underWay.unproven > 0
  }

  #run(): void {
    if (this.#stopped) return
    this.#running ??= this.#workOff()
      .catch((error) => {
        this.#options.onTrouble?.(error)
        return AFTER_TROUBLE_MS
      })
      .then((wait) => {
        this.#running = undefined
        this.#wakeAfter(wait)
      })
  }

  /** Works until nothing is due; returns the milliseconds until something is. */
  async #workOff(): Promise<number> {
    for (;;) {
      // One turn of the event loop: attempts that end in it share the transaction.
      await new Promise(setImmediate)
      if (this.#isNews) await this.#learn()
      await this.#turn()
      this.#pumpAll()
      this.#heartbeat?.beat()
      const wait = this.#stopped ? NEVER : this.#untilNextTurn()
      if (wait > 0) return wait
    }
  }

  /** Reads which lines have waiting deliveries. */
  async #learn(): Promise<void> {
    this.#isNews = false
    const { store } = this.#options
    const since = this.#lastSeen ?? (await newestDelivery(store.db, undefined))[0]?.id ?? 0
    if (this.#mustSweep) await this.#sweepLines()
    await this.#learnNew(since)
  }

  async #sweepLines(): Promise<void> {
    const { store, clock } = this.#options
    const now = clock()
    for (const waiting of await allLines(store.db, undefined)) {
      // Inserted while its endpoint was being deleted.
      if (waiting.state === null) await cancelWaiting(store.db, waiting.endpoint_id, reason('deleted'), now)
      else if (this.#isForUs(waiting, now.toISOString())) this.#goesOn(waiting)
    }
    this.#mustSweep = false
    if (this.#lines.size > KEPT_LINES) for (const [id, line] of this.#lines) if (line.isDone) this.#lines.delete(id)
  }

  #isForUs({ state, lease_holder, leased_until }: WaitingLine, now: string): boolean {
    if (state !== 'enabled') return false
    return lease_holder === null || lease_holder === this.#holder || leased_until === null || leased_until <= now
  }

  #goesOn({ endpoint_id, due_at, updated_at, open_until, failures }: WaitingLine): void {
    const line = this.#line(endpoint_id)
    if (!line.endpoint) line.isFailing = (failures ?? 0) > 0
    // Changed by a process that cannot notify this one.
    if (line.endpoint && line.endpoint.row.updated_at !== updated_at) line.looksAgain()
    const opensAt = line.endpoint === undefined && open_until !== null ? Date.parse(open_until) : 0
    line.goesOnAt(Math.max(Date.parse(due_at), opensAt))
  }

  async #learnNew(since: number): Promise<void> {
    const { store } = this.#options
    this.#lastSeen = since
    for (;;) {
      const after = store.dialect === 'postgres' ? Math.max(0, this.#lastSeen - LOOK_BACK) : this.#lastSeen
      const fresh = await newInLines(store.db, { after, most: NEW_AT_ONCE })
      for (const { endpoint_id, last } of fresh) {
        this.#line(endpoint_id).goesOnAt(0)
        this.#lastSeen = Math.max(this.#lastSeen, last)
      }
      if (fresh.reduce((sum, { seen }) => sum + seen, 0) < NEW_AT_ONCE) return
    }
  }

  #line(endpointId: string): Line {
    const known = this.#lines.get(endpointId)
    if (known) return known
    const line = new Line(endpointId)
    this.#lines.set(endpointId, line)
    return line
  }

  /** Writes ended attempts and takes due deliveries. */
  async #turn(): Promise<void> {
    const { store, clock, schedule, failures } = this.#options
    clearTimeout(this.#settling)
    this.#settling = undefined
    this.#isStale = false
    const ended = this.#ended
    this.#ended = []
    const lines = this.#stopped ? [] : this.#choose(clock().getTime())
    if (ended.length === 0 && lines.length === 0) return
    const begun = performance.now()
    try {
      const now = clock()
      const verdicts = verdictsOn(ended, (id) => this.#lines.get(id)?.endpoint?.row, failures)
      const { written, retries, disabled, leased, taken } = await store.transaction(async (tx) => {
        // Endpoints before deliveries: the lock order of all transactions.
        const written = await settleHealth(tx, verdicts)
        const retries = await settleAttempts(tx, schedule, ended)
        const disabled = await this.#giveUp(tx, written, now)
        const leased = await this.#lease(tx, lines, now)
        return { written, retries, disabled, leased, taken: await this.#take(tx, lines, leased, ended, now) }
      })
      this.#apply(written, disabled)
      for (const { delivery, endpoint } of ended)
        this.#lines.get(endpoint.id)?.settled(delivery.id, retries.get(delivery.id))
      if (!this.#isStale) this.#hand(lines, leased, taken, now)
      const share = SENDING_PER_TURN * (performance.now() - begun)
      this.#settlesAfter = Math.min(SETTLED_LATEST_MS, Math.max(SETTLED_AFTER_MS, share))
    } catch (error) {
      // Nothing was written: the next turn repeats it.
      this.#ended = [...ended, ...this.#ended]
      throw error
    }
  }

  /** Lines to take from now; failing endpoints are rate-limited and take turns. */
  #choose(now: number): readonly Line[] {
    const chosen: Line[] = []
    const left = this.#quotas()
    for (const line of this.#lines.values()) {
      if (chosen.length === LINES_AT_ONCE) break
      if (!line.isHungry(now)) continue
      const kind = kindOf(line)
      if (left[kind] < 1) continue
      left[kind] -= 1
      chosen.push(line)
    }
    if (chosen.some((line) => kindOf(line) === 'failing')) this.#failingAt = performance.now() + FAILING_EVERY_MS
    for (const line of chosen) if (!line.isProven) this.#toTheEnd(line)
    return chosen
  }

  /** How many lines of each kind may be taken from now. */
  #quotas(): Record<LineKind, number> {
    const { failingPerSecond = FAILING_PER_SECOND } = this.#options
    const room = this.#unprovenRoom
    const together = Math.max(1, (failingPerSecond * FAILING_EVERY_MS) / 1000)
    return {
      known: LINES_AT_ONCE,
      unknown: Math.min(UNKNOWN_AT_ONCE, room),
      failing: performance.now() < this.#failingAt ? 0 : Math.min(together, room),
    }
  }

  #toTheEnd(line: Line): void {
    this.#lines.delete(line.endpointId)
    this.#lines.set(line.endpointId, line)
  }

  get #unprovenRoom(): number {
    const { unprovenConcurrency = UNPROVEN } = this.#options
    return Math.max(0, unprovenConcurrency - this.#underWay.unproven)
  }

  async #giveUp(tx: Transaction<Tables>, verdicts: readonly Verdict[], now: Date): Promise<readonly Verdict[]> {
    const disabled: Verdict[] = []
    for (const verdict of verdicts) if (await giveUp(tx, verdict, now)) disabled.push(verdict)
    return disabled
  }

  /** Leases the lines that need it; returns their current endpoints, without those held by others or not enabled. */
  async #lease(tx: Transaction<Tables>, lines: readonly Line[], now: Date): Promise<ReadonlyMap<Line, OpenEndpoint>> {
    const unsure = new Map(lines.filter((line) => line.mustLease(now.getTime())).map((line) => [line.endpointId, line]))
    if (unsure.size === 0) return new Map()
    const until = plus(now, LEASE).toISOString()
    const rows = await leaseLines(tx, {
      endpointIds: [...unsure.keys()],
      holder: this.#holder,
      until,
      now: now.toISOString(),
    })
    return new Map(rows.map((row) => [unsure.get(row.id)!, this.#opened(unsure.get(row.id)!, row, now)]))
  }

  #opened(line: Line, row: EndpointRow, now: Date): OpenEndpoint {
    const { secrets } = this.#options
    const known = line.endpoint
    if (known?.row.updated_at === row.updated_at && now.getTime() < known.freshUntil) return { ...known, row }
    const keys = endpointKeys(secrets, row, now)
    // A previous secret no longer signs after its overlap.
    const freshUntil = keys.signingSecrets.length > 1 ? Date.parse(row.previous_secret_until!) : now.getTime() + HOUR
    return { row, target: this.#poster.target(row, keys), freshUntil }
  }

  /** Due deliveries of leased lines, and when lines without any are due next. */
  async #take(
    tx: Transaction<Tables>,
    lines: readonly Line[],
    leased: ReadonlyMap<Line, OpenEndpoint>,
    ended: readonly EndedAttempt[],
    now: Date,
  ): Promise<Taken> {
    const taken: Taken = { deliveries: new Map(), goesOnAt: new Map() }
    const settled = new Set(ended.map(({ delivery }) => delivery.id))
    const ours = lines.filter((line) => leased.has(line) || !line.mustLease(now.getTime()))
    for (const { ordered, most, members } of likeLines(ours, leased, now.getTime())) {
      const endpointIds = members.map(({ endpointId }) => endpointId)
      const inHand = members.flatMap((line) => [...line.inHand].filter((id) => !settled.has(id)))
      const take = ordered ? takeOrdered : takeFromLines
      for (const delivery of await take(tx, { endpointIds, now: now.toISOString(), inHand, most }))
        append(taken.deliveries, endpointIds[delivery.line]!, delivery)
      const short = endpointIds.filter((id) => (taken.deliveries.get(id)?.length ?? 0) < most)
      if (short.length === 0) continue
      const gone = [...inHand, ...short.flatMap((id) => (taken.deliveries.get(id) ?? []).map((one) => one.id))]
      const look = ordered ? nextOrdered : nextInLines
      for (const { endpoint_id, due_at } of await look(tx, { endpointIds: short, inHand: gone }))
        taken.goesOnAt.set(endpoint_id, due_at === null ? NEVER : Date.parse(due_at))
    }
    return taken
  }

  #hand(lines: readonly Line[], leased: ReadonlyMap<Line, OpenEndpoint>, taken: Taken, now: Date): void {
    for (const line of lines) {
      const endpoint = leased.get(line)
      if (endpoint) line.leased(endpoint, now.getTime() + LEASE)
      else if (line.mustLease(now.getTime())) {
        // Held by another sender, paused, disabled or deleted: read again when it changes, and by the sweep.
        line.looksAgain()
        line.restsUntil(NEVER)
        continue
      }
      // The database returns rows in any order.
      line.takes([...(taken.deliveries.get(line.endpointId) ?? [])].sort((a, b) => a.id - b.id))
      const goesOn = taken.goesOnAt.get(line.endpointId)
      if (goesOn !== undefined) line.restsUntil(goesOn)
    }
  }

  #apply(written: readonly Verdict[], disabled: readonly Verdict[]): void {
    for (const { row } of written) {
      const line = this.#lines.get(row.id)
      if (line?.endpoint?.row.updated_at === row.updated_at) line.knows({ ...line.endpoint, row })
    }
    for (const { row, reason } of disabled) {
      this.#lines.get(row.id)?.looksAgain()
      this.#options.metrics?.webhook_endpoints_disabled_total.inc()
      this.#options.onDisabled?.({ id: row.id, ownerId: row.owner_id, reason: reason! })
    }
  }

  #pumpAll(): void {
    const now = this.#options.clock().getTime()
    for (const line of this.#lines.values()) this.#pump(line, now)
  }

  /** Sends what a line allows. */
  #pump(line: Line, now: number): void {
    while (!this.#stopped && line.maySend(now)) {
      if (!this.#hasRoomFor(line)) return void this.#crowded.add(line)
      this.#send(line)
    }
  }

  /** Lines that wait for a slot come before the one that freed it. */
  #pumpCrowded(now: number): void {
    for (const line of [...this.#crowded]) {
      this.#crowded.delete(line)
      this.#pump(line, now)
      if (this.#crowded.has(line)) return
    }
  }

  /** Separate limits: a thousand receivers that never answer use up only their own. */
  #hasRoomFor({ isProven }: Line): boolean {
    const { concurrency = CONCURRENCY } = this.#options
    return isProven ? this.#underWay.proven < concurrency : this.#unprovenRoom > 0
  }

  #send(line: Line): void {
    const room = line.isProven ? 'proven' : 'unproven'
    const delivery = line.begins()
    this.#underWay[room] += 1
    void this.#attempt(delivery, line.endpoint!).then((ended) => {
      this.#underWay[room] -= 1
      this.#end(line, ended)
    })
  }

  async #attempt(delivery: TakenDelivery, { row, target }: OpenEndpoint): Promise<EndedAttempt> {
    const { clock } = this.#options
    try {
      const body = delivery.body ?? (await this.#rendered(delivery))
      if (body === undefined)
        return { delivery, endpoint: row, outcome: silence, at: clock(), rendered: null, nothingToReport: true }
      const outcome = await this.#poster.post(target, { eventId: delivery.event_id, body })
      return { delivery, endpoint: row, outcome, at: clock(), rendered: delivery.body === null ? body : null }
    } catch (error) {
      // Rendering failed: handled like a receiver that did not answer, and retried.
      this.#options.onTrouble?.(error)
      return { delivery, endpoint: row, outcome: silence, at: clock(), rendered: null }
    }
  }

  async #rendered({ event_id }: TakenDelivery): Promise<string | undefined> {
    const { store, render } = this.#options
    const [event] = await eventById(store.db, event_id)
    return event && render?.(event)
  }

  #end(line: Line, ended: EndedAttempt): void {
    line.ends(ended.outcome.delivered)
    this.#count(ended)
    this.#ended.push(ended)
    const now = ended.at.getTime()
    this.#pumpCrowded(now)
    this.#pump(line, now)
    if (this.#ended.length >= SETTLED_AT_ONCE || line.isHungry(now)) this.#run()
    else this.#settling ??= setTimeout(() => this.#run(), this.#settlesAfter)
  }

  #count({ outcome, delivery, at }: EndedAttempt): void {
    const { metrics } = this.#options
    if (!metrics) return
    const kind = outcome.delivered ? 'delivered' : outcome.status === null ? 'no_answer' : 'refused'
    metrics.webhook_attempts_total.inc({ outcome: kind })
    metrics.webhook_attempt_duration_seconds.observe(outcome.durationMs / 1000)
    if (delivery.attempts > 0) return
    const delay = at.getTime() - outcome.durationMs - Date.parse(delivery.created_at)
    metrics.webhook_delivery_delay_seconds.observe(Math.max(0, delay) / 1000)
  }

  /** Milliseconds until there is something to write or take. */
  #untilNextTurn(): number {
    if (this.#isNews || this.#ended.length >= SETTLED_AT_ONCE) return 0
    const now = this.#options.clock().getTime()
    let next = this.#ended.length > 0 ? this.#settlesAfter : NEVER
    for (const line of this.#lines.values()) next = Math.min(next, this.#untilTurnOf(line, now))
    return next
  }

  #untilTurnOf(line: Line, now: number): number {
    if (!line.isHungry(now)) return Math.max(1, line.nextAt(now) - now)
    const kind = kindOf(line)
    if (kind === 'known') return 0
    // An attempt that ends frees a slot and starts a turn.
    if (this.#unprovenRoom === 0) return NEVER
    return kind === 'failing' ? Math.max(0, Math.ceil(this.#failingAt - performance.now())) : 0
  }

  #wakeAfter(milliseconds: number): void {
    clearTimeout(this.#alarm)
    if (this.#stopped || milliseconds === NEVER) return
    this.#alarm = setTimeout(() => this.#run(), Math.min(milliseconds, 60_000))
  }
}

/** Lines of endpoints that answer or with held deliveries; of others of unknown health; and of failing ones. */
type LineKind = 'known' | 'unknown' | 'failing'

function kindOf(line: Line): LineKind {
  if (line.isProven || line.inHand.size > 0) return 'known'
  return line.isFailing ? 'failing' : 'unknown'
}

/** Deliveries a turn took from lines, by endpoint. */
interface Taken {
  readonly deliveries: Map<string, TakenDelivery[]>
  /** For lines with nothing more due: when they are due next. */
  readonly goesOnAt: Map<string, number>
}

/** Lines that one statement handles. */
interface LikeLines {
  readonly ordered: boolean
  readonly most: number
  readonly members: Line[]
}

/** Groups lines by the deliveries they want; those that wait for a breaker, or only renew a lease, want none. */
function likeLines(lines: readonly Line[], leased: ReadonlyMap<Line, OpenEndpoint>, now: number): Iterable<LikeLines> {
  const groups = new Map<string, LikeLines>()
  for (const line of lines) {
    const { row } = (leased.get(line) ?? line.endpoint)!
    const isOpen = row.open_until !== null && Date.parse(row.open_until) > now
    if (isOpen || line.dueAt > now || line.wanted <= 0) continue
    const ordered = row.ordered === 1
    const key = `${ordered}/${line.wanted}`
    const group = groups.get(key)
    if (group) group.members.push(line)
    else groups.set(key, { ordered, most: line.wanted, members: [line] })
  }
  return groups.values()
}

function append<Key, Value>(groups: Map<Key, Value[]>, key: Key, value: Value): void {
  const group = groups.get(key)
  if (group) group.push(value)
  else groups.set(key, [value])
}

const silence: PostOutcome = {
  delivered: false,
  status: null,
  error: reason('no-body'),
  answer: null,
  durationMs: 0,
  needsPatience: false,
  gone: false,
}
