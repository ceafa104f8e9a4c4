import { Semaphore } from '@chancela/service-kernel/concurrency'
import { inline, serve } from '@chancela/service-kernel/http'
import { checkDocument } from '../actions/public/check-document.ts'
import { PublicDocuments } from '../actions/public/read-public.ts'
import type { Parts } from '../compose.ts'
import * as contract from '../contract/public.ts'
import { refuse } from '../rules/refuse.ts'
import { languageOf, wantsPage } from './asked-form.ts'
import type { CredentialApp } from './credential-app.ts'
import { recordPage, unknownPage } from './public-page.ts'
import { sendFile } from './send-file.ts'
import { anyXml } from './uploaded-xml.ts'

/** What anybody may ask: by the code of a document, of a registrar's list, or with a document at hand. */
export function servePublic(app: CredentialApp, parts: Parts): void {
  const { context } = parts
  const documents = new PublicDocuments(context)

  serve(app, contract.readPublicRecord, async ({ params, request, reply }) => {
    if (!wantsPage(request)) return documents.record(params.code)
    const record = await documents.record(params.code).catch(ifUnknown)
    const { page, headers } = record ? recordPage(record, languageOf(request)) : unknownPage(languageOf(request))
    return reply
      .code(record ? 200 : 404)
      .headers(headers)
      .send(page)
  })
  serve(app, contract.readPublicXml, async ({ params, request, reply }) =>
    sendFile(context, { request, reply }, await documents.xml(params.code), inline(`${params.code}.xml`)),
  )
  serve(app, contract.readPublicVersion, async ({ params, request, reply }) =>
    sendFile(
      context,
      { request, reply },
      await documents.version(params.code, params.sha256),
      inline(`${params.code}.xml`),
    ),
  )
  serve(app, contract.readPublicRepresentation, async ({ params, request, reply }) =>
    sendFile(context, { request, reply }, await documents.representation(params.code), inline(`${params.code}.pdf`)),
  )
  serve(app, contract.readAnnulledDegrees, async ({ params, request, reply }) =>
    sendFile(
      context,
      { request, reply },
      await documents.annulledDegrees(params.iesCode),
      inline('annulled-degrees.xml'),
    ),
  )
  serveChecks(app, parts)
}

function serveChecks(app: CredentialApp, parts: Parts): void {
  const { MaxDocumentBytes, MaxRunning } = parts.context.settings.Checks
  const running = new Semaphore(MaxRunning)
  serve(app, contract.checkDocument, async ({ request, now, signal }) => {
    if (running.waiting >= 2 * MaxRunning) throw refuse('service-busy')
    const bytes = await anyXml(request, MaxDocumentBytes)
    const release = await running.take(signal)
    try {
      return await checkDocument(parts, bytes, now)
    } finally {
      release()
    }
  })
}

const ifUnknown = (error: unknown): undefined => {
  if ((error as { code?: unknown }).code === 'code-not-found') return undefined
  throw error
}
