import type { ServiceContext } from '@chancela/service-kernel/service'
import type { CloudHubSettings } from './settings.ts'
import type { Tables } from './store/tables.ts'

/** What every part of the service needs. */
export type Context = ServiceContext<CloudHubSettings, Tables>
