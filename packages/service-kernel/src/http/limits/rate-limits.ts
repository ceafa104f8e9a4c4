import { type Clock, SECOND } from '../../clock/index.ts'
import { FrameworkProblem, StartupProblem } from '../../errors/index.ts'

export interface RateLimitPolicy {
  /** Calls one client may make in a window. */
  readonly PermitsPerWindow: number
  /** Length of a window, in seconds. */
  readonly WindowSeconds: number
}

/** The settings section `RateLimiting`: a switch and one object per policy. */
export interface RateLimiting {
  /** Default true. */
  readonly Enabled?: boolean
  readonly [policy: string]: RateLimitPolicy | boolean | undefined
}

/** Counts a call of a client, or refuses it with the seconds to wait. */
export type RateLimit = (client: string) => void

// Most clients in memory per policy; beyond it the oldest windows are dropped, in the clients' favour.
const MOST_CLIENTS = 100_000

/**
 * One counter per policy and client, shared by all routes of the policy. Windows are fixed and begin with a client's
 * first call. Counters are per process: several instances together allow a multiple.
 */
export function rateLimits(settings: RateLimiting = {}, clock: Clock) {
  const limits = new Map<string, RateLimit>()
  return {
    /** The limit of a policy; undefined while limits are switched off. */
    policy(name: string): RateLimit | undefined {
      if (settings.Enabled === false) return undefined
      const limit = limits.get(name) ?? fixedWindow(policyOf(settings, name), clock)
      limits.set(name, limit)
      return limit
    },
  }
}

function policyOf(settings: RateLimiting, name: string): RateLimitPolicy {
  const policy = settings[name]
  if (typeof policy === 'object') return policy
  throw new StartupProblem(`RateLimiting:${name} must give PermitsPerWindow and WindowSeconds: a route is under it.`, {
    setting: `RateLimiting:${name}`,
  })
}

function fixedWindow({ PermitsPerWindow, WindowSeconds }: RateLimitPolicy, clock: Clock): RateLimit {
  const windows = new Map<string, { endsAt: number; calls: number }>()
  return (client) => {
    const now = clock().getTime()
    const open = windows.get(client)
    if (!open || now >= open.endsAt) {
      windows.delete(client)
      forgetOld(windows, now)
      windows.set(client, { endsAt: now + WindowSeconds * SECOND, calls: 1 })
    } else if (open.calls < PermitsPerWindow) open.calls += 1
    else throw tooMany(open.endsAt - now)
  }
}

// Windows of one policy are equally long, so the map is in the order in which they end.
function forgetOld(windows: Map<string, { endsAt: number }>, now: number): void {
  for (const [client, { endsAt }] of windows) {
    if (endsAt > now && windows.size < MOST_CLIENTS) return
    windows.delete(client)
  }
}

const tooMany = (milliseconds: number): FrameworkProblem =>
  new FrameworkProblem('rate-limited', { headers: { 'retry-after': String(Math.ceil(milliseconds / SECOND)) } })
