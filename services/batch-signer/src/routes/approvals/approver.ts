import { SECOND } from '@chancela/service-kernel/clock'
import { durationOf } from '@chancela/service-kernel/config'
import { serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { readApprover } from '../../contract/portal.ts'
import { pooledApprovers } from '../../parts/approvals/approver-links.ts'
import type { FactorStatus, SecondFactors } from '../../parts/approvals/second-factors.ts'
import { approverKey } from '../../rules/approval-rule.ts'
import type { PortalApp } from '../full/full-app.ts'

/** Registers who the caller is to the portal. */
export function serveApprover(
  app: PortalApp,
  { settings, store }: Pick<Context, 'settings' | 'store'>,
  { secondFactors }: { readonly secondFactors: Pick<SecondFactors, 'status'> },
): void {
  const pollSeconds = durationOf(settings.ApproverPortal.PollInterval) / SECOND
  serve(app, readApprover, async ({ caller, now }) => {
    const { email, method } = caller
    const named = (await pooledApprovers(store.db)).find(({ key }) => key === approverKey(email))
    const secondFactor = statusView(await secondFactors.status(caller, now))
    return { email, name: named?.name ?? null, method, pollSeconds, timeZone: settings.Site.TimeZone, secondFactor }
  })
}

const statusView = ({ verifiedUntil, lockedUntil, ...status }: FactorStatus) => ({
  ...status,
  verifiedUntil: verifiedUntil?.toISOString() ?? null,
  lockedUntil: lockedUntil?.toISOString() ?? null,
})
