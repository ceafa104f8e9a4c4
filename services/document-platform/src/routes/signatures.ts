import { buffer } from 'node:stream/consumers'
import { type Call, readMultipart, serve } from '@chancela/service-kernel/http'
import { publicLocation } from '../actions/documents/content.ts'
import { requiredDocument, requiredLiveDocument } from '../actions/documents/required-document.ts'
import { approve, refuseAsParticipant } from '../actions/participants/decide.ts'
import { actingByOldTicket, actingByTicket, actingMember } from '../actions/participants/participant-access.ts'
import { participantAction } from '../actions/participants/participant-action.ts'
import { sendCode } from '../actions/participants/participant-code.ts'
import { renewLink } from '../actions/participants/renew-link.ts'
import * as contract from '../contract/signatures.ts'
import { documentSignatures, validateForEverybody, validateUpload } from '../parts/signing/document-signatures.ts'
import type { Authentication } from '../parts/signing/evidence.ts'
import type { Signing } from '../parts/signing/open-signing.ts'
import { signElectronically } from '../parts/signing/sign-electronically.ts'
import { completeNewDocument, startNewDocument } from '../parts/signing/sign-new-document.ts'
import { completeSignature, startSignature } from '../parts/signing/sign-with-certificate.ts'
import { openToken, type SignatureToken } from '../parts/signing/signature-token.ts'
import type { Caller } from '../rules/caller.ts'
import { personCpf, readCertificate } from '../rules/participant-certificate.ts'
import { refuse } from '../rules/refuse.ts'
import { documentByKey } from '../store/document-reads.ts'
import { originOf } from './origin-of.ts'
import type { PlatformApp } from './platform-app.ts'

/** Registers the routes of participants' acts and of signature information. */
export function serveSignatures(app: PlatformApp, signing: Signing): void {
  serveCertificates(app, signing)
  serveElectronic(app, signing)
  serveParticipants(app, signing)
  serveSignatureInfo(app, signing)
}

function serveCertificates(app: PlatformApp, signing: Signing): void {
  const { context } = signing

  serve(app, contract.startSignatureByKey, async ({ params, body, now }) => {
    const acting = () => actingByTicket(context, params.key, body.ticket)
    return startSignature(signing, acting, readCertificate(body.certificate), body, now)
  })

  serve(app, contract.startSignature, async ({ caller, params, body, now }) => {
    const read = () => requiredLiveDocument(context, caller, 'documents.sign', params.id)
    // Who may not sign the document learns nothing of the rest of the request.
    const first = await read()
    const certificate = readCertificate(body.certificate)
    const wanted = { flowActionId: body.flowActionId, cpf: personCpf(certificate) }
    let isFirst = true
    const acting = async () => {
      const document = isFirst ? first : await read()
      isFirst = false
      return actingMember(context, caller, document, wanted)
    }
    return startSignature(signing, acting, certificate, body, now)
  })

  serve(app, contract.startNewDocument, ({ caller, body, now, signal }) =>
    startNewDocument(signing, caller, body, now, signal),
  )

  serve(app, contract.completeNewDocument, ({ caller, body, request, now }) =>
    completeNewDocument(signing, caller, body.token, completion(request, body), now),
  )

  serve(app, contract.completeSignatureByKey, async ({ params, body, request, now }) => {
    const token = openToken(context, body.token, now)
    if (token.key !== params.key) throw await foreignToken(signing, params.key)
    return completeSignature(signing, token, completion(request, body), now)
  })

  serve(app, contract.completeSignature, async ({ caller, params, body, request, now }) => {
    const document = await requiredLiveDocument(context, caller, 'documents.sign', params.id)
    const token: SignatureToken = openToken(context, body.token, now)
    if (token.documentId !== document.id) throw refuse('SignatureTokenInvalidOrExpired')
    return completeSignature(signing, token, completion(request, body), now)
  })
}

const foreignToken = async ({ context }: Signing, key: string) =>
  (await documentByKey(context.store.db, key))
    ? refuse('SignatureTokenInvalidOrExpired')
    : refuse('DocumentInvalidKey', { key })

