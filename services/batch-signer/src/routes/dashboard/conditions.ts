import { serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { readConditions, tryFolder, tryProfile } from '../../contract/conditions.ts'
import type { FolderDirectory } from '../../parts/folders/folder-directory.ts'
import type { FolderHolds } from '../../parts/folders/folder-holds.ts'
import type { Hold } from '../../parts/holds.ts'
import type { Profiles } from '../../parts/signing/open-profile-directory.ts'
import { isExpiring } from '../../rules/certificate-expiry.ts'
import { heldMessageIn } from '../../rules/job-reason.ts'
import { refuse } from '../../rules/refuse.ts'
import { troubleIn } from '../../rules/trouble.ts'
import { queuedByFolder, queuedByProfile } from '../../store/held-jobs.ts'
import type { Pipeline } from '../../workers/pipeline/create-pipeline.ts'
import { displayLanguage } from '../full/culture.ts'
import type { FullApp } from '../full/full-app.ts'

export interface ConditionParts {
  readonly profiles: Profiles
  readonly folders: Pick<FolderDirectory, 'get'>
  readonly folderHolds: FolderHolds
  readonly pipeline: Pick<Pipeline, 'waitsForStorage'>
}

type Locale = Parameters<typeof heldMessageIn>[0]

/** Registers what keeps files waiting, for the dashboard. */
export function serveConditions(app: FullApp, context: Context, parts: ConditionParts): void {
  const { profiles, folders, folderHolds, pipeline } = parts
  const conditions = async (now: Date, locale: Locale) => {
    const { db } = context.store
    const queued = await queuedByProfile(db)
    const ofFolders = await queuedByFolder(db, folderHolds.names())
    const trouble = pipeline.waitsForStorage()
    return {
      storage: trouble ? { since: trouble.since.toISOString(), reason: troubleIn(locale, trouble) } : null,
      held: profiles.holds.list().map((hold) => ({
        profile: hold.name,
        ...heldView(hold, queued.get(hold.name) ?? 0, locale),
      })),
      folders: folderHolds.list().map((hold) => ({
        folder: hold.name,
        ...heldView(hold, ofFolders.get(hold.name) ?? 0, locale),
      })),
      expiring: expiring(profiles, context.settings.Notices.CertificateExpiryDays, now),
    }
  }
  serve(app, readConditions, (call) => conditions(call.now, displayLanguage(call)))
  serve(app, tryProfile, async (call) => {
    const { name } = call.params
    const profile = profiles.get(name)
    if (!profile) throw refuse('profile.not-found', { name })
    await profiles.holds.tryNow(profile.name)
    return conditions(call.now, displayLanguage(call))
  })
  serve(app, tryFolder, async (call) => {
    const { name } = call.params
    if (!folders.get(name)) throw refuse('folder.not-found', { folder: name })
    await folderHolds.tryNow(name)
    return conditions(call.now, displayLanguage(call))
  })
}

const heldView = ({ reason, code, message, told, since, nextTryAt }: Hold, waiting: number, locale: Locale) => ({
  reason,
  code,
  message: heldMessageIn(locale, { code, message, told }),
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
