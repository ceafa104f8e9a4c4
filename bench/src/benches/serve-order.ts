import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@chancela/service-kernel/clock'
import { type KernelSettings, loadSettings } from '@chancela/service-kernel/config'
import { type RunningService, type StatefulService, startService } from '@chancela/service-kernel/service'

/** The input of a service's process. */
export interface ServiceOrder {
  /** Name of the service and, on PostgreSQL, of its schema, so that each service has its own. */
  readonly name: string
  readonly dataFolder: string
  readonly settings: Readonly<Record<string, unknown>>
}

/** The address of the surface of a settings section. */
export const addressOf = ({ surfaces }: RunningService, section: string): string =>
  surfaces.find((surface) => surface.definition.section === section)!.baseUrl

/** Starts a service of the suite as its command line does, from the order file given to this process. */
export function serveOrder(definition: StatefulService): Promise<RunningService> {
  const [orderFile = ''] = process.argv.slice(2)
  const { name, dataFolder, settings } = JSON.parse(readFileSync(orderFile, 'utf8')) as ServiceOrder
  const service = { ...definition, name }
  const schemas = { [name]: service.settings }
  const loaded = loadSettings({ schemas, environment: {}, defaults: { [name]: settings } })
  return startService(service, loaded.settings[name] as KernelSettings, {
    clock: systemClock,
    version: '1.0.0',
    dataFolder,
    logFile: join(dataFolder, 'service.log'),
  })
}
