import { serve } from '@chancela/service-kernel/http'
import { actingByTicket } from '../actions/participants/participant-access.ts'
import * as contract from '../contract/cloud-signing.ts'
import { beginCloudSigning } from '../parts/signing/cloud/begin-cloud-signing.ts'
import { finishCloudSigning } from '../parts/signing/cloud/finish-cloud-signing.ts'
import type { CloudSigning } from '../parts/signing/cloud/open-cloud-signing.ts'
import { originOf } from './origin-of.ts'
import type { PlatformApp } from './platform-app.ts'

/** Registers the routes that send a participant to the cloud hub and back. */
export function serveCloudSigning(app: PlatformApp, cloud: CloudSigning): void {
  serve(app, contract.beginCloudSigning, async ({ params, body, reply, now }) => {
    const acting = await actingByTicket(cloud.context, params.key, body.ticket)
    const { url, cookie } = await beginCloudSigning(cloud, acting, body, now)
    reply.header('set-cookie', cookie)
    return { url }
  })

  serve(app, contract.finishCloudSigning, async ({ query, request, reply, now }) => {
    const returned = { query, cookies: request.headers.cookie, origin: originOf(request) }
    return reply.redirect(await finishCloudSigning(cloud, returned, now), 303)
  })
}
