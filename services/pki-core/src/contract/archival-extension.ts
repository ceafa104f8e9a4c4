// The renewal of archive signatures, such as those of digital diplomas (pki-core facts 4).
import Type, { type Static } from 'typebox'
import { always, Flag, maybe, orNull, subscriptionHeader, Time } from './common.ts'
import { FileReference, FileReferenceModel, INLINE_BODY_BYTES } from './files.ts'

const ArchiveTimestamp = Type.Object({ dateIssued: Time, dateExpires: Time }, { $id: 'ArchiveTimestampModel' })

export const extendArchive = {
  method: 'POST',
  path: '/api/signature/archival-extension',
  operationId: 'extendArchive',
  summary: 'Gives an archive signature in XML its next timestamp, where the one that protects it would end soon.',
  tags: ['Signatures'],
  headers: subscriptionHeader,
  body: Type.Object(
    {
      file: FileReference,
      securityContextId: maybe(
        Type.String({ maxLength: 64, description: 'Default: the security context of the subscription.' }),
      ),
      returnTimestampModels: maybe(
        Type.Boolean({ description: 'Whether the answer names the timestamps. Default false.' }),
      ),
      minActiveTimestampValidityDays: maybe(
        Type.Integer({
          minimum: 0,
          maximum: 100_000,
          description: 'Extended only where less is left. Default: always.',
        }),
      ),
    },
    { $id: 'ArchivalExtensionRequest' },
  ),
  bodyLimitBytes: INLINE_BODY_BYTES,
  answer: Type.Object(
    {
      extended: Flag,
      daysUntilExpiration: Type.Integer({ description: 'Of the timestamp that protects the file now.' }),
      activeTimestampBefore: orNull(ArchiveTimestamp),
      activeTimestampAfter: orNull(ArchiveTimestamp),
      file: orNull(FileReferenceModel),
    },
    { $id: 'ArchivalExtensionResponse' },
  ),
  access: 'signatures.run',
  refusals: [
    ...always,
    'SecurityContextNotFound',
    'InvalidToken',
    'FileDownloadFailed',
    'FileTooLarge',
    'InvalidXml',
    'TimestampingUnavailable',
  ],
} as const

export type ExtensionRequest = Static<typeof extendArchive.body>
export type ExtensionAnswer = Static<typeof extendArchive.answer>
