import { serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { exchangeLink } from '../../contract/approver-links.ts'
import { listApprovers, resetFactor } from '../../contract/dashboard-approvers.ts'
import { linkToken, pooledApprovers } from '../../parts/approvals/approver-links.ts'
import type { SecondFactors } from '../../parts/approvals/second-factors.ts'
import type { FullApp } from '../full/full-app.ts'
import { actorOf } from '../operator-access.ts'

/** Registers the links and the authenticator apps of approvers, for operators. */
export function serveDashboardApprovers(
  app: FullApp,
  { settings: { ApproverPortal }, store }: Pick<Context, 'settings' | 'store'>,
  { secondFactors }: { readonly secondFactors: Pick<SecondFactors, 'isEnabled' | 'list' | 'reset'> },
): void {
  const { Enabled, LinkSecret } = ApproverPortal
  const pathOf = (email: string) =>
    Enabled ? exchangeLink.path.replace('{token}', linkToken(LinkSecret, email)) : null
  const view = async (now: Date) => ({
    portal: Enabled,
    secondFactor: secondFactors.isEnabled,
    links: (await pooledApprovers(store.db)).map(({ name, email, profiles }) => ({
      name,
      email,
      profiles,
      path: pathOf(email),
    })),
    enrolments: (await secondFactors.list(now)).map(({ lockedUntil, ...factor }) => ({
      ...factor,
      lockedUntil: lockedUntil?.toISOString() ?? null,
    })),
  })
  serve(app, listApprovers, ({ now }) => view(now))
  serve(app, resetFactor, async ({ body, caller, now }) => {
    await secondFactors.reset(body.email, actorOf(caller))
    return view(now)
  })
}
