import { resolve } from 'node:path'
import type { Clock } from '../clock/index.ts'
import { StartupProblem } from '../errors/index.ts'
import type { DiskSpace } from '../health/index.ts'
import type { Store } from '../store/index.ts'
import type { BlobStore } from './blob-store.ts'
import { databaseBlobs } from './database-blobs.ts'
import { fileBlobs } from './files/file-blobs.ts'
import { s3Blobs } from './s3/s3-blobs.ts'
import type { StorageSettings } from './storage-settings.ts'

/** What the storage kinds need. */
interface BlobStoreContext<Tables> {
  /** Base of relative paths. */
  readonly dataFolder: string
  /** With `blobMigrations` in its schema. */
  readonly store: Store<Tables>
  readonly clock: Clock
  /** Where the disk of the folder is watched. */
  readonly disks?: Pick<DiskSpace, 'watch'>
}

type OpenBlobs = <Tables>(settings: StorageSettings, context: BlobStoreContext<Tables>) => Promise<BlobStore>

const kinds: Readonly<Record<StorageSettings['Kind'], OpenBlobs>> = {
  FileSystem: ({ Folder }, { dataFolder, clock }) => fileBlobs({ folder: resolve(dataFolder, Folder), clock }),
  Database: (_settings, { store, clock }) => databaseBlobs(store, { clock }),
  S3: async ({ Folder, S3 }, { dataFolder, store, clock }) =>
    s3Blobs({
      endpoint: required(S3, 'Endpoint', store.service),
      region: S3.Region,
      bucket: required(S3, 'Bucket', store.service),
      prefix: S3.Prefix,
      accessKeyId: required(S3, 'AccessKeyId', store.service),
      secretAccessKey: required(S3, 'SecretAccessKey', store.service),
      spoolFolder: resolve(dataFolder, Folder),
      clock,
    }),
}

/** Opens the storage that the setting `Storage:Kind` names. */
export const openBlobStore: OpenBlobs = (settings, context) => {
  if (settings.Kind !== 'Database') context.disks?.watch('storage', resolve(context.dataFolder, settings.Folder))
  return kinds[settings.Kind](settings, context)
}

function required(S3: StorageSettings['S3'], name: keyof StorageSettings['S3'], service: string): string {
  if (S3[name]) return S3[name]
  const setting = `${service} Storage:S3:${name}`
  throw new StartupProblem(`${setting}: must be given when Storage:Kind is S3.`, { setting })
}
