import type { BodyOf, createProfile as createProfileRoute } from '@chancela/batch-signer/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/request.ts'
import type { CertificateSource, CertificateTrial, Profile, ProfileOptions } from './types.ts'

/** The fields of a profile that a form edits. */
export type ProfileDraft = Required<Omit<BodyOf<typeof createProfileRoute>, 'secret' | 'pkcs12'>>

/** Secrets of a form: an absent one keeps the stored value. */
export interface ProfileSecrets {
  /** Password of the PKCS#12, or PIN. */
  readonly secret?: string
  /** Base64 of an uploaded PKCS#12. */
  readonly pkcs12?: string
}

const ROOT = '/dashboard/api/profiles'
const one = (name: string) => `${ROOT}/${encodeURIComponent(name)}`

export const profilesQuery = queryOptions({
  queryKey: ['profiles'],
  queryFn: async ({ signal }) => (await call<{ profiles: Profile[] }>('GET', ROOT, { signal })).profiles,
})

export const profileQuery = (name: string) =>
  queryOptions({
    queryKey: ['profile', name],
    queryFn: ({ signal }) => call<Profile>('GET', one(name), { signal }),
  })

/** What a form offers; with the path of a PKCS#11 module also its tokens. */
export const profileOptionsQuery = (module: string) =>
  queryOptions({
    queryKey: ['profiles', 'options', module],
    queryFn: ({ signal }) => {
      const query = module === '' ? '' : `?${new URLSearchParams({ module })}`
      return call<ProfileOptions>('GET', `${ROOT}/options${query}`, { signal })
    },
    placeholderData: keepPreviousData,
  })

/** Opening a token or checking revocation may take long. */
const SLOW_SECONDS = 90

export const createProfile = (draft: ProfileDraft, secrets: ProfileSecrets) =>
  call<Profile>('POST', ROOT, { body: { ...draft, ...secrets }, timeoutSeconds: SLOW_SECONDS })

export const saveProfile = ({ name, ...draft }: ProfileDraft, version: number, secrets: ProfileSecrets) =>
  call<Profile>('PUT', one(name), { body: { ...draft, ...secrets, version }, timeoutSeconds: SLOW_SECONDS })

/** Tests the key of a form, saved or not; the profile's stored secrets are used for those the form leaves out. */
export const testCertificate = (
  name: string | undefined,
  certificate: CertificateSource | null,
  secrets: ProfileSecrets,
) =>
  call<CertificateTrial>('POST', name === undefined ? `${ROOT}/test-certificate` : `${one(name)}/test-certificate`, {
    body: { certificate, ...secrets },
    timeoutSeconds: SLOW_SECONDS,
  })
