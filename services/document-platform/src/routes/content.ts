import { attachment, type Call, inline, serve } from '@chancela/service-kernel/http'
import {
  attachmentContent,
  type Content,
  contentLocation,
  contentOf,
  requireContent,
  ticketContent,
} from '../actions/documents/content.ts'
import { recordDownload } from '../actions/documents/document-audit.ts'
import { requiredLiveDocument } from '../actions/documents/required-document.ts'
import type { Context } from '../context.ts'
import {
  createContentTicket,
  readAttachment,
  readContent,
  readContentBase64,
  readContentByTicket,
} from '../contract/documents.ts'
import type { RenditionLanguage } from '../parts/renditions/rendition-info.ts'
import type { PlatformApp } from './platform-app.ts'

/** Registers the download routes. */
export function serveContent(app: PlatformApp, context: Context): void {
  serve(app, readContent, async ({ caller, params, query, request, reply, now, signal }) => {
    const document = await requiredLiveDocument(context, caller, 'documents.read', params.id)
    const type = query.type ?? DEFAULT
    const content = await contentOf(context, document, type, { language: languageOf(request), now, signal })
    await recordDownload(context, caller, document, { type }, now)
    return send(reply, content, 'attachment')
  })

  serve(app, readContentBase64, async ({ caller, params, query, request, now, signal }) => {
    const document = await requiredLiveDocument(context, caller, 'documents.read', params.id)
    const type = query.type ?? DEFAULT
    const content = await contentOf(context, document, type, { language: languageOf(request), now, signal })
    await recordDownload(context, caller, document, { type }, now)
    return { bytes: (await wholeOf(content)).toString('base64'), name: content.name, contentType: content.contentType }
  })

  serve(app, createContentTicket, async ({ caller, params, query, now }) => {
    const document = await requiredLiveDocument(context, caller, 'documents.read', params.id)
    const type = query.type ?? DEFAULT
    // No path is issued for content that is not available.
    requireContent(context, document, type)
    await recordDownload(context, caller, document, { type }, now)
    const location = contentLocation(context, { documentId: document.id, type })
    return { location: query.preview ? `${location}&preview=true` : location }
  })

  serve(app, readContentByTicket, async ({ query, request, reply, now, signal }) => {
    const reader = { language: languageOf(request), now, signal }
    const content = await ticketContent(context, query.access_ticket, reader)
    return send(reply, content, query.preview ? 'inline' : 'attachment')
  })

  serve(app, readAttachment, async ({ caller, params, reply, now }) => {
    const document = await requiredLiveDocument(context, caller, 'documents.read', params.id)
    const content = await attachmentContent(context, document.id, params.attachmentId)
    await recordDownload(context, caller, document, { attachmentId: params.attachmentId }, now)
    return send(reply, content, 'attachment')
  })
}

const DEFAULT = 'Signatures'

/** Types shown inline; any other uploaded file could run as a page of this origin. */
const SHOWN = /^(?:application\/pdf|image\/(?:png|jpeg)|text\/plain)$/

async function send(reply: Call['reply'], content: Content, as: 'attachment' | 'inline') {
  const isShown = as === 'inline' && SHOWN.test(content.contentType)
  const bytes = await content.bytes()
  return reply
    .type(content.contentType)
    .header('content-length', content.size)
    .header('content-disposition', isShown ? inline(content.name) : attachment(content.name))
    .send(bytes)
}

async function wholeOf(content: Content): Promise<Buffer> {
  const bytes = await content.bytes()
  return Buffer.isBuffer(bytes) ? bytes : Buffer.concat(await bytes.toArray())
}

/** Language of renditions: Portuguese unless the reader asks for another. */
const languageOf = ({ headers }: Call['request']): RenditionLanguage => {
  const asked = headers['accept-language']?.trim().slice(0, 2).toLowerCase()
  return asked === 'en' || asked === 'es' ? asked : 'pt'
}
