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
import type { CertificateTrial } from '../../parts/signing/test-certificate.ts'
import type { Profile } from '../../rules/profile.ts'
import { refuse } from '../../rules/refuse.ts'
import { troubleIn } from '../../rules/trouble.ts'
import { displayLanguage } from '../full/culture.ts'
import type { FullApp } from '../full/full-app.ts'
import { profileView } from '../full/profiles.ts'
import { actorOf } from '../operator-access.ts'

type Asked = Parameters<typeof displayLanguage>[0]

/** Registers the dashboard's routes of profiles: list, create, edit, test a key. */
export function serveDashboardProfiles(app: FullApp, profiles: Profiles, live: Pick<LiveTopics, 'announce'>): void {
  profiles.onChange(() => live.announce('profiles'))
  const detail = (call: Asked, profile: Profile) => detailOf(profile, profiles, displayLanguage(call))

  serve(app, listProfileDetails, (call) => ({ profiles: profiles.list().map((profile) => detail(call, profile)) }))
  serve(app, profileOptions, ({ query }) => profiles.options(query.module))
  serve(app, readProfileDetail, (call) => {
    const { name } = call.params
    const profile = profiles.get(name)
    if (!profile) throw refuse('profile.not-found', { name })
    return detail(call, profile)
  })
  serve(app, createProfile, async (call) => {
    const { secret, pkcs12, ...draft } = call.body
    return detail(call, await profiles.create({ draft, secret, pkcs12: uploaded(pkcs12) }, actorOf(call.caller)))
  })
  serve(app, editProfile, async (call) => {
    const { version, secret, pkcs12, ...draft } = call.body
    const changed = { draft, secret, pkcs12: uploaded(pkcs12) }
    return detail(call, await profiles.edit(call.params.name, version, changed, actorOf(call.caller)))
  })
  const trial = async (call: Asked, { told, problem, certificate, ...trial }: CertificateTrial) => ({
    ...trial,
    certificate: certificate && { ...certificate, reasons: [...certificate.reasons[displayLanguage(call)]] },
    problem: problem === null ? null : troubleIn(displayLanguage(call), { message: problem, told }),
  })
  serve(app, testSavedCertificate, async (call) => {
    const { certificate, secret, pkcs12 } = call.body ?? {}
    const key = { certificate, secret, pkcs12: uploaded(pkcs12) }
    return trial(call, await profiles.testCertificate(key, call.params.name))
  })
  serve(app, testUnsavedCertificate, async (call) => {
    const { certificate, secret, pkcs12 } = call.body
    return trial(call, await profiles.testCertificate({ certificate, secret, pkcs12: uploaded(pkcs12) }))
  })
}

function detailOf(profile: Profile, profiles: Profiles, locale: ReturnType<typeof displayLanguage>) {
  const { reason, told, code = '' } = profiles.state(profile.name)
  return {
    ...profileView(profile, profiles),
    approval: profile.approval,
    certificate: profile.certificate,
    hasSecret: profile.hasSecret,
    encryptionCertificates: profile.encryptionCertificates,
    timestampAuthority: profile.timestampAuthority,
    visible: profile.visible,
    signatureReason: profile.signatureReason,
    signatureLocation: profile.signatureLocation,
    version: profile.version,
    reason: reason === undefined ? null : troubleIn(locale, { message: reason, told, code }),
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
