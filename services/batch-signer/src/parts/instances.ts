import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { DAY, plus, SECOND } from '@chancela/service-kernel/clock'
import { StartupProblem } from '@chancela/service-kernel/errors'
import type { CheckResult, Heartbeat } from '@chancela/service-kernel/health'
import { isCertainlyGone, thisProcess } from '@chancela/service-kernel/store'
import type { Context } from '../context.ts'
import { isStale } from '../rules/instances.ts'
import { type Said, said, telling } from '../rules/sentences.ts'
import { addInstance, beat, listInstances, moveInstance, pruneInstances } from '../store/instances.ts'
import type { InstanceRow } from '../store/tables.ts'

type InstancesContext = Pick<
  Context,
  'store' | 'events' | 'clock' | 'logger' | 'settings' | 'ledger' | 'version' | 'closing' | 'readiness' | 'heartbeats'
>

/** Milliseconds between two looks at an instance that may be dead. */
const LOOK_MS = 500

/** Days an ended instance stays in the table. */
const REMEMBERED_DAYS = 7

/**
 * The processes that work on one store (spec 2, Resources). Each gives signs of life; one that gives none is Stale, and
 * another takes its jobs over. Without Cluster:Enabled a second process is refused at start, and one that was away for
 * so long that another began stands down.
 */
export class Instances {
  readonly #context: InstancesContext
  #others: ReadonlySet<string> = new Set()
  #standsDown = false
  #lastBeat = performance.now()
  #timer: NodeJS.Timeout | undefined
  #heartbeat: Heartbeat | undefined

  private constructor(context: InstancesContext) {
    this.#context = context
  }

  /** Registers this process. StartupProblem when another one lives and there is no cluster. */
  static async open(context: InstancesContext): Promise<Instances> {
    const instances = new Instances(context)
    await instances.#enter()
    context.readiness.add('cluster-instance', () => instances.check(), { gates: false })
    context.closing.add('the instance', () => instances.#leave())
    return instances
  }

  /** Whether another process that lives has this owner. */
  isLiveElsewhere = (owner: string | null): boolean => owner !== null && this.#others.has(owner)

  get isAlone(): boolean {
    return this.#others.size === 0
  }

  /** Whether new jobs may be picked up: not after a pause in which others may have taken this process for dead. */
  mayClaim(): boolean {
    const { StaleAfterSeconds } = this.#context.settings.Cluster
    return !this.#standsDown && performance.now() - this.#lastBeat < StaleAfterSeconds * SECOND
  }

  start(): void {
    const every = this.#context.settings.Cluster.HeartbeatSeconds * SECOND
    this.#heartbeat = this.#context.heartbeats.expect('signs of life', every)
    this.#timer = setInterval(() => {
      this.beat().catch((error) => this.#context.logger.warn({ err: error }, 'no sign of life could be given'))
    }, every)
    this.#timer.unref()
  }

  async check(): Promise<CheckResult> {
    if (!this.#standsDown) return { ok: true, detail: companyOf(this.#others.size) }
    return { ok: false, detail: 'Another instance took over while this one did not answer; this one stands down.' }
  }

  async #enter(): Promise<void> {
    const { store, settings, clock } = this.#context
    await pruneInstances(store.db, plus(clock(), -REMEMBERED_DAYS * DAY))
    await this.#expireOthers()
    if (!settings.Cluster.Enabled) for (const id of this.#others) await this.#waitFor(id)
    await this.#register()
    await this.#expireOthers()
  }

  async #register(): Promise<void> {
    const { store, clock, version, ledger } = this.#context
    const at = clock().toISOString()
    const { space, pid, startedAt } = thisProcess()
    const mark = { space, pid, process_started: startedAt }
    const row = { id: ledger.owner, name: hostname(), state: 'Live' as const, version, started_at: at }
    await addInstance(store.db, { ...row, ...mark, last_heartbeat: at })
  }

