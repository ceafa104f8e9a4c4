import type { Clock } from '@chancela/service-kernel/clock'
import type { EventLog } from '@chancela/service-kernel/events'
import type { Readiness } from '@chancela/service-kernel/health'
import type { Logger } from '@chancela/service-kernel/http'
import type { Metrics } from '@chancela/service-kernel/metrics'
import type { Secrets } from '@chancela/service-kernel/secrets'
import type { Closing } from '@chancela/service-kernel/service'
import type { Store } from '@chancela/service-kernel/store'
import type { CloudHubSettings } from './settings.ts'
import type { Tables } from './store/tables.ts'

/** What every part of the service stands on. */
export interface Ground {
  readonly settings: CloudHubSettings
  readonly version: string
  readonly clock: Clock
  readonly logger: Logger
  /** Where relative paths of settings begin. */
  readonly dataFolder: string
  readonly store: Store<Tables>
  readonly events: EventLog
  readonly secrets: Secrets
  readonly metrics: Metrics
  readonly readiness: Readiness
  readonly closing: Closing
}
