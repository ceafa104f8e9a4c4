import { resolve } from 'node:path'
import { StartupProblem } from '@chancela/service-kernel/errors'
import {
  keysInUse,
  openSecrets,
  resealTable,
  retireOldKeys,
  rotateMasterKey,
  type SealedTable,
} from '@chancela/service-kernel/secrets'
import { migrate, type Store } from '@chancela/service-kernel/store'
import { type CommandContext, type CommonOptions, chooseServices } from './command-context.ts'
import { withStore } from './with-store.ts'

/**
 * `chancela secrets rotate <service>`: safe while the service runs, and safe to repeat after an interruption, because
 * the old key is dropped only when nothing is sealed under it any more.
 */
export async function rotateCommand(context: CommandContext, name: string, options: CommonOptions): Promise<void> {
  const [service] = chooseServices(context.services, [name])
  if (!service?.migrations) throw new StartupProblem(`${name} keeps no secrets.`)
  await withStore<unknown, void>(context, service, options, async ({ store, settings, dataFolder }) => {
    const { MasterKey, MasterKeyFile } = settings.Secrets
    if (MasterKey !== undefined) throw new StartupProblem(givenDirectly(service.name))
    const file = { service: service.name, masterKeyFile: resolve(dataFolder, MasterKeyFile) }
    await migrate(store, service.migrations, context.clock)
    await rotate(context, store, file, service.sealedTables ?? [])
  })
}

const givenDirectly = (service: string) =>
  `${service} takes its master key from the setting ${service} Secrets:MasterKey: append the new key there, separated by a comma, and start the service again.`

async function rotate(
  { print, log }: CommandContext,
  store: Store<unknown>,
  file: { service: string; masterKeyFile: string },
  tables: readonly SealedTable[],
): Promise<void> {
  openSecrets(file) // creates the file for a service that has never started
  const { newest } = rotateMasterKey(file)
  log(`New master key ${newest}; sealing under it …`)
  const unopened = await resealAll(store, file, tables, log)
  if (unopened > 0) throw new StartupProblem(`${unopened} values do not open under any key; the old keys were kept.`)
  retireOldKeys(file, await keysInUse(store, tables))
  print(`Everything of ${file.service} is sealed under ${newest}; the old key is gone.`)
}

async function resealAll(
  store: Store<unknown>,
  file: { service: string; masterKeyFile: string },
  tables: readonly SealedTable[],
  log: (text: string) => void,
): Promise<number> {
  const secrets = openSecrets(file)
  let unopened = 0
  for (const table of tables) {
    const report = await resealTable(store, secrets, table)
    log(`  ${table.table}: ${report.resealed} sealed anew, ${report.alreadyNewest} were`)
    unopened += report.unopened.length
  }
  return unopened
}
