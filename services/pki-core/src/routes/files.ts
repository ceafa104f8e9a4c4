import { attachment, bodyPieces, type Call, serve } from '@chancela/service-kernel/http'
import * as uploads from '../actions/uploads/uploads.ts'
import type { Parts } from '../compose.ts'
import * as contract from '../contract/files.ts'
import { askedRange } from '../rules/byte-range.ts'
import { refuse } from '../rules/refuse.ts'
import type { CoreApp } from './core-app.ts'
import { linkBase } from './link-base.ts'

export const headerOf = ({ headers }: Call['request'], name: string): string | undefined => [headers[name]].flat()[0]

const arriving = (request: Call['request'], name?: string): uploads.Arriving => ({
  bytes: bodyPieces(request),
  md5: headerOf(request, 'content-md5'),
  name,
  contentType: typeOf(request),
})

/** What clients send for want of a better type says nothing about the bytes (pki-core facts 4.5). */
const meaningless = /^(?:application\/(?:x-www-form-urlencoded|json))?(?:;|$)/i

/** The bytes are taken as they are: a form around them would become part of the file. */
function typeOf(request: Call['request']): string | undefined {
  const type = headerOf(request, 'content-type') ?? ''
  if (/^multipart\//i.test(type)) throw refuse('UnsupportedMediaType', { reason: 'The bytes must stand alone.' })
  return meaningless.test(type) ? undefined : type
}

/** Uploads, and the files behind links. */
export function serveFiles(app: CoreApp, parts: Parts): void {
  serve(app, contract.uploadPlain, ({ caller, query, request, now }) =>
    uploads.uploadWhole(parts, caller, arriving(request, query.name), linkBase(request), now),
  )
  serve(app, contract.beginMultipartUpload, ({ caller, now }) => uploads.beginParts(parts, caller, now))
  serve(app, contract.uploadPart, async ({ caller, params, request, reply, now }) => {
    const etag = await uploads.takePart(parts, caller, params, arriving(request), now)
    reply.header('etag', etag)
    return {}
  })
  serve(app, contract.endMultipartUpload, ({ caller, params, body, request, now }) =>
    uploads.endParts(parts, caller, params.token, body, linkBase(request), now),
  )
  serve(app, contract.downloadFile, async ({ query, request, reply }) => {
    const linked = parts.files.links.open(query.access_ticket)
    const file = linked && (await parts.files.linked(linked))
    if (!file) throw refuse('InvalidToken')
    return sendFile(reply, request, parts, file)
  })
}

type File = NonNullable<Awaited<ReturnType<Parts['files']['linked']>>>

/** The same link gives the same bytes: a part of them may be read, and a copy that is there be kept. */
export async function sendFile(reply: Call['reply'], request: Call['request'], { files }: Parts, file: File) {
  const etag = `"${file.digest}"`
  reply.headers({ etag, 'accept-ranges': 'bytes', 'cache-control': 'private, no-cache' })
  if (headerOf(request, 'if-none-match') === etag) return reply.code(304).send('')
  const isFresh = (headerOf(request, 'if-range') ?? etag) === etag
  const range = isFresh ? askedRange(headerOf(request, 'range'), file.size) : 'whole'
  if (range === 'none') return reply.code(416).header('content-range', `bytes */${file.size}`).send('')
  const { start, end } = range === 'whole' ? { start: 0, end: file.size } : range
  if (range !== 'whole') reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${file.size}`)
  return reply
    .type(file.contentType)
    .header('content-length', end - start)
    .header('content-disposition', attachment(file.name))
    .send(await files.stream(file, { start, end }))
}