interface CompletionBody {
  readonly signature: string
  readonly evidences?: { readonly geolocation?: unknown } | null
  readonly disableNotifications?: boolean | null
}

const completion = (request: Call['request'], { signature, evidences, disableNotifications }: CompletionBody) => ({
  signature: Buffer.from(signature, 'base64'),
  origin: originOf(request, evidences),
  notifies: disableNotifications !== true,
})

function serveElectronic(app: PlatformApp, signing: Signing): void {
  const { context } = signing

  serve(app, contract.signElectronicallyByKey, async ({ params, body, request, now }) => {
    const { ticket, ...asked } = body
    const acting = () => actingByTicket(context, params.key, ticket)
    await signElectronically(signing, { acting, request: asked, origin: originOf(request, asked.evidences) }, now)
  })

  serve(app, contract.signElectronically, async ({ caller, params, body, request, now }) => {
    const { flowActionId, ...asked } = body
    const acting = async () => {
      const document = await requiredLiveDocument(context, caller, 'documents.sign', params.id)
      return actingMember(context, caller, document, { flowActionId })
    }
    const origin = originOf(request, asked.evidences)
    await signElectronically(signing, { acting, request: asked, origin, authenticated: recognised(caller) }, now)
  })

  serve(app, contract.sendAuthenticationCode, async ({ params, body, now }) => {
    const acting = await actingByTicket(context, params.key, body.ticket)
    return sendCode(context, acting, now)
  })

  serve(app, contract.renewActionLink, async ({ params, body, now }) =>
    renewLink(context, await actingByOldTicket(context, params.key, body.ticket), now),
  )

  serve(app, contract.sendSmsCode, () => {
    throw refuse('AuthenticationNotAvailable', { authentication: 'SMS' })
  })
}

/** A user is authenticated by the session; a person an application acts for, by the application. */
const recognised = ({ type, name }: Caller): Authentication =>
  type === 'User' ? { types: ['Login'] } : { types: ['Application'], application: name }

function serveParticipants(app: PlatformApp, { context }: Signing): void {
  serve(app, contract.readAction, async ({ params, query }) =>
    participantAction(context, await actingByTicket(context, params.key, query.ticket)),
  )

  serve(app, contract.approveByKey, async ({ params, body, request, now }) => {
    const acting = await actingByTicket(context, params.key, body.ticket)
    const origin = originOf(request, body.evidences)
    await approve(context, acting, { emailCode: body.emailCode, origin }, now)
  })

  serve(app, contract.refuseByKey, async ({ params, body, now }) => {
    const acting = await actingByTicket(context, params.key, body.ticket)
    await refuseAsParticipant(context, acting, body, now)
  })
}

async function onlyFile(request: Call['request'], maxFileBytes: number): Promise<Buffer> {
  const form = await readMultipart(request, {
    isFile: ({ fileName }) => fileName !== undefined,
    maxFileBytes,
    onFile: async ({ content }) => buffer(content),
  })
  if (form.outcome === 'too-large') throw refuse('UploadTooLarge', { limit: maxFileBytes })
  if (form.outcome !== 'read' || form.file.length === 0) throw refuse('UploadEmpty')
  return form.file
}

function serveSignatureInfo(app: PlatformApp, signing: Signing): void {
  const { context } = signing

  serve(app, contract.readSignatures, async ({ caller, params, now }) =>
    documentSignatures(
      signing,
      await requiredDocument(context, caller, 'documents.read', params.id),
      'organization',
      now,
    ),
  )

  serve(app, contract.readSignaturesByKey, async ({ params, now }) => {
    const document = await documentByKey(context.store.db, params.key)
    if (!document) throw refuse('DocumentInvalidKey', { key: params.key })
    const info = await documentSignatures(signing, document, 'everybody', now)
    return { ...info, contentLocation: await publicLocation(context, document) }
  })

  serve(app, contract.validateFile, async ({ request, now }) => {
    const limit = context.settings.Documents.PublicValidationMaxBytes
    if (limit === 0) throw refuse('RouteNotFound')
    return validateForEverybody(signing, await onlyFile(request, limit), now)
  })

  serve(app, contract.validateSignatures, ({ caller, body, now }) => validateUpload(signing, caller, body, now))
}
