import type { ServiceView, SuiteView } from '@chancela/demo/contract'

export interface TourStep {
  number: number
  service: ServiceView
  title: string
  command: string
}

/** The walk through the suite: the commands of every service that answers, in the server's order, numbered through. */
export function tourSteps({ services }: Pick<SuiteView, 'services'>): TourStep[] {
  return services
    .filter(answers)
    .flatMap((service) => service.curl.map((line) => ({ service, ...line })))
    .map((step, place) => ({ number: place + 1, ...step }))
}

const answers = ({ state }: ServiceView) => state === 'running' || state === 'degraded'
