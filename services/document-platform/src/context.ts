import type { Clock } from '@chancela/service-kernel/clock'
import type { EventLog } from '@chancela/service-kernel/events'
import type { Readiness } from '@chancela/service-kernel/health'
import type { Logger } from '@chancela/service-kernel/http'
import type { Metrics } from '@chancela/service-kernel/metrics'
import type { Secrets } from '@chancela/service-kernel/secrets'
import type { Closing } from '@chancela/service-kernel/service'
import type { Store } from '@chancela/service-kernel/store'
import type { PlatformMetrics } from './metrics.ts'
import type { Tickets } from './parts/access/tickets.ts'
import type { Notices } from './parts/mail/notices.ts'
import type { DocumentPlatformSettings } from './settings.ts'
import type { Tables } from './store/tables.ts'
import type { BlobStore } from './upstream/storage/blob-store.ts'

/** What every part of the service stands on. */
export interface Ground {
  readonly settings: DocumentPlatformSettings
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
  /** Where bytes are kept. */
  readonly blobs: BlobStore
  /** Who is told of what by e-mail. */
  readonly notices: Notices
  readonly tickets: Tickets
  /** What is counted beside the kernel's own metrics. */
  readonly figures: PlatformMetrics
  /** Where the service is reached from outside, without a slash at the end. */
  readonly publicUrl: string
}
