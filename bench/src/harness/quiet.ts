import { setTimeout as sleep } from 'node:timers/promises'
import type { Contestant, Runner } from './benchmark.ts'
import type { CpuTimes } from './cpu-time.ts'

/** How hard the harness tries to measure on an idle machine. */
export interface Patience {
  /** Longest wait for quiet before one sample, in seconds. */
  readonly waitSeconds: number
  /** Samples taken at most until one is undisturbed. */
  readonly tries: number
}

/** Values of the method (design: performance, section 0). */
export const defaultPatience: Patience = { waitSeconds: 60, tries: 6 }

/** One try, no waiting: for development, where a rough figure now is worth more than a good one later. */
export const noPatience: Patience = { waitSeconds: 0, tries: 1 }

const PROBE_MS = 400

// Cores that other processes may keep busy. A one-core contestant is not affected by another busy core; one that uses
// both is affected by everything; a figure that is no time by nothing.
const foreignLimit: Record<Contestant['cores'], number> = { 0: Number.POSITIVE_INFINITY, 1: 0.8, 2: 0.15 }

/** True when other processes took so much CPU that the contestant's sample is not usable. */
export const isDisturbed = (contestant: Contestant, foreignCores: number | undefined): boolean =>
  foreignCores !== undefined && foreignCores > foreignLimit[contestant.cores]

/** Waits until the rest of the machine is idle enough for the contestant, or until the longest wait. */
export async function waitForQuiet(contestant: Contestant, runner: Runner, times: CpuTimes, patience: Patience) {
  const giveUp = performance.now() + patience.waitSeconds * 1000
  while (performance.now() < giveUp) {
    const { foreignCores } = await underWatch(runner, times, () => sleep(PROBE_MS))
    if (!isDisturbed(contestant, foreignCores)) return
  }
}

/** What a piece of work cost, in CPU milliseconds. */
export interface Watched<T> {
  readonly result: T
  readonly wallMs: number
  /** This process, all threads. */
  readonly ownMs: number
  /** Children that ended meanwhile, and the runner's servers; 0 when the system does not report it. */
  readonly childrenMs: number
  readonly serversMs: number
  /** Average number of cores that other processes kept busy; undefined when the system does not report it. */
  readonly foreignCores: number | undefined
}

/** Runs the work and reads all CPU times before and after it. */
export async function underWatch<T>(
  runner: Runner,
  times: CpuTimes | undefined,
  work: () => Promise<T>,
): Promise<Watched<T>> {
  const pids = runner.pids ?? []
  const [serversBefore, childrenBefore] = [times?.treeMs(pids) ?? 0, times?.endedChildrenMs() ?? 0]
  const [busyBefore, ownBefore, start] = [times?.machineBusyMs() ?? 0, process.cpuUsage(), performance.now()]
  const result = await work()
  const wallMs = performance.now() - start
  const own = process.cpuUsage(ownBefore)
  const busyMs = (times?.machineBusyMs() ?? 0) - busyBefore
  const ownMs = (own.user + own.system) / 1000
  const childrenMs = (times?.endedChildrenMs() ?? 0) - childrenBefore
  const serversMs = (times?.treeMs(pids) ?? 0) - serversBefore
  const foreignCores = times && Math.max(0, busyMs - ownMs - childrenMs - serversMs) / wallMs
  return { result, wallMs, ownMs, childrenMs, serversMs, foreignCores }
}
