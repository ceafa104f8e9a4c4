import type { ServiceDefinition } from '@chancela/service-kernel/service'
import { migrate } from '@chancela/service-kernel/store'
import { type CommandContext, type CommonOptions, chooseServices } from './command-context.ts'
import { withStore } from './with-store.ts'

/** `chancela migrate`: brings the databases of the chosen services to this program's schema, without starting them. */
export async function migrateCommand(
  context: CommandContext,
  names: readonly string[],
  options: CommonOptions,
): Promise<void> {
  for (const service of chooseServices(context.services, names)) {
    context.print(`${service.name}${await migrated(context, service, options)}`)
  }
}

async function migrated(context: CommandContext, service: ServiceDefinition, options: CommonOptions): Promise<string> {
  if (!service.migrations) return ': keeps no database'
  return withStore(context, service, options, async ({ store }) => {
    const { applied, alreadyThere } = await migrate(store, service.migrations, context.clock)
    const steps = applied.map((step) => `\n  ${step.owner} ${step.id}: ${step.name}`).join('')
    const done = applied.length === 0 ? 'up to date' : `${applied.length} applied`
    return ` (${await store.version()}): ${done}, ${alreadyThere.length} were there${steps}`
  })
}
