import { serve } from '@chancela/service-kernel/http'
import { beginFactor, confirmFactor, verifyFactor } from '../../contract/portal.ts'
import type { FactorVerdict, SecondFactors } from '../../parts/approvals/second-factors.ts'
import type { PortalApp } from '../full/full-app.ts'

/** Registers the second factor of the caller. */
export function serveSecondFactor(
  app: PortalApp,
  { secondFactors }: { readonly secondFactors: Pick<SecondFactors, 'begin' | 'confirm' | 'verify'> },
): void {
  serve(app, beginFactor, async ({ caller, now }) => {
    const { until, ...begun } = await secondFactors.begin(caller, now)
    return { ...begun, until: until.toISOString() }
  })
  serve(app, confirmFactor, async ({ caller, body, now, log }) => {
    const verdict = await secondFactors.confirm(caller, body, now)
    if (verdict.verified) log.info('an approver enrolled an authenticator app')
    return verdictView(verdict)
  })
  serve(app, verifyFactor, async ({ caller, body, now, log }) => {
    const verdict = await secondFactors.verify(caller, body.code, now)
    if (!verdict.verified) log.warn({ outcome: verdict.code }, 'a code of an approver was not accepted')
    return verdictView(verdict)
  })
}

const verdictView = (verdict: FactorVerdict) =>
  verdict.verified
    ? { verified: true, until: verdict.until.toISOString(), code: null, lockedUntil: null }
    : { verified: false, until: null, code: verdict.code, lockedUntil: verdict.lockedUntil?.toISOString() ?? null }
