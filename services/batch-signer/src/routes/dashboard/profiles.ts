import { serve } from '@chancela/service-kernel/http'
import {
  createProfile,
  editProfile,
  listProfileDetails,
  MAX_PKCS12_BYTES,
  profileOptions,
  readProfileDetail,
  testSavedCertificate,
  testUnsavedCertificate,
} from '../../contract/dashboard-profiles.ts'
import type { LiveTopics } from '../../parts/live-topics.ts'
import type { Profiles } from '../../parts/signing/open-profile-directory.ts'
import type { Profile } from '../../rules/profile.ts'
import { refuse } from '../../rules/refuse.ts'
import type { FullApp } from '../full/full-app.ts'
import { profileView } from '../full/profiles.ts'

/** Registers the dashboard's routes of profiles: list, create, edit, test a key. */
export function serveDashboardProfiles(app: FullApp, profiles: Profiles, live: Pick<LiveTopics, 'announce'>): void {
  profiles.onChange(() => live.announce('profiles'))
  const detail = (profile: Profile) => detailOf(profile, profiles)

  serve(app, listProfileDetails, () => ({ profiles: profiles.list().map(detail) }))
  serve(app, profileOptions, ({ query }) => profiles.options(query.module))
  serve(app, readProfileDetail, ({ params: { name } }) => {
    const profile = profiles.get(name)
    if (!profile) throw refuse('profile.not-found', { name })
    return detail(profile)
  })
  serve(app, createProfile, async ({ body, caller }) => {
    const { secret, pkcs12, ...draft } = body
    return detail(await profiles.create({ draft, secret, pkcs12: uploaded(pkcs12) }, caller.name))
  })
  serve(app, editProfile, async ({ params: { name }, body, caller }) => {
    const { version, secret, pkcs12, ...draft } = body
    return detail(await profiles.edit(name, version, { draft, secret, pkcs12: uploaded(pkcs12) }, caller.name))
  })
  serve(app, testSavedCertificate, ({ params: { name }, body }) => {
    const { certificate, secret, pkcs12 } = body ?? {}
    return profiles.testCertificate({ certificate, secret, pkcs12: uploaded(pkcs12) }, name)
  })
  serve(app, testUnsavedCertificate, ({ body: { certificate, secret, pkcs12 } }) =>
    profiles.testCertificate({ certificate, secret, pkcs12: uploaded(pkcs12) }),
  )
}

function detailOf(profile: Profile, profiles: Profiles) {
  return {
    ...profileView(profile, profiles),
    certificate: profile.certificate,
    hasSecret: profile.hasSecret,
    encryptionCertificates: profile.encryptionCertificates,
    timestampAuthority: profile.timestampAuthority,
    visible: profile.visible,
    signatureReason: profile.signatureReason,
    signatureLocation: profile.signatureLocation,
    version: profile.version,
    reason: profiles.state(profile.name).reason ?? null,
    key: profiles.certificate(profile.name) ?? null,
  }
}

/** An uploaded PKCS#12, from its base64. */
function uploaded(base64: string | null | undefined): Buffer | null | undefined {
  if (base64 === null || base64 === undefined) return base64
  const bytes = Buffer.from(base64, 'base64')
  // The decoder skips invalid characters: a corrupted upload is refused here, not as a wrong password.
  const problem =
    bytes.length > MAX_PKCS12_BYTES
      ? 'A PKCS#12 file has at most 256 KiB.'
      : bytes.toString('base64') !== base64 && 'The PKCS#12 file is not base64.'
  if (problem) throw refuse('profile.invalid', { fields: { pkcs12: [problem] } })
  return bytes
}
