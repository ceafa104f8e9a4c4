import type { StatefulService } from '@chancela/service-kernel/service'
import { migrate, openStore } from '@chancela/service-kernel/store'
import {
  type CommandContext,
  type CommonOptions,
  chooseServices,
  dataFolderOf,
  kernelPart,
  settingsOf,
} from './command-context.ts'

/** `chancela migrate`: brings the databases of the chosen services to this program's schema, without starting them. */
export async function migrateCommand(
  context: CommandContext,
  names: readonly string[],
  options: CommonOptions,
): Promise<void> {
  const chosen = chooseServices(context.services, names)
  const settings = kernelPart(settingsOf(context, chosen, options))
  for (const service of chosen) {
    if (!service.migrations) context.print(`${service.name}: keeps no database`)
    else
      context.print(await migrateService(context, service, settings[service.name]!.Database.Url, dataFolderOf(options)))
  }
}

async function migrateService(
  { clock }: CommandContext,
  service: StatefulService,
  url: string,
  dataFolder: string,
): Promise<string> {
  const store = await openStore<unknown>({ url, service: service.name, dataFolder })
  try {
    const { applied, alreadyThere } = await migrate(store, service.migrations, clock)
    const steps = applied.map((step) => `\n  ${step.owner} ${step.id}: ${step.name}`).join('')
    const done = applied.length === 0 ? 'up to date' : `${applied.length} applied`
    return `${service.name} (${await store.version()}): ${done}, ${alreadyThere.length} were there${steps}`
  } finally {
    await store.close()
  }
}
