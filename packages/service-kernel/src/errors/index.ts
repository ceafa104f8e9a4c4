export {
  type FieldErrors,
  type FrameworkFailure,
  type FrameworkFailureRule,
  FrameworkProblem,
  frameworkFailures,
  invalidField,
} from './framework-problem.ts'
export { isNoRoom } from './no-room.ts'
export { type ErrorVocabulary, Refusal, type RefusalDetails, refuser } from './refusal.ts'
export { StartupProblem } from './startup-problem.ts'
export { isStoreUnreachable, notedUnreachable } from './store-unreachable.ts'
