import { validateCades } from '../../../cades/validate-cades.ts'
import { readValidationPolicy } from '../../../validation-policy/read-validation-policy.ts'
import { type Reader, reported } from './reader.ts'

/** A policy in JSON, and the broken signature that none may call valid. */
export const readAnyValidationPolicy: Reader = async (bytes, { beside: { broken } }, { judge, recording: { now } }) => {
  const policy = readValidationPolicy(parsed(bytes))
  if (reported(await validateCades(broken!, { judge, now, policy })) === 'valid')
    throw new Error('a policy called a broken signature valid')
  return undefined
}

/** What is no JSON is for the caller to refuse: undefined is no policy. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
