import type { ServiceView } from '@chancela/demo/contract'

export interface SuiteSummary {
  total: number
  running: number
  degraded: number
}

/** How many services run, of all that the suite will have. One with a red check is not counted as running. */
export function summarize(services: readonly ServiceView[]): SuiteSummary {
  const inState = (state: ServiceView['state']) => services.filter((service) => service.state === state).length
  return { total: services.length, running: inState('running'), degraded: inState('degraded') }
}
