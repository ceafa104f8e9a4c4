import type { Call } from '@chancela/service-kernel/http'
import type { Context } from '../context.ts'
import type { DocumentTables } from '../store/document-tables.ts'

type ItemFile = Pick<DocumentTables['item_file'], 'digest' | 'bytes' | 'media_type'>

/** Sends the exact bytes; whoever has them already, by their SHA-256, is told so instead. */
export async function sendFile(
  { blobs }: Pick<Context, 'blobs'>,
  { request, reply }: Pick<Call, 'request' | 'reply'>,
  { digest, bytes, media_type }: ItemFile,
  disposition: string,
) {
  const etag = `"${digest}"`
  reply.headers({ etag, 'cache-control': 'private, no-cache' })
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply
    .type(media_type)
    .header('content-length', bytes)
    .header('content-disposition', disposition)
    .send(await blobs.stream(digest))
}

const isKnown = (given: string | undefined, etag: string): boolean =>
  given?.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag) ?? false
