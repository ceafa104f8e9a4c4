import { setTimeout as sleep } from 'node:timers/promises'
import type { Contestant, Runner } from './benchmark.ts'
import type { CpuTimes } from './cpu-time.ts'

/** How hard the harness tries to measure on a quiet machine. */
export interface Patience {
  /** Longest wait for quiet before one sample, in seconds. */
  readonly waitSeconds: number
  /** Samples taken at most until one is undisturbed. */
  readonly tries: number
}

/** What the method prescribes (design: performance, section 0). */
export const defaultPatience: Patience = { waitSeconds: 60, tries: 6 }

/** One try, no waiting: for development, where a rough figure now is worth more than a good one later. */
export const noPatience: Patience = { waitSeconds: 0, tries: 1 }

const PROBE_MS = 400

// Cores others may keep busy meanwhile. A one-core contestant does not feel a busy neighbour core; one that uses
// both feels everything; a figure that is no time feels nothing.
const foreignLimit: Record<Contestant['cores'], number> = { 0: Number.POSITIVE_INFINITY, 1: 0.8, 2: 0.15 }

/** True when others took so much CPU that the contestant's sample says more about them. */
export const isDisturbed = (contestant: Contestant, foreignCores: number | undefined): boolean =>
  foreignCores !== undefined && foreignCores > foreignLimit[contestant.cores]

/** Waits until the rest of the machine is quiet enough for the contestant, or patience ends. */
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
  /** Children that ended meanwhile, and the runner's servers; 0 when the system does not tell. */
  readonly childrenMs: number
  readonly serversMs: number
  /** Average number of cores that others kept busy; undefined when the system does not tell. */
  readonly foreignCores: number | undefined
}

/** Runs the work and reads every clock before and after it. */
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
