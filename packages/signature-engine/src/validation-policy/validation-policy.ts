import type { DigestName, KeyType } from '../crypto/algorithms.ts'
import { leastKeyBits } from '../crypto/curves.ts'
import type { FindingCode, SignatureLevel } from '../report/report.ts'

/** What a finding counts for. */
export type Effect = 'error' | 'warning' | 'ignored'

/** Until when something is accepted: the first moment at which it no longer is, in ISO 8601; null for "still is". */
export type Until = string | null

/** Families of signature algorithms. */
export const families = ['RSA', 'RSA-PSS', 'ECDSA', 'DSA', 'Ed25519', 'Ed448'] as const
export type AlgorithmFamily = (typeof families)[number]

/** The rules a report is judged by, as data: a JSON file holds the same. */
export interface ValidationPolicy {
  /** Told in the report. */
  readonly name: string
  /** Families of signature algorithms that are accepted. */
  readonly algorithms: readonly AlgorithmFamily[]
  /** Digests that are accepted in signatures, contents and certificates; others are not. */
  readonly digests: Readonly<Partial<Record<DigestName, Until>>>
  /** Least bits of keys; several rows where fewer were accepted in earlier times. A kind without a row is not accepted. */
  readonly keys: Readonly<Partial<Record<KeyType, readonly { readonly bits: number; readonly until: Until }[]>>>
  /** Levels that are accepted; null: any. */
  readonly levels: readonly SignatureLevel[] | null
  /** Signature policies, or arcs of them, of which a signature must name one; null: any or none. */
  readonly signaturePolicies: readonly string[] | null
  /** How old revocation data may be at the time it is used for; null: as old as its next update allows. */
  readonly revocation: { readonly maximumAgeHours: number | null }
  /** Whether a timestamp must prove the time of a signature. */
  readonly timestamps: { readonly required: boolean }
  /** What findings count for, where not as usual. */
  readonly findings: Readonly<Partial<Record<FindingCode, Effect>>>
}

/** NIST SP 800-131A, ICP-Brasil: neither SHA-1 nor RSA and DSA under 2048 bits sign after 2013. */
const END_OF_2013 = '2014-01-01T00:00:00Z'

const usual = (type: KeyType) => ({ bits: leastKeyBits[type], until: null })

/** What the engine does by itself. */
export const generalPolicy: ValidationPolicy = {
  name: 'general',
  algorithms: families,
  digests: {
    sha1: END_OF_2013,
    ...{ sha224: null, sha256: null, sha384: null, sha512: null, 'sha512-256': null },
    ...{ 'sha3-224': null, 'sha3-256': null, 'sha3-384': null, 'sha3-512': null, shake256: null },
  },
  keys: {
    rsa: [usual('rsa'), { bits: 1024, until: END_OF_2013 }],
    dsa: [usual('dsa'), { bits: 1024, until: END_OF_2013 }],
    ec: [usual('ec')],
    ed25519: [usual('ed25519')],
    ed448: [usual('ed448')],
  },
  levels: null,
  signaturePolicies: null,
  revocation: { maximumAgeHours: null },
  timestamps: { required: false },
  findings: {},
}

/** Arc of the signature policies of ICP-Brasil (DOC-ICP-15.03). */
const ICP_BRASIL = '2.16.76.1.7.1'

/** Signatures of ICP-Brasil alone: one of its policies, and the algorithms they allow (signature-engine facts C9). */
export const icpBrasilPolicy: ValidationPolicy = {
  ...generalPolicy,
  name: 'icp-brasil',
  algorithms: ['RSA', 'ECDSA', 'Ed25519', 'Ed448'],
  digests: { sha1: END_OF_2013, sha256: null, sha512: null, shake256: null },
  keys: { rsa: generalPolicy.keys.rsa!, ec: [usual('ec')], ed25519: [usual('ed25519')], ed448: [usual('ed448')] },
  levels: ['AD-RB', 'AD-RT', 'AD-RV', 'AD-RC', 'AD-RA'],
  signaturePolicies: [ICP_BRASIL],
}
