import type { BlobStore } from '@chancela/service-kernel/blobs'
import type { ServiceContext } from '@chancela/service-kernel/service'
import type { PlatformMetrics } from './metrics.ts'
import type { Passwords } from './parts/access/passwords.ts'
import type { Tickets } from './parts/access/tickets.ts'
import type { AuditLog } from './parts/audit/audit-log.ts'
import type { Notices } from './parts/mail/notices.ts'
import type { Renditions } from './parts/renditions/open-renditions.ts'
import type { DocumentPlatformSettings } from './settings.ts'
import type { Tables } from './store/tables.ts'

/** What every part of the service needs. */
export interface Context extends ServiceContext<DocumentPlatformSettings, Tables> {
  /** Storage of file contents. */
  readonly blobs: BlobStore
  /** What is made of PDFs. */
  readonly renditions: Renditions
  /** E-mail notifications. */
  readonly notices: Notices
  readonly tickets: Tickets
  readonly passwords: Passwords
  readonly audit: AuditLog
  /** The service's metrics, beside the kernel's own. */
  readonly platformMetrics: PlatformMetrics
  /** Public base URL of the service, without a trailing slash. */
  readonly publicUrl: string
}
