import type { ServiceView } from '@chancela/demo/contract'

export interface SuiteSummary {
  /** Number of built services. */
  total: number
  running: number
  degraded: number
  /** Specified and not built yet. */
  planned: number
}

/** How many of the built services run. One with a failing check is not counted as running. */
export function summarize(services: readonly ServiceView[]): SuiteSummary {
  const inState = (state: ServiceView['state']) => services.filter((service) => service.state === state).length
  const planned = inState('not-built')
  return { total: services.length - planned, running: inState('running'), degraded: inState('degraded'), planned }
}
