import { type PolicyName, type SigningPolicy, selectPolicy } from '../policies/policies.ts'
import type { Certificate } from '../x509/certificate.ts'
import { refusePades } from './errors.ts'

/** The levels a PDF signature can have. ICP-Brasil has no AD-RV for PDF (DOC-ICP-15.03). */
export type PadesLevel = 'B-B' | 'B-T' | 'B-LT' | 'B-LTA' | 'AD-RB' | 'AD-RT' | 'AD-RC' | 'AD-RA'

/** What a level adds to a plain signature. */
export interface LevelParts {
  /** The signature policy of ICP-Brasil that the signature names. */
  readonly policy?: PolicyName
  /** A timestamp on the signature value. */
  readonly timestamp: boolean
  /** Certificates and revocation data in the document security store. */
  readonly validationData: boolean
  /** A timestamp on the whole document, validation data included. */
  readonly documentTimestamp: boolean
}

const levels: Readonly<Record<PadesLevel, LevelParts>> = {
  'B-B': { timestamp: false, validationData: false, documentTimestamp: false },
  'B-T': { timestamp: true, validationData: false, documentTimestamp: false },
  'B-LT': { timestamp: true, validationData: true, documentTimestamp: false },
  'B-LTA': { timestamp: true, validationData: true, documentTimestamp: true },
  'AD-RB': { policy: 'AD-RB', timestamp: false, validationData: false, documentTimestamp: false },
  'AD-RT': { policy: 'AD-RT', timestamp: true, validationData: false, documentTimestamp: false },
  'AD-RC': { policy: 'AD-RC', timestamp: true, validationData: true, documentTimestamp: true },
  'AD-RA': { policy: 'AD-RA', timestamp: true, validationData: true, documentTimestamp: true },
}

/** The parts of a level, which may come from a caller without types. */
export function partsOf(level: string): LevelParts {
  if (!Object.hasOwn(levels, level)) throw refusePades('pades.level-unknown', { level })
  return levels[level as PadesLevel]
}

/** The policy to sign under: the caller's, or for an ICP-Brasil level the version for the root and the time. */
export function policyFor(
  level: string,
  { policy, chain, now }: { policy?: SigningPolicy | undefined; chain: readonly Certificate[]; now: Date },
): SigningPolicy | undefined {
  const { policy: name } = partsOf(level)
  if (policy || !name) return policy
  return selectPolicy({ format: 'PAdES', name, root: chain.at(-1), now })
}
