import { resolve } from 'node:path'
import type { KernelSettings } from '@chancela/service-kernel/config'
import type { MasterKeysOptions } from '@chancela/service-kernel/secrets'
import type { StatefulService } from '@chancela/service-kernel/service'
import { openStore, type Store } from '@chancela/service-kernel/store'
import { type CommandContext, type CommonOptions, dataFolderOf, kernelPart, settingsOf } from './command-context.ts'

/** What a command gets while it works on a service's database. */
export interface OpenedService<Tables> {
  readonly store: Store<Tables>
  readonly settings: KernelSettings
  readonly dataFolder: string
}

/** Opens the database of a service, which may be stopped, calls `work` and always closes it. */
export async function withStore<Tables, T>(
  context: CommandContext,
  service: StatefulService,
  options: CommonOptions,
  work: (opened: OpenedService<Tables>) => Promise<T>,
): Promise<T> {
  const settings = kernelPart(settingsOf(context, [service], options))[service.name]!
  const dataFolder = dataFolderOf(options)
  const store = await openStore<Tables>({ url: settings.Database.Url, service: service.name, dataFolder })
  try {
    return await work({ store, settings, dataFolder })
  } finally {
    await store.close()
  }
}

/** Where the master keys of an opened service come from, and what they seal. */
export const masterKeysOf = (
  { name, sealedTables = [] }: StatefulService,
  { settings: { Secrets }, dataFolder }: Pick<OpenedService<unknown>, 'settings' | 'dataFolder'>,
): MasterKeysOptions => ({
  service: name,
  masterKey: Secrets.MasterKey,
  masterKeyFile: resolve(dataFolder, Secrets.MasterKeyFile),
  tables: sealedTables,
})
