import { SECOND } from '../clock/index.ts'
import type { KernelSettings } from '../config/index.ts'
import type { StartupProblem } from '../errors/index.ts'
import type { ServiceDefinition } from './definition.ts'
import { type RunningService, type StartOptions, startService } from './start-service.ts'

/** Several services in one process. */
export interface RunningSuite {
  readonly services: readonly RunningService[]
  /** Resolves when one of them cannot go on, with the reason; never otherwise. */
  readonly gaveUp: Promise<StartupProblem>
  /**
   * Stops them in the reverse of the order they started in: those that others call answer the calls under way. After a
   * while those that are left stop at once, so that the whole takes little longer than its slowest service.
   */
  stop(): Promise<void>
}

export interface SuiteOptions extends StartOptions {
  /** Called when a service answers, so that a long start shows progress. */
  readonly onStarted?: (service: RunningService) => void
  /** Completes the settings of a service with values from services started before it. */
  readonly complete?: (
    definition: ServiceDefinition,
    settings: KernelSettings,
    started: readonly RunningService[],
  ) => Promise<KernelSettings>
}

/** How long services that stop keep those before them from doing so, in seconds. */
const IN_TURN_SECONDS = 5

async function stopAll(services: readonly RunningService[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, IN_TURN_SECONDS * SECOND)
  })
  const stopping: Promise<void>[] = []
  for (const service of [...services].reverse()) {
    stopping.push(service.stop())
    await Promise.race([stopping.at(-1), patience])
  }
  await Promise.all(stopping)
  clearTimeout(timer)
}

/** Starts the services in their order; when one cannot start, those that did are stopped and the reason is thrown. */
export async function startSuite(
  definitions: readonly ServiceDefinition[],
  settings: Readonly<Record<string, KernelSettings>>,
  options: SuiteOptions,
): Promise<RunningSuite> {
  const services: RunningService[] = []
  const stop = () => stopAll(services.splice(0))
  try {
    for (const definition of definitions) {
      const given = settings[definition.name]!
      const complete = (await options.complete?.(definition, given, services)) ?? given
      const service = await startService(definition, complete, options)
      services.push(service)
      options.onStarted?.(service)
    }
    return { services: [...services], gaveUp: Promise.race(services.map((service) => service.gaveUp)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
