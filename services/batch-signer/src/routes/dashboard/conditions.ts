import { serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { readConditions, tryProfile } from '../../contract/conditions.ts'
import type { Profiles } from '../../parts/signing/open-profile-directory.ts'
import type { Hold } from '../../parts/signing/profile-holds.ts'
import { isExpiring } from '../../rules/certificate-expiry.ts'
import { refuse } from '../../rules/refuse.ts'
import { queuedByProfile } from '../../store/held-jobs.ts'
import type { Pipeline } from '../../workers/pipeline/create-pipeline.ts'
import type { FullApp } from '../full/full-app.ts'

export interface ConditionParts {
  readonly profiles: Profiles
  readonly pipeline: Pick<Pipeline, 'waitsForStorage'>
}

/** Registers what keeps files waiting, for the dashboard. */
export function serveConditions(app: FullApp, context: Context, { profiles, pipeline }: ConditionParts): void {
  const conditions = async (now: Date) => {
    const queued = await queuedByProfile(context.store.db)
    const trouble = pipeline.waitsForStorage()
    return {
      storage: trouble ? { since: trouble.since.toISOString(), reason: trouble.reason } : null,
      held: profiles.holds.list().map((hold) => heldView(hold, queued.get(hold.profile) ?? 0)),
      expiring: expiring(profiles, context.settings.Notices.CertificateExpiryDays, now),
    }
  }
  serve(app, readConditions, ({ now }) => conditions(now))
  serve(app, tryProfile, async ({ params: { name }, now }) => {
    const profile = profiles.get(name)
    if (!profile) throw refuse('profile.not-found', { name })
    await profiles.holds.tryNow(profile.name)
    return conditions(now)
  })
}

const heldView = ({ since, nextTryAt, ...hold }: Hold, waiting: number) => ({
  ...hold,
  since: since.toISOString(),
  nextTryAt: nextTryAt?.toISOString() ?? null,
  waiting,
})

const expiring = (profiles: Profiles, days: readonly number[], now: Date) =>
  profiles.list().flatMap(({ name, enabled }) => {
    const certificate = profiles.certificate(name)
    if (!enabled || !certificate || !isExpiring(new Date(certificate.notAfter), days, now)) return []
    return [{ profile: name, holder: certificate.holder, notAfter: certificate.notAfter }]
  })
