import type { ServiceContext } from '@chancela/service-kernel/service'
import type { PkiCoreSettings } from './settings.ts'
import type { Tables } from './store/tables.ts'

/** What every part of the service needs. */
export type Context = ServiceContext<PkiCoreSettings, Tables>
