import Type, { type Static } from 'typebox'

const text = (value: string, description: string) => Type.String({ default: value, description })

/** The section `Storage` of a service's settings: where document bytes are stored, by default in this folder. */
export const storageSettings = (folder: string) =>
  Type.Object({
    Kind: Type.Enum(['FileSystem', 'Database', 'S3'], {
      default: 'FileSystem',
      description: 'Where the bytes of documents lie: in a folder, in the database, or in an S3-compatible store.',
    }),
    Folder: Type.String({
      default: folder,
      minLength: 1,
      description: 'Folder of the bytes; with S3, where large uploads wait until they are sent.',
    }),
    S3: Type.Object({
      Endpoint: text('', 'URL of the S3-compatible store, such as https://s3.example.com.'),
      Region: text('us-east-1', 'Region that requests are signed for.'),
      Bucket: text('', 'Bucket of the bytes, which must exist; it stands first in the path of the URL.'),
      Prefix: text('', 'Beginning of every key, such as documents/.'),
      AccessKeyId: text('', 'Name of the access key.'),
      SecretAccessKey: Type.String({ secret: true, default: '', description: 'The access key itself.' }),
    }),
  })

export type StorageSettings = Static<ReturnType<typeof storageSettings>>
