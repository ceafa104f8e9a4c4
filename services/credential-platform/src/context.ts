import type { BlobStore } from '@chancela/service-kernel/blobs'
import type { ServiceContext } from '@chancela/service-kernel/service'
import type { CredentialPlatformSettings } from './settings.ts'
import type { Tables } from './store/tables.ts'

/** What every part of the service needs. */
export interface Context extends ServiceContext<CredentialPlatformSettings, Tables> {
  /** Storage of the bytes of documents. */
  readonly blobs: BlobStore
  /** Public base URL of the service, without a trailing slash. */
  readonly publicUrl: string
}
