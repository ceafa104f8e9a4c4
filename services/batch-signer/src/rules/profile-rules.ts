import { readUrl } from '@chancela/service-kernel/addresses'
import { SLUG } from '../settings.ts'
import { approvalProblems } from './approval-rule.ts'
import {
  type CertificateSource,
  DEFAULT_PROFILE,
  type Profile,
  type SignatureLevel,
  signatureLevels,
} from './profile.ts'
import { linesProblem } from './visible-signature.ts'

/** A profile to be saved. */
export type ProfileDraft = Omit<Profile, 'version'>

/** What a draft is validated against. */
export interface ProfileContext {
  /** Names of the watched folders of this host. */
  readonly folders: readonly string[]
  /** The existing profiles, without the one being saved. */
  readonly others: readonly Profile[]
  /** Whether the host has a timestamp authority for profiles that name none. */
  readonly hasTimestampAuthority: boolean
  /** Whether a PKCS#12 will be sealed with the profile. */
  readonly hasPkcs12: boolean
  /** Why a PEM text cannot be an encryption recipient; undefined when it can. */
  readonly recipientProblem: (pem: string) => string | undefined
  /** Whether a file is where this service, and so anybody who uploads, writes files. */
  readonly isWritable: (path: string) => boolean
  /** Whether approvers can come in: by the links of the portal, or by an identity provider. */
  readonly isReachable: boolean
}

/** One violated rule: the field and the problem. */
interface ProfileProblem {
  readonly field: string
  readonly sentence: string
}

interface Rule {
  readonly field: string
  /** The problem in one sentence; undefined when the rule holds. */
  readonly broken: (draft: ProfileDraft, around: ProfileContext) => string | undefined
}

const when = (broken: boolean, sentence: string): string | undefined => (broken ? sentence : undefined)

const slug = new RegExp(SLUG)

/** Levels that need a timestamp authority. */
const timestamped: ReadonlySet<SignatureLevel> = new Set(['B-T', 'B-LT', 'B-LTA', 'AD-RT', 'AD-RV', 'AD-RC', 'AD-RA'])

/**
 * Every rule of a profile (batch-signer facts 3); an illegal combination is refused when it is saved, with all
 * problems.
 */
