import type { ApprovalRule } from './approval-rule.ts'
import type { SignatureFormat } from './job.ts'
import type { VisibleSignature } from './visible-signature.ts'

/** Levels of signatures: the European baseline and the ICP-Brasil policies. */
export const signatureLevels = ['B-B', 'B-T', 'B-LT', 'B-LTA', 'AD-RB', 'AD-RT', 'AD-RV', 'AD-RC', 'AD-RA'] as const

export type SignatureLevel = (typeof signatureLevels)[number]

/** How jobs of a profile are signed; the later issues add the external service. */
export const profileMethods = ['Local', 'ExternalSigner', 'SignerFolder'] as const

export type ProfileMethod = (typeof profileMethods)[number]

/** Location of a profile's key. Secrets (password, PIN, an uploaded PKCS#12) are sealed in separate columns. */
export type CertificateSource =
  /** A file on this host, or (no path) the sealed upload. */
  | { readonly kind: 'Pkcs12'; readonly path: string | null }
  | {
      readonly kind: 'Pkcs11'
      readonly modulePath: string
      readonly tokenLabel: string | null
      /** SHA-1 of the certificate in lower-case hex; the token's only certificate when absent. */
      readonly thumbprint: string | null
    }

/** The behaviour of a profile, apart from its key. */
export interface ProfileBehaviour {
  readonly level: SignatureLevel
  readonly verify: boolean
  readonly validateCertificate: boolean
  readonly preserveFileExtension: boolean
  readonly saveAsPem: boolean
  readonly checkCnab240: boolean
  readonly checkCnab240PaymentDates: boolean
  /** Whether outputs are encrypted; a caller of the compact variant may ask otherwise. */
  readonly encrypt: boolean
  /** PEM texts of the certificates outputs are encrypted to. */
  readonly encryptionCertificates: readonly string[]
  /** URL; the host's timestamp authority when absent. */
  readonly timestampAuthority: string | null
  /** What is shown on a signed PDF; null: nothing. */
  readonly visible: VisibleSignature | null
  /** Written into the signature of a PDF. */
  readonly signatureReason: string | null
  readonly signatureLocation: string | null
  /** Who must approve a file before it is signed; null: nobody. */
  readonly approval: ApprovalRule | null
}

/** A signing profile, without its secrets. */
export interface Profile extends ProfileBehaviour {
  readonly name: string
  readonly enabled: boolean
  /** Name of its watched folder. */
  readonly inputFolder: string | null
  /** Null: by file extension; the default profile only. */
  readonly format: SignatureFormat | null
  readonly method: ProfileMethod
  readonly certificate: CertificateSource | null
  /** Whether a password, PIN or PKCS#12 is sealed with it. */
  readonly hasSecret: boolean
  /** Number of its edits; a form opened before another save is refused. */
  readonly version: number
}

/** The profile of work without one. */
export const DEFAULT_PROFILE = 'default'

/** The default behaviour of a profile. */
export const defaultBehaviour: ProfileBehaviour = {
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
}

/** The fields of the behaviour. */
export const behaviourNames = Object.keys(defaultBehaviour) as readonly (keyof ProfileBehaviour)[]
