import { bodyPieces, type Call, serve } from '@chancela/service-kernel/http'
import { createSession } from '../actions/sessions/create-session.ts'
import { beginCloud } from '../actions/sessions/elsewhere/begin-cloud.ts'
import { beginToken, cancelToken, withdrawTokens } from '../actions/sessions/elsewhere/begin-token.ts'
import { finishCloud } from '../actions/sessions/elsewhere/finish-cloud.ts'
import { lookToken } from '../actions/sessions/elsewhere/look-token.ts'
import { setCertificate } from '../actions/sessions/prepare-session.ts'
import * as page from '../actions/sessions/session-page.ts'
import { deleteSession, readSession, whenCompleted } from '../actions/sessions/sessions.ts'
import { submitSignatures } from '../actions/sessions/submit-signatures.ts'
import type { Parts } from '../compose.ts'
import * as pageContract from '../contract/session-page.ts'
import * as signing from '../contract/session-signing.ts'
import * as contract from '../contract/signature-sessions.ts'
import { presentedToken } from '../parts/access/session-tokens.ts'
import type { Culture } from '../rules/cultures.ts'
import type { CoreApp } from './core-app.ts'
import { headerOf, sendFile } from './files.ts'
import { linkBase } from './link-base.ts'

/** Signature sessions, for the applications that begin them. */
export function serveSignatureSessions(app: CoreApp, parts: Parts): void {
  serve(app, contract.createSignatureSession, ({ caller, body, locale, request, now }) =>
    createSession(parts, caller, body, { culture: locale as Culture, base: linkBase(request), now }),
  )
  serve(app, contract.readSignatureSession, ({ caller, params, request, now }) =>
    readSession(parts, caller, params.id, { base: linkBase(request), now }),
  )
  serve(app, contract.awaitSignatureSession, ({ caller, params, reply, now }) =>
    whenCompleted(parts, caller, params.id, { gone: goneSignal(reply), now }),
  )
  serve(app, contract.deleteSignatureSession, ({ caller, params }) => deleteSession(parts, caller, params.id))
  // Before the surface drains, which would wait for them.
  app.addHook('preClose', async () => parts.waits.close())
}

/** Aborted when the client has gone. */
function goneSignal({ raw }: Call['reply']): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  return gone.signal
}

/** The same for the person on the page. */
export function serveSessionPage(app: CoreApp, parts: Parts): void {
  serve(app, pageContract.readSessionPage, ({ caller, now }) => page.shownSession(parts, caller, now))
  serve(app, pageContract.uploadSessionDocument, ({ caller, query, locale, request, now }) =>
    page.bringDocument(
      parts,
      caller,
      { bytes: bodyPieces(request), name: query.name, contentType: headerOf(request, 'content-type') },
      { culture: locale as Culture, base: linkBase(request), now },
    ),
  )
  serve(app, pageContract.removeSessionDocument, ({ caller, params, now }) =>
    page.takeBack(parts, caller, params.id, now),
  )
  serve(app, pageContract.readSessionDocument, async ({ caller, params, request, reply }) =>
    sendFile(reply, request, parts, await page.contentToSign(parts, caller, params.id)),
  )
  serve(app, pageContract.readSignedSessionDocument, async ({ caller, params, request, reply }) =>
    sendFile(reply, request, parts, await page.signedContent(parts, caller, params.id)),
  )
  serve(app, pageContract.setSessionCertificate, ({ caller, body, locale, request, now }) =>
    setCertificate(parts, caller, body.certificate, { culture: locale as Culture, base: linkBase(request), now }),
  )
  serve(app, pageContract.submitSessionSignatures, ({ caller, body, locale, now }) =>
    submitSignatures(parts, caller, body, { culture: locale as Culture, now }),
  )
  serve(app, pageContract.cancelSession, async ({ caller, now }) => {
    const ended = await page.cancel(parts, caller, now)
    await withdrawTokens(parts, caller)
    return ended
  })
}

const askingOf = ({ locale, request, now }: Pick<Call, 'locale' | 'request' | 'now'>) => ({
  culture: locale as Culture,
  base: linkBase(request),
  now,
})

/** Signing with a key that is neither here nor in the browser. */
export function serveSigningElsewhere(app: CoreApp, parts: Parts): void {
  serve(app, signing.beginSessionToken, (call) => beginToken(parts, call.caller, askingOf(call)))
  serve(app, signing.lookSessionToken, (call) => lookToken(parts, call.caller, call.params.id, askingOf(call)))
  serve(app, signing.cancelSessionToken, ({ caller, params }) => cancelToken(parts, caller, params.id))
  serve(app, signing.beginSessionCloud, async (call) => {
    const token = presentedToken(call.request)!
    const { url, cookie } = await beginCloud(parts, call.caller, token, askingOf(call))
    call.reply.header('set-cookie', cookie)
    return { url }
  })
  serve(app, signing.finishSessionCloud, async (call) => {
    const returned = { query: call.query, cookies: call.request.headers.cookie }
    return call.reply.redirect(await finishCloud(parts, returned, askingOf(call)), 303)
  })
}