const rules: readonly Rule[] = [
  {
    field: 'name',
    broken: ({ name }) =>
      when(!slug.test(name), 'A name has lower-case letters, digits and inner hyphens, at most 40 of them.'),
  },
  {
    field: 'name',
    // Its page on the dashboard would be the form for a new profile.
    broken: ({ name }) => when(name === 'new', 'The name new is taken by the form for new profiles.'),
  },
  {
    field: 'enabled',
    broken: ({ name, enabled }) =>
      when(name === DEFAULT_PROFILE && !enabled, 'The default profile is never switched off.'),
  },
  {
    field: 'inputFolder',
    broken: ({ inputFolder }, { folders }) =>
      when(
        inputFolder !== null && !folders.includes(inputFolder),
        `This host watches no folder named ${inputFolder}; it watches: ${folders.join(', ')}.`,
      ),
  },
  {
    field: 'inputFolder',
    broken: ({ inputFolder }, { others }) => {
      const owner = others.find((other) => other.inputFolder !== null && other.inputFolder === inputFolder)
      return owner && `The folder ${inputFolder} belongs to the profile ${owner.name}.`
    },
  },
  {
    field: 'format',
    broken: ({ name, format }) =>
      when(format === null && name !== DEFAULT_PROFILE, 'Only the default profile goes by the extension of the file.'),
  },
  {
    field: 'method',
    broken: ({ method }) =>
      when(method !== 'Local', `The method ${method} is not part of this build yet; choose Local.`),
  },
  {
    field: 'level',
    broken: ({ level }) => when(!signatureLevels.includes(level), `The level is one of ${signatureLevels.join(', ')}.`),
  },
  {
    field: 'level',
    broken: ({ level, timestampAuthority }, { hasTimestampAuthority }) =>
      when(
        timestamped.has(level) && timestampAuthority === null && !hasTimestampAuthority,
        `The level ${level} needs a timestamp authority.`,
      ),
  },
  {
    field: 'level',
    broken: ({ level, format }) =>
      when(level === 'AD-RV' && (format === 'Pades' || format === null), 'ICP-Brasil has no AD-RV for PDF.'),
  },
  {
    field: 'timestampAuthority',
    broken: ({ timestampAuthority }) =>
      when(
        timestampAuthority !== null && !isHttpUrl(timestampAuthority),
        'A timestamp authority is an http or https address.',
      ),
  },
  {
    field: 'preserveFileExtension',
    broken: ({ preserveFileExtension, format }) =>
      when(preserveFileExtension && format === 'Pades', 'PreserveFileExtension is for Cades and Xades.'),
  },
  {
    field: 'saveAsPem',
    broken: ({ saveAsPem, format }) =>
      when(saveAsPem && (format === 'Pades' || format === 'Xades'), 'SaveAsPem is for Cades.'),
  },
  {
    field: 'encrypt',
    broken: ({ encrypt, encryptionCertificates }) =>
      when(encrypt && encryptionCertificates.length === 0, 'Encryption needs at least one certificate to encrypt to.'),
  },
  {
    field: 'encryptionCertificates',
    broken: ({ encryptionCertificates }, { recipientProblem }) =>
      encryptionCertificates.map(recipientProblem).find((problem) => problem !== undefined),
  },
  {
    field: 'certificate',
    broken: ({ certificate }, { hasPkcs12 }) =>
      when(
        certificate?.kind === 'Pkcs12' && certificate.path === null && !hasPkcs12,
        'Name the PKCS#12 file, or upload it.',
      ),
  },
  {
    field: 'certificate',
    broken: ({ certificate }) =>
      when(
        certificate?.kind === 'Pkcs11' &&
          certificate.thumbprint !== null &&
          !/^[0-9a-f]{40}$/.test(certificate.thumbprint),
        'A thumbprint is the SHA-1 of the certificate: 40 lower-case hexadecimal digits.',
      ),
  },
  {
    field: 'visible',
    broken: ({ visible, format }) =>
      when(visible !== null && format !== null && format !== 'Pades', 'Only signatures of PDF are visible: Pades.'),
  },
  { field: 'visible', broken: ({ visible }) => (visible === null ? undefined : linesProblem(visible.lines)) },
  {
    field: 'signatureReason',
    broken: ({ signatureReason, level }) =>
      when(
        signatureReason !== null && level.startsWith('AD-'),
        'A level of ICP-Brasil has a policy in the place of a reason; write the reason into a visible line.',
      ),
  },
  ...(['signatureReason', 'signatureLocation'] as const).map((field) => ({
    field,
    broken: ({ [field]: text, format }: ProfileDraft) =>
      when(text !== null && format !== null && format !== 'Pades', 'Only signatures of PDF have it: Pades.'),
  })),
  // A module is code that runs inside this process: an upload must not become one.
  { field: 'certificate', broken: ({ certificate }, { isWritable }) => moduleProblem(certificate, isWritable) },
]

/** All problems of a draft; empty when it may be saved. */
export const profileProblems = (draft: ProfileDraft, around: ProfileContext): readonly ProfileProblem[] => [
  ...rules.flatMap(({ field, broken }) => {
    const sentence = broken(draft, around)
    return sentence === undefined ? [] : [{ field, sentence }]
  }),
  ...problemsOfApproval(draft, around),
]

function problemsOfApproval(
  { approval, format, method, certificate }: ProfileDraft,
  { isReachable }: ProfileContext,
): readonly ProfileProblem[] {
  if (approval === null) return []
  const problems = approvalProblems(approval, { format, method, hasKey: certificate !== null, isReachable })
  return problems.map(({ field, sentence }) => ({ field: `approval.${field}`, sentence }))
}

/** Why a PKCS#11 module must not be loaded; undefined when it may be. */
export const moduleProblem = (
  certificate: CertificateSource | null,
  isWritable: ProfileContext['isWritable'],
): string | undefined =>
  certificate?.kind === 'Pkcs11' && isWritable(certificate.modulePath)
    ? 'A PKCS#11 module lies at an absolute path, outside the folders this service works in.'
    : undefined

function isHttpUrl(text: string): boolean {
  return ['http:', 'https:'].includes(readUrl(text)?.protocol ?? '')
}
