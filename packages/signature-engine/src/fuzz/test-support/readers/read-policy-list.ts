import { readLpa } from '../../../policies/policy-list.ts'
import type { Reader } from './reader.ts'

/** A list of approved policies, DER or XML. */
export const readAnyPolicyList: Reader = (bytes) => {
  readLpa(bytes)
  return undefined
}
