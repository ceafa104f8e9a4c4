// Storage of bytes by their digest: in a folder, in the database, or in an S3-compatible store.
export {
  BlobMissing,
  type BlobSource,
  type BlobStore,
  BlobTooLarge,
  type ByteRange,
  type StoredBlob,
} from './blob-store.ts'
export { blobsCheck } from './blobs-check.ts'
export { blobMigrations } from './migrations.ts'
export { openBlobStore } from './open-blob-store.ts'
export { rememberingBlobs } from './recent-blobs.ts'
export { type StorageSettings, storageSettings } from './storage-settings.ts'
export { type SweptOrphans, sweepOrphans } from './sweep-orphans.ts'
