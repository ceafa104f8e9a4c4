import { SECOND } from '@chancela/service-kernel/clock'
import { durationOf } from '@chancela/service-kernel/config'
import { serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { readApprover } from '../../contract/portal.ts'
import { pooledApprovers } from '../../parts/approvals/approver-links.ts'
import type { FactorStatus, SecondFactors } from '../../parts/approvals/second-factors.ts'
import type { SigningLinks } from '../../parts/approvals/signing-links.ts'
import { approverKey } from '../../rules/approval-rule.ts'
import type { PortalApp } from '../full/full-app.ts'

interface ApproverParts {
  readonly secondFactors: Pick<SecondFactors, 'status'>
  readonly elsewhere: { readonly links: SigningLinks }
}

/** Registers who the caller is to the portal. */
export function serveApprover(
  app: PortalApp,
  { settings, store }: Pick<Context, 'settings' | 'store'>,
  { secondFactors, elsewhere: { links } }: ApproverParts,
): void {
  const pollSeconds = durationOf(settings.ApproverPortal.PollInterval) / SECOND
  const signatureWays = waysOf(links)
  serve(app, readApprover, async ({ caller, now }) => {
    const { email, method } = caller
    const named = (await pooledApprovers(store.db)).find(({ key }) => key === approverKey(email))
    const secondFactor = statusView(await secondFactors.status(caller, now))
    const timeZone = settings.Site.TimeZone
    return { email, name: named?.name ?? null, method, pollSeconds, timeZone, signatureWays, secondFactor }
  })
}

const waysOf = ({ hub, server }: SigningLinks) => [
  'file' as const,
  ...(hub ? ['cloud' as const] : []),
  ...(server ? ['token' as const] : []),
]

const statusView = ({ verifiedUntil, lockedUntil, ...status }: FactorStatus) => ({
  ...status,
  verifiedUntil: verifiedUntil?.toISOString() ?? null,
  lockedUntil: lockedUntil?.toISOString() ?? null,
})
