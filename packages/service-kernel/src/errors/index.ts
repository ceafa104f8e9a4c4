export {
  type FieldErrors,
  type FrameworkFailure,
  type FrameworkFailureRule,
  FrameworkProblem,
  frameworkFailures,
  invalidField,
} from './framework-problem.ts'
export {
  isStoreUnreachable,
  notedStorageUnreachable,
  notedUnreachable,
  type PassingTrouble,
  passingTrouble,
} from './passing-trouble.ts'
export { type ErrorVocabulary, Refusal, type RefusalDetails, refuser } from './refusal.ts'
export { StartupProblem } from './startup-problem.ts'
