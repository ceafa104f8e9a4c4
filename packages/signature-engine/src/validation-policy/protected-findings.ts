import { findingSubIndications } from '../report/finding-indications.ts'
import type { SubIndication } from '../report/indications.ts'
import { type FindingCode, findingSeverities } from '../report/report.ts'
import type { Effect } from './validation-policy.ts'

/** What is not the signed content, was not made by the key, was tampered with, or was never looked at. */
export const ofIntegrity: ReadonlySet<SubIndication | null> = new Set<SubIndication>([
  'HASH_FAILURE',
  'SIG_CRYPTO_FAILURE',
  'FORMAT_FAILURE',
  'SIGNED_DATA_NOT_FOUND',
  'NO_SIGNING_CERTIFICATE_FOUND',
])

/** The same, of which a policy decides nothing although it weighs as a constraint or an algorithm. */
const never: readonly FindingCode[] = [
  'no-signature',
  'algorithm-unknown',
  'document-unreadable',
  'xml.transform-refused',
]

/** Whether a policy may say that the finding has this effect: it may make anything worse, and some things better. */
export const mayHaveEffect = (code: FindingCode, effect: Effect): boolean =>
  effect === 'error' ||
  findingSeverities[code] !== 'error' ||
  !(ofIntegrity.has(findingSubIndications[code]) || never.includes(code))
