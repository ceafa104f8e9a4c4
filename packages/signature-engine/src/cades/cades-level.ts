import type { IcpForm } from '../cms/signature-level.ts'
import type { Judge } from '../judgement/judge-certificate.ts'
import type { SignatureLevel } from '../report/report.ts'
import { type ContentTimestampOptions, requireContentTimestamp } from '../signing/content-timestamp.ts'
import { refuseCades } from './errors.ts'

/** Every level a CAdES signature can be brought to. */
export type CadesLevel = Exclude<SignatureLevel, 'none'>

interface Steps {
  readonly track: 'baseline' | 'icp-brasil'
  readonly signatureTimestamp?: true
  /** Certificates and revocation data in the SignedData (baseline). */
  readonly validationData?: true
  readonly archiveTimestampV3?: true
  /** complete-certificate-references and complete-revocation-references. */
  readonly references?: true
  readonly referencesTimestamp?: true
  readonly values?: true
  readonly archiveTimestampV2?: true
}

/**
 * What each level adds to a basic signature. The two tracks exclude each other: EN 319 122-1 forbids from B-LT on the
 * attributes that ICP-Brasil demands from AD-RV on. AD-RA gets a signature timestamp too, although its policy does not
 * demand one: the references are gathered for its time.
 */
export const stepsOf: Readonly<Record<CadesLevel, Steps>> = {
  'B-B': { track: 'baseline' },
  'B-T': { track: 'baseline', signatureTimestamp: true },
  'B-LT': { track: 'baseline', signatureTimestamp: true, validationData: true },
  'B-LTA': { track: 'baseline', signatureTimestamp: true, validationData: true, archiveTimestampV3: true },
  'AD-RB': { track: 'icp-brasil' },
  'AD-RT': { track: 'icp-brasil', signatureTimestamp: true },
  'AD-RV': { track: 'icp-brasil', signatureTimestamp: true, references: true, referencesTimestamp: true },
  'AD-RC': { track: 'icp-brasil', signatureTimestamp: true, references: true, referencesTimestamp: true, values: true },
  'AD-RA': { track: 'icp-brasil', signatureTimestamp: true, references: true, values: true, archiveTimestampV2: true },
}

export const isIcpForm = (level: CadesLevel): level is IcpForm => stepsOf[level].track === 'icp-brasil'

/** The level, if CAdES has it; callers outside TypeScript send anything. */
export function requireLevel(level: SignatureLevel): CadesLevel {
  if (level === 'none' || !Object.hasOwn(stepsOf, level)) throw refuseCades('cades.level-unknown', { level })
  return level
}

/** Refuses a level whose helpers are missing, before the key is used in vain. */
export function requireHelpers(
  level: CadesLevel,
  { timestamps, judge, contentTimestamp }: ContentTimestampOptions & { readonly judge?: Judge | undefined },
): void {
  requireContentTimestamp({ contentTimestamp, timestamps })
  const steps = stepsOf[level]
  if (steps.signatureTimestamp && !timestamps) throw refuseCades('cades.timestamps-needed', { level })
  if ((steps.validationData || steps.references) && !judge) throw refuseCades('cades.judge-needed', { level })
}
