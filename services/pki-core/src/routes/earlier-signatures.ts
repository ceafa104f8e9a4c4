import { type Call, serve } from '@chancela/service-kernel/http'
import { complete, resultFile } from '../actions/earlier-signatures/complete-signature.ts'
import { draftCades, draftPades, draftXml, requireKnownIds } from '../actions/earlier-signatures/draft-plans.ts'
import * as opening from '../actions/earlier-signatures/open-signature.ts'
import { type Asking, start } from '../actions/earlier-signatures/start-signature.ts'
import type { Parts } from '../compose.ts'
import type { SignatureType } from '../contract/documents.ts'
import * as openingContract from '../contract/earlier-opening.ts'
import * as contract from '../contract/earlier-signatures.ts'
import type { Culture } from '../rules/cultures.ts'
import type { Caller } from '../rules/rights.ts'
import type { CoreApp } from './core-app.ts'
import { linkBase } from './link-base.ts'

const asking = ({ locale, request, now }: Pick<Call, 'locale' | 'request' | 'now'>): Asking => ({
  culture: locale as Culture,
  base: linkBase(request),
  now,
})

/** Older requests have the bytes themselves where newer ones have a file. */
const inline = (content: string | null | undefined) => (content ? { content } : undefined)

/** Signatures of the earlier generation. */
export function serveEarlierSignatures(app: CoreApp, parts: Parts): void {
  servePades(app, parts)
  serveCades(app, parts)
  serveXml(app, parts)
}

function servePades(app: CoreApp, parts: Parts): void {
  const begin = (
    call: Pick<Call, 'locale' | 'request' | 'now'> & { readonly caller: Caller },
    request: Parameters<typeof draftPades>[0],
  ) => {
    const showsTime = request.visualRepresentation?.text?.includeSigningTime === true
    const draft = (input: Parameters<typeof draftPades>[1]) => draftPades(request, input)
    return start(parts, call.caller, { type: 'Pdf', request, showsTime, draft }, asking(call))
  }
  serve(app, contract.startPades, (call) => begin(call, { ...call.body, pdfToSign: { content: call.body.pdfToSign } }))
  serve(app, contract.startPadesV2, (call) => begin(call, call.body))
  serve(app, contract.completePades, async (call) => {
    const { bytes, ...rest } = await completed(parts, 'Pdf', call, call.body.signature)
    return { signedPdf: bytes.toString('base64'), ...rest }
  })
  serve(app, contract.finalizePades, async (call) => {
    const { bytes, ...rest } = await completed(parts, 'Pdf', call)
    return { signedPdf: bytes.toString('base64'), ...rest }
  })
  serve(app, contract.completePadesV2, (call) => completedFile(parts, 'Pdf', call))
}

function serveCades(app: CoreApp, parts: Parts): void {
  const begin = (
    call: Pick<Call, 'locale' | 'request' | 'now'> & { readonly caller: Caller },
    request: contract.CadesRequest,
  ) => {
    const draft = (input: Parameters<typeof draftCades>[1]) => draftCades(request, input)
    return start(parts, call.caller, { type: 'Cms', request, showsTime: false, draft }, asking(call))
  }
  const ofFiles = ({
    contentToSign,
    cmsToCoSign,
    ...rest
  }: {
    contentToSign?: string | null
    cmsToCoSign?: string | null
  }) => ({
    ...rest,
    fileToSign: inline(contentToSign),
    cmsToCoSign: inline(cmsToCoSign),
  })
  serve(app, contract.startCades, (call) => begin(call, ofFiles(call.body) as contract.CadesRequest))
  serve(app, contract.startCadesV2, (call) => begin(call, ofFiles(call.body) as contract.CadesRequest))
  serve(app, contract.startCadesV3, (call) => begin(call, call.body))
  serve(app, contract.completeCades, async (call) => {
    const { bytes, ...rest } = await completed(parts, 'Cms', call, call.body.signature)
    return { cms: bytes.toString('base64'), ...rest }
  })
  serve(app, contract.finalizeCades, async (call) => {
    const { bytes, ...rest } = await completed(parts, 'Cms', call)
    return { cms: bytes.toString('base64'), ...rest }
  })
  serve(app, contract.completeCadesV2, (call) => completedFile(parts, 'Cms', call))
}

function serveXml(app: CoreApp, parts: Parts): void {
  const begin = (
    call: Pick<Call, 'locale' | 'request' | 'now'> & { readonly caller: Caller },
    request: contract.XmlRequest,
  ) => {
    const draft = (input: Parameters<typeof draftXml>[1]) => draftXml(request, input)
    return start(parts, call.caller, { type: 'Xml', request, showsTime: false, draft }, asking(call))
  }
  serve(app, contract.startFullXml, (call) => begin(call, call.body))
  serve(app, contract.startXmlElement, (call) => begin(call, call.body))
  serve(app, contract.completeXml, async (call) => {
    const { bytes, ...rest } = await completed(parts, 'Xml', call, call.body.signature)
    return { signedXml: bytes.toString('base64'), ...rest }
  })
  serve(app, contract.finalizeXml, async (call) => {
    const { bytes, ...rest } = await completed(parts, 'Xml', call)
    return { signedXml: bytes.toString('base64'), ...rest }
  })
}

type TokenCall = Pick<Call, 'locale' | 'request' | 'now'> & {
  readonly caller: Caller
  readonly params: { readonly token: string }
}

const completed = (parts: Parts, type: SignatureType, call: TokenCall, signature?: string) =>
  complete(parts, call.caller, { type, token: call.params.token, signature }, asking(call))

async function completedFile(
  parts: Parts,
  type: SignatureType,
  call: TokenCall & {
    readonly body: { readonly signature?: string | null; readonly forceBlobResult?: boolean | null }
  },
) {
  const { signature, forceBlobResult } = call.body
  const { bytes, ...rest } = await completed(parts, type, call, signature ?? undefined)
  const signatureFile = await resultFile(parts, call.caller, type, bytes, forceBlobResult === true, asking(call))
  return { signatureFile, ...rest }
}

/** Signed files that clients of the earlier generation open. */
export function serveEarlierOpening(app: CoreApp, parts: Parts): void {
  serve(app, openingContract.openPades, (call) => opening.openPades(parts, call.caller, call.body, asking(call)))
  serve(app, openingContract.openCades, (call) => opening.openCades(parts, call.caller, call.body, asking(call)))
  serve(app, openingContract.readRequiredHashes, (call) =>
    opening.requiredHashes(parts, call.caller, call.body, asking(call)),
  )
  serve(app, openingContract.openXml, (call) => {
    requireKnownIds(call.body.idResolutionTable)
    return opening.openXml(parts, call.caller, call.body, asking(call))
  })
  serve(app, openingContract.openXmlV2, async (call) => {
    requireKnownIds(call.body.idResolutionTable)
    return { signatures: await opening.openXml(parts, call.caller, call.body, asking(call)), auditPackage: null }
  })
}
