import { digest } from '../crypto/digest.ts'
import type { ValidationData } from './judge-certificate.ts'

/** Each certificate, list and answer once. */
export function joinedValidationData(
  parts: readonly ValidationData[],
): Pick<ValidationData, 'certificates' | 'crls' | 'ocsps'> {
  return {
    certificates: [...new Set(parts.flatMap(({ certificates }) => certificates))],
    crls: distinct(parts.flatMap(({ crls }) => crls)),
    ocsps: distinct(parts.flatMap(({ ocsps }) => ocsps)),
  }
}

const distinct = (values: readonly Uint8Array[]): Uint8Array[] => [
  ...new Map(values.map((value) => [digest('sha256', value).toString('hex'), value])).values(),
]
