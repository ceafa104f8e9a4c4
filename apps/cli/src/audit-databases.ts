// The databases of services that chain what they record.
import { existsSync } from 'node:fs'
import { StartupProblem } from '@chancela/service-kernel/errors'
import type { ServiceDefinition, StatefulService } from '@chancela/service-kernel/service'
import { hasTable, storeFile } from '@chancela/service-kernel/store'
import {
  type CommandContext,
  type CommonOptions,
  chooseServices,
  dataFolderOf,
  kernelPart,
  settingsOf,
} from './command-context.ts'
import { type OpenedService, withStore } from './with-store.ts'

export type ChainedService = StatefulService & Required<Pick<StatefulService, 'chained'>>

export function chainedServices({ services }: CommandContext, names: readonly string[]): readonly ChainedService[] {
  const chosen = chooseServices(services, names)
  const without = names.length > 0 ? chosen.find((service) => !isChained(service)) : undefined
  if (without) throw new StartupProblem(`${without.name} keeps no audit chain.`)
  return chosen.filter(isChained)
}

const isChained = (service: ServiceDefinition): service is ChainedService =>
  service.migrations !== undefined && service.chained !== undefined

/** A sentence instead where the service has no database: an embedded one would be made, which must not happen here. */
export async function withDatabase<T>(
  context: CommandContext,
  service: ChainedService,
  options: CommonOptions,
  work: (opened: OpenedService<unknown>) => Promise<T>,
): Promise<T | string> {
  const { Url: url } = kernelPart(settingsOf(context, [service], options))[service.name]!.Database
  const file = storeFile({ url, dataFolder: dataFolderOf(options) })
  if (file !== undefined && !existsSync(file)) return `${service.name} has no database at ${file}.`
  return withStore(context, service, options, async (opened: OpenedService<unknown>) => {
    const { db } = opened.store
    if (!(await hasTable(db, 'schema_migration'))) return `${service.name} has nothing in its database yet.`
    for (const table of ['audit_chain', 'audit_checkpoint'])
      if (!(await hasTable(db, table)))
        throw new StartupProblem(`The database of ${service.name} has no ${table} yet: chancela migrate makes it.`)
    return work(opened)
  })
}
