import type { Clock } from '@chancela/service-kernel/clock'
import type { EventLog } from '@chancela/service-kernel/events'
import type { Logger } from '@chancela/service-kernel/http'
import type { Secrets } from '@chancela/service-kernel/secrets'
import { type Store, storeOf } from '@chancela/service-kernel/store'
import type { AdministratorTables } from './administrator-table.ts'
import type { ConsoleSettings } from './settings.ts'

/** What a console needs of its service. */
export interface ConsoleContext<Tables extends AdministratorTables = AdministratorTables> {
  readonly settings: ConsoleSettings
  readonly clock: Clock
  readonly logger: Logger
  readonly store: Store<Tables>
  readonly events: EventLog
  readonly secrets: Secrets
}

/** A service's store, typed with this table only. */
export const administratorStore = storeOf<AdministratorTables>()
