import { StartupProblem } from '@chancela/service-kernel/errors'
import {
  dropUnusedKeys,
  forgetKeys,
  forgottenKeys,
  keysInUse,
  type MasterKeysOptions,
  openMasterKeys,
  resealTable,
  retireOldKeys,
  rotateMasterKey,
} from '@chancela/service-kernel/secrets'
import { migrate, type Store } from '@chancela/service-kernel/store'
import { type CommandContext, type CommonOptions, chooseServices } from './command-context.ts'
import { masterKeysOf, withStore } from './with-store.ts'

/**
 * `chancela secrets rotate <service>`: safe while the service runs, and safe to repeat after an interruption, because
 * the old key is dropped only when nothing is sealed under it any more.
 */
export const rotateCommand = (context: CommandContext, name: string, options: CommonOptions): Promise<void> =>
  withSealed(context, name, options, (store, keys) => {
    if (keys.masterKey !== undefined) throw new StartupProblem(givenDirectly(keys.service))
    return rotate(context, store, keys)
  })

/** `chancela secrets forget <service> <key-id...>`: the way out for a master key that nobody has any more. */
export const forgetCommand = (
  context: CommandContext,
  name: string,
  ids: readonly string[],
  options: CommonOptions,
): Promise<void> =>
  withSealed(context, name, options, async (store, keys) => {
    await forgetKeys(store, keys, { ids, now: context.clock() })
    context.print(`${keys.service} starts without ${ids.join(', ')}; what was sealed under it stays unreadable.`)
  })

async function withSealed(
  context: CommandContext,
  name: string,
  options: CommonOptions,
  work: (store: Store<unknown>, keys: MasterKeysOptions) => Promise<void>,
): Promise<void> {
  const [service] = chooseServices(context.services, [name])
  if (!service?.migrations) throw new StartupProblem(`${name} keeps no secrets.`)
  await withStore<unknown, void>(context, service, options, async (opened) => {
    await migrate(opened.store, service.migrations, context.clock)
    await work(opened.store, masterKeysOf(service, opened))
  })
}

const givenDirectly = (service: string) =>
  `${service} takes its master key from the setting ${service} Secrets:MasterKey: append the new key there, separated by a comma, and start the service again.`

async function rotate({ print, log }: CommandContext, store: Store<unknown>, keys: MasterKeysOptions): Promise<void> {
  await openMasterKeys(store, keys) // creates the file for a service that has never started
  const { newest } = rotateMasterKey(keys)
  log(`New master key ${newest}; sealing under it …`)
  const unopened = await resealAll(store, keys, log)
  if (unopened > 0) throw new StartupProblem(`${unopened} values do not open under any key; the old keys were kept.`)
  const inUse = await keysInUse(store, keys.tables)
  // The database lets go of the old key first: a file without a key that it still names would keep services from starting.
  await dropUnusedKeys(store, new Set([...inUse, newest]))
  retireOldKeys(keys, inUse)
  print(`Everything of ${keys.service} is sealed under ${newest}; the old key is gone.`)
}

/** How many values do not open, besides those that were given up. */
async function resealAll(store: Store<unknown>, keys: MasterKeysOptions, log: (text: string) => void): Promise<number> {
  const { secrets } = await openMasterKeys(store, keys)
  const forgotten = await forgottenKeys(store)
  let unopened = 0
  for (const table of keys.tables) {
    const report = await resealTable(store, secrets, table)
    log(`  ${table.table}: ${report.resealed} sealed anew, ${report.alreadyNewest} were`)
    unopened += report.unopened.filter(({ keyId }) => keyId === undefined || !forgotten.has(keyId)).length
  }
  return unopened
}
