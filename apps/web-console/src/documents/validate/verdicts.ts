import type { SignerInfo } from '../api/types.ts'

export type Verdict = 'valid' | 'invalid' | 'undetermined'

/** The verdict on a signature: without an error, it is only not confirmed. */
export function verdictOf({ validationResults: results }: Pick<SignerInfo, 'validationResults'>): Verdict {
  if (!results) return 'undetermined'
  if (results.isValid) return 'valid'
  return results.errors.length > 0 ? 'invalid' : 'undetermined'
}

/** The verdict on a document: the worst of its signatures. */
export function summaryOf(signers: readonly Pick<SignerInfo, 'validationResults'>[]): Verdict | 'unsigned' {
  const verdicts = signers.map(verdictOf)
  return (['invalid', 'undetermined', 'valid'] as const).find((verdict) => verdicts.includes(verdict)) ?? 'unsigned'
}

/** How a signature was made. */
export function kindOf({ isTimestamp, isElectronic }: Pick<SignerInfo, 'isTimestamp' | 'isElectronic'>) {
  if (isTimestamp) return 'timestamp'
  return isElectronic ? 'electronic' : 'certificate'
}
