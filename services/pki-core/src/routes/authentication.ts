import { serve } from '@chancela/service-kernel/http'
import * as earlier from '../actions/authentication/earlier-generation.ts'
import * as pending from '../actions/authentication/pending-signature.ts'
import * as second from '../actions/authentication/second-generation.ts'
import * as signature from '../actions/earlier-signatures/pending-signature.ts'
import type { Parts } from '../compose.ts'
import * as contract from '../contract/authentication.ts'
import * as pendingContract from '../contract/pending-signatures.ts'
import type { Culture } from '../rules/cultures.ts'
import type { CoreApp } from './core-app.ts'

const cultureIn = ({ locale }: { readonly locale: string }): Culture => locale as Culture

/** Authentication with a certificate, in both generations. */
export function serveAuthentication(app: CoreApp, parts: Parts): void {
  serve(app, contract.prepareAuthentication, ({ caller, body, now }) => second.prepare(parts, caller, body, now))
  serve(app, contract.completeAuthentication, (call) =>
    second.complete(parts, call.caller, call.body, cultureIn(call), call.now),
  )
  serve(app, contract.startAuthentication, ({ caller, body, now }) => earlier.start(parts, caller, body, now))
  serve(app, contract.finalizeAuthentication, (call) =>
    earlier.finalize(parts, call.caller, call.params.token, cultureIn(call), call.now),
  )
  serve(app, contract.signedBytesOfAuthentication, (call) =>
    earlier.completeWithBytes(parts, call.caller, call.params.token, call.body, cultureIn(call), call.now),
  )
  serve(app, contract.readNonce, async ({ caller, now }) => ({ nonce: await earlier.nonce(parts, caller, now) }))
  serve(app, contract.authenticateWithNonce, (call) =>
    earlier.authenticate(parts, call.caller, call.body, cultureIn(call), call.now),
  )
}

/** Tokens of authentications have 22 characters, those of signatures 43: each kind keeps its own. */
const isOfSignature = (token: string): boolean => token.length > 22

/** What the component in the browser sends by itself. */
export function servePendingSignatures(app: CoreApp, parts: Parts): void {
  serve(app, pendingContract.readPendingSignature, ({ params: { token }, now }) =>
    isOfSignature(token) ? signature.readPending(parts, token, now) : pending.readPending(parts, token, now),
  )
  serve(app, pendingContract.setPendingCertificate, (call) => {
    const given = [parts, call.params.token, call.body.certificate, cultureIn(call), call.now] as const
    return isOfSignature(call.params.token) ? signature.setCertificate(...given) : pending.setCertificate(...given)
  })
  serve(app, pendingContract.setPendingSignature, (call) => {
    const { token } = call.params
    return isOfSignature(token)
      ? signature.setSignature(parts, token, call.body.signature, cultureIn(call), call.now)
      : pending.setSignature(parts, token, call.body.signature, call.now)
  })
}
