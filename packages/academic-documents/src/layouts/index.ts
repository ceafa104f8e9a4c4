// The XML layouts of Brazilian academic documents as tables, and what follows from them: input types, generation,
// judgement, reading, forms, JSON Schema, documentation.
//
//   const made = generate('degree', input)          → bytes, or what is wrong with the input
//   const verdict = judge(bytes)                    → kind, version, problems
//   const { document } = readDocument(bytes)        → the input again
export { type Field, formOf } from './forms/fields.ts'
export { inEnglish } from './forms/in-english.ts'
export { type JsonSchema, schemaOf } from './forms/json-schema.ts'
export { type DegreeIds, degreeIds, isNonce, newNonce, nonceOf, type RandomSource } from './identifiers/nonce.ts'
export {
  type CodeIngredients,
  codePatterns,
  degreeCode,
  type IsTaken,
  institutionCode,
  uniqueUrl,
} from './identifiers/verification-codes.ts'
export { type JudgeOptions, judge, type LayoutVerdict } from './judging/judge.ts'
export { type LayoutProblem, type LayoutProblemCode, layoutProblems } from './judging/problems.ts'
export {
  type DocumentInput,
  type DocumentKind,
  documentKinds,
  type LayoutVersion,
  MEC_NAMESPACES,
  type NamespaceForm,
  WRITTEN_VERSION,
} from './kinds.ts'
export { type ByteRange, nodeRange } from './reading/node-range.ts'
export { type ReadDocument, type Reading, readDocument } from './reading/read-document.ts'
export {
  type ConsistencyContext,
  type ConsistencyProblem,
  checkConsistency,
  consistencyRules,
} from './rules/consistency.ts'
export { type Generated, type GenerateOptions, generate, generateUnchecked } from './writing/generate.ts'