  /**
   * Waits until an instance that cannot be asked shows whether it lives: a sign of life refuses this start, none for
   * the whole time makes it Stale. By this process's own time, whatever its clock says.
   */
  async #waitFor(id: string): Promise<void> {
    const { store, settings, logger } = this.#context
    const begun = performance.now()
    const [first] = (await listInstances(store.db)).filter((row) => row.id === id)
    if (!first) return
    if (runsHere(first)) throw secondProcess(first)
    logger.warn({ instance: first.name }, 'another instance may be alive: waiting for a sign of it')
    while (performance.now() - begun < settings.Cluster.StaleAfterSeconds * SECOND) {
      await delay(LOOK_MS)
      const row = (await listInstances(store.db)).find((one) => one.id === id)
      if (row?.state !== 'Live') return
      if (row.last_heartbeat !== first.last_heartbeat) throw secondProcess(row)
    }
    if (await moveInstance(store.db, id, 'expire', first.last_heartbeat)) await this.#tellStale(first)
  }

  /** Who else lives: those without a sign of life become Stale. */
  lookAround = (): Promise<void> => this.#expireOthers()

  /** One sign of life, and a look at the others. */
  async beat(): Promise<void> {
    const { store, clock, ledger } = this.#context
    if (!(await beat(store.db, ledger.owner, clock()))) await this.#register()
    const wasTaken = await moveInstance(store.db, ledger.owner, 'revive')
    await this.#expireOthers()
    this.#lastBeat = performance.now()
    this.#heartbeat?.beat()
    await this.#decide(wasTaken)
  }

  /** Without a cluster, of two that live the one that had been given up stands down until it is alone. */
  async #decide(wasTaken: boolean): Promise<void> {
    const { settings } = this.#context
    const shouldStandDown = !settings.Cluster.Enabled && !this.isAlone && (wasTaken || this.#standsDown)
    if (shouldStandDown === this.#standsDown) return
    this.#standsDown = shouldStandDown
    await this.#record(
      shouldStandDown ? 'InstanceStoodDown' : 'InstanceResumed',
      said(shouldStandDown ? 'instance-stood-down' : 'instance-resumed', { instance: hostname() }),
    )
  }

  /** Those without a sign of life become Stale; who is left is alive. */
  async #expireOthers(): Promise<void> {
    const { store, settings, clock, ledger } = this.#context
    const rows = (await listInstances(store.db)).filter(({ id, state }) => id !== ledger.owner && state === 'Live')
    const living: string[] = []
    for (const row of rows) {
      const isDead = isGone(row) || isStale(row.last_heartbeat, clock(), settings.Cluster.StaleAfterSeconds)
      if (!isDead) living.push(row.id)
      else if (await moveInstance(store.db, row.id, 'expire', row.last_heartbeat)) await this.#tellStale(row)
    }
    this.#others = new Set(living)
  }

  #tellStale({ name, last_heartbeat }: InstanceRow): Promise<void> {
    return this.#record('InstanceTakenOver', said('instance-stale', { instance: name, since: last_heartbeat }))
  }

  async #record(type: string, what: Said): Promise<void> {
    const { events, store, logger } = this.#context
    logger.warn({ type }, what.text)
    await events.record(store.db, { type, actor: 'cluster', ...telling(what) })
  }

  async #leave(): Promise<void> {
    clearInterval(this.#timer)
    this.#heartbeat?.end()
    await moveInstance(this.#context.store.db, this.#context.ledger.owner, 'stop')
  }
}

const markOf = ({ space, pid, process_started }: InstanceRow) => ({ space, pid, startedAt: process_started })

const isGone = (row: InstanceRow): boolean => isCertainlyGone(markOf(row))

/** The same kernel says that it runs: there is nothing to wait for. */
function runsHere(row: InstanceRow): boolean {
  const own = thisProcess()
  return own.space !== null && row.space === own.space && !isGone(row)
}

const secondProcess = ({ name, pid, last_heartbeat }: InstanceRow): StartupProblem =>
  new StartupProblem(
    `Another batch signer works on this database: ${name}, process ${pid}, last sign of life ${last_heartbeat}. Stop it first, or set Cluster:Enabled for all of them.`,
    { setting: 'Cluster:Enabled' },
  )

const companyOf = (others: number): string =>
  others === 0 ? 'No other process works on this database.' : `Other processes that work on this database: ${others}.`

/** What this process is called in lists of a cluster; null without one. */
export const instanceName = ({ settings }: Pick<InstancesContext, 'settings'>): string | null =>
  settings.Cluster.Enabled ? hostname() : null
