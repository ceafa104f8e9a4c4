// The signature policies that clients of the earlier generation know by heart (pki-core facts 4.4).
import type { SignatureType } from '../contract/documents.ts'

/** The level that a signature gets: basic, with a timestamp, or a form of ICP-Brasil. */
export type SignatureLevel = 'B-B' | 'B-T' | 'AD-RB' | 'AD-RT' | 'AD-RC' | 'AD-RA'

/** How a signature is made under a policy. */
export interface KnownPolicy {
  readonly type: SignatureType
  readonly level: SignatureLevel
  /** Whether it is about certificates of ICP-Brasil: a request need not name a security context then. */
  readonly isBrazilian: boolean
  /** An XML signature without the properties of XAdES. */
  readonly isPlain: boolean
}

const policy = (type: SignatureType, level: SignatureLevel, more: Partial<KnownPolicy> = {}): KnownPolicy => ({
  type,
  level,
  isBrazilian: level.startsWith('AD-'),
  isPlain: false,
  ...more,
})

const ofBrazil = { isBrazilian: true }

/** Whether a signature carries revocation data is not told apart: those with a timestamp authority do by their level. */
const known: Readonly<Record<string, KnownPolicy>> = {
  '78d20b33-014d-440e-ad07-929f05d00cdf': policy('Pdf', 'B-B'),
  '3fec800c-366c-49bf-82c5-2e72154e70f6': policy('Pdf', 'B-B', ofBrazil),
  'ed93a777-ad5a-49a0-8b67-5aa5dfad1c98': policy('Pdf', 'B-B'),
  'aaed831b-fa9d-4732-82fc-8d25f2c16c57': policy('Pdf', 'B-B'),
  '6a39aeea-a2d0-4754-bf8c-19da15296ddb': policy('Pdf', 'B-T', ofBrazil),
  '531d5012-4c0d-4b6f-89e8-ebdcc605d7c2': policy('Pdf', 'AD-RB'),
  '10f0d9a5-a0a9-42e9-9523-e181ce05a25b': policy('Pdf', 'AD-RT'),
  'a4522485-c9e5-46c3-950b-0d6e951e17d1': policy('Cms', 'B-B'),
  '8108539d-c137-4f45-a1f2-de5305bc0a37': policy('Cms', 'B-B'),
  '3ddd8001-1672-4eb5-a4a2-6e32b17ddc46': policy('Cms', 'AD-RB'),
  'd890b391-f82f-468c-a7e8-bf734dde9d6e': policy('Cms', 'AD-RB'),
  'a5332ad1-d105-447c-a4bb-b5d02177e439': policy('Cms', 'AD-RT'),
  '30d881e7-924a-4a14-b5cc-d5a1717d92f6': policy('Cms', 'AD-RC'),
  '1beba282-d1b6-4458-8e46-bd8ad6800b54': policy('Xml', 'B-B'),
  '2bb5d8c9-49ba-4c62-8104-8141f6459d08': policy('Xml', 'B-B', { isPlain: true }),
  '1cf5db62-58b6-40ba-88a3-d41bada9b621': policy('Xml', 'AD-RB'),
  '5aa2e0af-5269-43b0-8d45-f4ef52921f04': policy('Xml', 'AD-RT'),
  '826b3a00-3400-4236-90d9-40917b0cc83b': policy('Xml', 'AD-RC'),
  '5b8c0710-006d-434d-bf35-12292b56b90a': policy('Xml', 'AD-RA'),
}

/** Policies that clients know too, and why nothing is signed under them here. */
const unsupported = {
  'a3c24251-d43a-4ba4-b25d-ee8e2ab24f06': { code: 'UnsupportedDigestAlgorithm', reason: 'NF-e demands SHA-1.' },
  'bf71e0fc-6ffd-4135-a137-0e488a3ad39e': { code: 'UnsupportedDigestAlgorithm', reason: 'The policy demands SHA-1.' },
  '45d83a40-1d59-480a-8cd2-d3df1060cce3': { code: 'EntityUnusable', reason: 'The rules of COD are not public.' },
} as const

const plainId = (id: string): string => id.trim().toLowerCase()

export const findPolicy = (id: string): KnownPolicy | undefined => known[plainId(id)]

export const unsupportedPolicy = (id: string) => unsupported[plainId(id) as keyof typeof unsupported] ?? undefined

/** Whether a level is reached only with the help of a timestamp authority. */
export const needsTimestamp = (level: SignatureLevel): boolean => level !== 'B-B' && level !== 'AD-RB'
