import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './faults.ts'
import { type ServiceName, serviceNames } from './settings.ts'
import type { World } from './world.ts'

const SECOND = 1000

/** Within this time readiness tells the truth, in seconds. */
export const TOLD_WITHIN = 10

const paths: Readonly<Partial<Record<ServiceName, string>>> = { 'cloud-hub': '/ready', 'session-server': '/ready' }

interface Verdict {
  readonly askedAt: number
  readonly knownAt: number
  readonly ready: boolean
  readonly answered: boolean
  /** Checks that failed; none while nothing answers. */
  readonly failing: readonly string[]
}

/** Asks every service again and again whether it is ready, and remembers what it said. */
export class Readiness {
  readonly #verdicts = new Map<ServiceName, Verdict[]>()
  readonly #running: Promise<unknown>
  #isOver = false

  constructor(world: World) {
    const known = world.suite.file().services
    this.#running = Promise.all(
      serviceNames.map((name) => this.#watch(name, `${known[name]!.baseUrl}${paths[name] ?? '/api/ready'}`)),
    )
  }

  /**
   * What should have been said within the time after `begun`, and was not. The name of a check is expected of a service
   * that still answers when all is broken, at `broken`: one that is frozen names nothing.
   */
  untold(faults: readonly Fault[], { begun, broken }: { begun: number; broken: number }): readonly string[] {
    const within = (name: ServiceName) =>
      (this.#verdicts.get(name) ?? []).filter(
        ({ knownAt }) => knownAt >= begun && knownAt <= begun + TOLD_WITHIN * SECOND,
      )
    return faults.flatMap(({ notReady, told = [] }) => [
      ...notReady
        .filter((name) => within(name).every(({ ready }) => ready))
        .map((name) => `${name} said that it is ready`),
      ...told
        .filter(([name]) => within(name).some(({ answered, askedAt }) => answered && askedAt >= broken))
        .filter(([name, check]) => !within(name).some(({ failing }) => failing.some((one) => check.test(one))))
        .map(([name, check]) => `${name} did not say that ${check.source} fails`),
    ])
  }

  /** Every service must say that it is ready again. */
  async end(mended: number, violations: string[]): Promise<void> {
    const isReady = (name: ServiceName) =>
      this.#verdicts.get(name)!.some(({ askedAt, ready }) => ready && askedAt > mended)
    const until = performance.now() + TOLD_WITHIN * SECOND
    while (!serviceNames.every(isReady) && performance.now() < until) await sleep(100)
    for (const name of serviceNames.filter((one) => !isReady(one))) {
      const last = this.#verdicts.get(name)!.at(-1)
      violations.push(`${name} does not say that it is ready again: ${last?.failing.join(', ')}`)
    }
    await this.close()
  }

  async close(): Promise<void> {
    this.#isOver = true
    await this.#running
  }

  async #watch(name: ServiceName, url: string): Promise<void> {
    const verdicts: Verdict[] = []
    this.#verdicts.set(name, verdicts)
    while (!this.#isOver) {
      const askedAt = performance.now()
      const verdict = await verdictOf(url)
      verdicts.push({ askedAt, knownAt: performance.now(), ...verdict })
      await sleep(250)
    }
  }
}

/** No answer within three seconds is one that a load balancer counts as "not ready". */
async function verdictOf(url: string): Promise<Pick<Verdict, 'ready' | 'answered' | 'failing'>> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(3 * SECOND) })
    const { ready, checks = [] } = (await answer.json()) as {
      ready?: boolean
      checks?: readonly { name: string; ok: boolean }[]
    }
    return { ready: ready === true, answered: true, failing: checks.filter(({ ok }) => !ok).map((one) => one.name) }
  } catch {
    return { ready: false, answered: false, failing: [] }
  }
}
