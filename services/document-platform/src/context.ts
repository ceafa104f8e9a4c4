import type { ServiceContext } from '@chancela/service-kernel/service'
import type { PlatformMetrics } from './metrics.ts'
import type { Tickets } from './parts/access/tickets.ts'
import type { Notices } from './parts/mail/notices.ts'
import type { DocumentPlatformSettings } from './settings.ts'
import type { Tables } from './store/tables.ts'
import type { BlobStore } from './upstream/storage/blob-store.ts'

/** What every part of the service works with. */
export interface Context extends ServiceContext<DocumentPlatformSettings, Tables> {
  /** Where bytes are kept. */
  readonly blobs: BlobStore
  /** Who is told of what by e-mail. */
  readonly notices: Notices
  readonly tickets: Tickets
  /** What is counted beside the kernel's own metrics. */
  readonly platformMetrics: PlatformMetrics
  /** Where the service is reached from outside, without a slash at the end. */
  readonly publicUrl: string
}
