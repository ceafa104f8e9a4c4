import type { ProfileDraft } from '../api/profiles.ts'
import type { CertificateSource, Profile } from '../api/types.ts'
import { approvalOf } from './approval-draft.ts'

/** The profile of work that names none: only it may choose the format by extension, and it cannot be disabled. */
export const DEFAULT_PROFILE = 'default'

/** Reserved, because `/profiles/new` is the form for a new profile. */
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
  visible: null,
  signatureReason: null,
  signatureLocation: null,
  approval: null,
  certificate: { kind: 'Pkcs12', path: null },
}

/** What a form edits of a profile. */
export function draftOf(profile: Profile): ProfileDraft {
  const names = Object.keys(emptyDraft) as (keyof ProfileDraft)[]
  const fields = Object.fromEntries(names.map((name) => [name, profile[name]])) as unknown as ProfileDraft
  return { ...fields, approval: approvalOf(profile) }
}

/** Whether two drafts are equal. */
export const isSameDraft = (one: ProfileDraft, other: ProfileDraft): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** The kinds of key source a form offers. */
export const keyKinds = ['upload', 'file', 'token', 'none'] as const

export type KeyKind = (typeof keyKinds)[number]

/** The kind of a certificate source. */
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

/** Normalizes a thumbprint as certificate dialogs show it (`AB:CD …`) to the service's form. */
export const cleanThumbprint = (text: string): string | null => text.replace(/[^0-9a-fA-F]/g, '').toLowerCase() || null

/** The certificates in a PEM text, one string each. */
export const certificatesIn = (text: string): string[] =>
  text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
