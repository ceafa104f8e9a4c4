import type { Clock } from '../clock/index.ts'
import type { EventLog } from '../events/index.ts'
import type { Logger } from '../http/index.ts'
import type { Secrets } from '../secrets/index.ts'
import type { Store } from '../store/index.ts'
import type { AdministratorTables } from './administrator-table.ts'
import type { ConsoleSettings } from './settings.ts'

/** What a console stands on: of a service, what it shows here. */
export interface ConsoleGround<Tables extends AdministratorTables = AdministratorTables> {
  readonly settings: ConsoleSettings
  readonly clock: Clock
  readonly logger: Logger
  readonly store: Store<Tables>
  readonly events: EventLog
  readonly secrets: Secrets
}

/** A service's store seen with this table only: Kysely's types do not narrow by themselves. */
export const administratorStore = <Tables extends AdministratorTables>(
  store: Store<Tables>,
): Store<AdministratorTables> => store as unknown as Store<AdministratorTables>
