// One door for every signed file.
//
//   const report = await verify(await readFile('contract.pdf'), { judge, now: new Date() })

export { readValidationPolicy } from '../validation-policy/read-validation-policy.ts'
export { generalPolicy, icpBrasilPolicy, type ValidationPolicy } from '../validation-policy/validation-policy.ts'
export { type DetectedFormat, type DetectOptions, detectFormat } from './detect-format.ts'
export { type VerifyOptions, verify } from './verify.ts'
