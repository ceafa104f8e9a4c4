import type { ProfileDraft } from '../api/profiles.ts'
import type { CertificateSource, Profile } from '../api/types.ts'

/** The profile of work that names none: it alone may go by the extension, and is never switched off. */
export const DEFAULT_PROFILE = 'default'

/** The address of the form for a new profile stands where one of this name would. */
const RESERVED_NAME = 'new'

/** Lower-case letters, digits and inner hyphens, at most 40. */
export const isProfileName = (name: string): boolean =>
  /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/.test(name) && name !== RESERVED_NAME

/** An empty form. */
export const emptyDraft: ProfileDraft = {
  name: '',
  enabled: true,
  inputFolder: null,
  format: 'Pades',
  method: 'Local',
  level: 'AD-RB',
  verify: true,
  validateCertificate: true,
  preserveFileExtension: false,
  saveAsPem: false,
  checkCnab240: false,
  checkCnab240PaymentDates: true,
  encrypt: false,
  encryptionCertificates: [],
  timestampAuthority: null,
  certificate: { kind: 'Pkcs12', path: null },
}

/** What a form edits of a profile. */
export function draftOf(profile: Profile): ProfileDraft {
  const names = Object.keys(emptyDraft) as (keyof ProfileDraft)[]
  return Object.fromEntries(names.map((name) => [name, profile[name]])) as unknown as ProfileDraft
}

/** Whether two forms say the same. */
export const isSameDraft = (one: ProfileDraft, other: ProfileDraft): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** The ways to name a key, as a form offers them. */
export const keyKinds = ['upload', 'file', 'token', 'none'] as const

export type KeyKind = (typeof keyKinds)[number]

/** The way a certificate source names its key. */
export function keyKindOf(certificate: CertificateSource | null): KeyKind {
  if (certificate === null) return 'none'
  if (certificate.kind === 'Pkcs11') return 'token'
  return certificate.path === null ? 'upload' : 'file'
}

/** An empty source of this kind. */
export function sourceOf(kind: KeyKind): CertificateSource | null {
  switch (kind) {
    case 'upload':
      return { kind: 'Pkcs12', path: null }
    case 'file':
      return { kind: 'Pkcs12', path: '' }
    case 'token':
      return { kind: 'Pkcs11', modulePath: '', tokenLabel: null, thumbprint: null }
    case 'none':
      return null
  }
}

/** A thumbprint as certificate dialogs show it (`AB:CD …`), as the service stores it. */
export const cleanThumbprint = (text: string): string | null => text.replace(/[^0-9a-fA-F]/g, '').toLowerCase() || null

/** The certificates in a PEM text, one text each. */
export const certificatesIn = (text: string): string[] =>
  text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
