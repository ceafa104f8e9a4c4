import { serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { exchangeLink } from '../../contract/approver-links.ts'
import { approverOfToken, pooledApprovers } from '../../parts/approvals/approver-links.ts'
import type { ApproverAccess } from '../approver-access.ts'
import type { FullApp } from '../full/full-app.ts'

/** Pages of the portal's bundle. */
const PORTAL = '/approvals'
export const LINK_REQUIRED = '/approvals/link-required'

/** Registers the exchange of links, and renews sessions in use. */
export function serveApproverLinks(
  app: FullApp,
  { settings: { ApproverPortal }, store }: Pick<Context, 'settings' | 'store'>,
  access: ApproverAccess,
): void {
  access.slideOn(app)
  const { Enabled, LinkSecret } = ApproverPortal
  serve(app, exchangeLink, async ({ params, request, reply, log }) => {
    const approver = Enabled ? approverOfToken(LinkSecret, await pooledApprovers(store.db), params.token) : undefined
    if (!approver) {
      log.warn('the link of an approver was not accepted')
      return reply.redirect(LINK_REQUIRED)
    }
    reply.header('set-cookie', await access.begin(request, approver.key))
    return reply.redirect(PORTAL)
  })
}
