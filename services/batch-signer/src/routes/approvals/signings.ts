import { type Call, clientAddress, serve } from '@chancela/service-kernel/http'
import { beginCloud } from '../../actions/sign-elsewhere/begin-cloud.ts'
import type { Asking, Elsewhere } from '../../actions/sign-elsewhere/begin-signing.ts'
import { beginToken } from '../../actions/sign-elsewhere/begin-token.ts'
import { finishCloud } from '../../actions/sign-elsewhere/finish-cloud.ts'
import { cancel, look } from '../../actions/sign-elsewhere/look-signing.ts'
import {
  beginCloudSigning,
  beginTokenSigning,
  cancelSigning,
  finishCloudSigning,
  lookSigning,
} from '../../contract/portal-signing.ts'
import type { ApproverAccess, ApproverSession } from '../approver-access.ts'
import { displayLanguage } from '../full/culture.ts'
import type { PortalApp } from '../full/full-app.ts'

/** Registers approving with keys that are neither here nor in the browser. */
export function servePortalSignings(
  app: PortalApp,
  given: Elsewhere,
  access: Pick<ApproverAccess, 'authenticate'>,
): void {
  serve(app, beginCloudSigning, (call) => beginCloud(given, askingOf(call), call.body, call.now))

  serve(app, beginTokenSigning, (call) => {
    const { PublicUrl } = given.context.settings.Http
    const site = PublicUrl === undefined ? call.request.host : new URL(PublicUrl).host
    return beginToken(given, { ...askingOf(call), site }, call.body, call.now)
  })

  serve(app, lookSigning, (call) => {
    const { params, caller, now } = call
    return look(given, { id: params.id, email: caller.email }, { now, locale: displayLanguage(call) })
  })

  serve(app, cancelSigning, async ({ params, caller, reply }) => {
    await cancel(given, { id: params.id, email: caller.email })
    return reply.code(204).send()
  })

  serve(app, finishCloudSigning, async ({ request, reply, now }) => {
    const query = request.query as Readonly<Record<string, unknown>>
    const returned = { state: text(query['state']), session: text(query['session']), error: text(query['error']) }
    const person = (await access.authenticate(request)) as ApproverSession | undefined
    return reply.redirect(await finishCloud(given, returned, person, now), 303)
  })
}

/** A value that was given once; a longer one is nobody's. */
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= 4096 ? value : undefined

function askingOf({ caller, request }: Pick<Call, 'request'> & { readonly caller: ApproverSession }): Asking {
  const { email, method, sessionId } = caller
  const userAgent = request.headers['user-agent'] ?? null
  return { email, method, sessionId, ipAddress: clientAddress(request), userAgent }
}
