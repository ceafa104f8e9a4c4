import { serve } from '@chancela/service-kernel/http'
import { beginCloud } from '../actions/remote-signing/begin-cloud.ts'
import { beginToken } from '../actions/remote-signing/begin-token.ts'
import { finishCloud } from '../actions/remote-signing/finish-cloud.ts'
import { cancel, look } from '../actions/remote-signing/look-signing.ts'
import type { Parts } from '../compose.ts'
import * as contract from '../contract/remote-signing.ts'
import type { CredentialApp } from './credential-app.ts'

/** Signing with cloud certificates and tokens. */
export function serveRemoteSigning(app: CredentialApp, parts: Parts): void {
  serve(app, contract.beginCloudSigning, async ({ caller, body, reply, now }) => {
    const { cookie, ...begun } = await beginCloud(parts, caller, body.documentIds, now)
    reply.header('set-cookie', cookie)
    return begun
  })
  serve(app, contract.beginTokenSigning, ({ caller, body, now }) => beginToken(parts, caller, body.documentIds, now))
  serve(app, contract.lookSigning, ({ caller, params, now }) => look(parts, caller, params.id, now))
  serve(app, contract.cancelSigning, ({ caller, params }) => cancel(parts, caller, params.id))
  serve(app, contract.finishCloudSigning, async ({ query, request, reply, now }) =>
    reply.redirect(await finishCloud(parts, { query, cookies: request.headers.cookie }, now), 303),
  )
}
