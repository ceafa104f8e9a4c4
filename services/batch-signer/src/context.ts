import type { ServiceContext } from '@chancela/service-kernel/service'
import type { BatchSignerSettings } from './settings.ts'
import type { JobLedger } from './store/job-ledger.ts'
import type { Tables } from './store/tables.ts'

/** What every part of the service needs. */
export interface Context extends ServiceContext<BatchSignerSettings, Tables> {
  readonly ledger: JobLedger
}
