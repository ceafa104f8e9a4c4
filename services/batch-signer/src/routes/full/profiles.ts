import { serve } from '@chancela/service-kernel/http'
import { listProfiles, readProfile } from '../../contract/profiles.ts'
import type { ProfileDirectory } from '../../parts/signing/signing.ts'
import { isKeyless } from '../../rules/approval-rule.ts'
import type { Profile } from '../../rules/profile.ts'
import { refuse } from '../../rules/refuse.ts'
import type { FullApp } from './full-app.ts'

/** Registers the current profiles (spec 2, Endpoints); only the dashboard edits them. */
export function serveProfiles(app: FullApp, profiles: Pick<ProfileDirectory, 'get' | 'list' | 'state'>): void {
  serve(app, listProfiles, () => ({ profiles: profiles.list().map((profile) => profileView(profile, profiles)) }))
  serve(app, readProfile, ({ params: { name } }) => {
    const profile = profiles.get(name)
    if (!profile) throw refuse('profile.not-found', { name })
    return profileView(profile, profiles)
  })
}

/** A profile on the wire. */
export const profileView = (profile: Profile, profiles: Pick<ProfileDirectory, 'state'>) => ({
  name: profile.name,
  enabled: profile.enabled,
  inputFolder: profile.inputFolder,
  format: profile.format,
  method: profile.method,
  certificateSource: isKeyless(profile) ? null : (profile.certificate?.kind ?? null),
  verify: profile.verify,
  encrypt: profile.encrypt,
  validateCertificate: profile.validateCertificate,
  checkCnab240: profile.checkCnab240,
  checkCnab240PaymentDates: profile.checkCnab240PaymentDates,
  preserveFileExtension: profile.preserveFileExtension,
  saveAsPem: profile.saveAsPem,
  approval: approvalView(profile),
  level: profile.level,
  state: profiles.state(profile.name).state,
})

/** The rule without the people of its pool. */
const approvalView = ({ approval }: Pick<Profile, 'approval'>) =>
  approval && {
    required: approval.minimumApprovers,
    poolSize: approval.approvers.length,
    expiresAfterSeconds: approval.expiresAfterSeconds,
    signers: approval.signers,
  }
