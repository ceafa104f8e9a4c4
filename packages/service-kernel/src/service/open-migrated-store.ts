import type { Logger } from 'pino'
import type { Clock } from '../clock/index.ts'
import type { KernelSettings } from '../config/index.ts'
import { migrate, openStore, type Store } from '../store/index.ts'
import type { StatefulService } from './definition.ts'

/** Opens a service's database and migrates it; nothing stays open when that fails. */
export async function openMigratedStore(
  definition: StatefulService,
  settings: Pick<KernelSettings, 'Database'>,
  { dataFolder, clock, logger }: { dataFolder: string; clock: Clock; logger: Logger },
): Promise<Store<unknown>> {
  const store = await openStore<unknown>({
    url: settings.Database.Url,
    service: definition.name,
    dataFolder,
    onExposed: (files) => logger.warn({ files }, 'other accounts of the machine could read files of the database'),
  })
  try {
    const report = await migrate(store, definition.migrations, clock)
    logger.info({ store: await store.version(), applied: report.applied.length }, 'store opened')
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}
