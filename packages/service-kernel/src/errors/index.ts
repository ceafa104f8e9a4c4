export { type ErrorVocabulary, Refusal, type RefusalDetails, refuser } from './refusal.ts'
export { StartupProblem } from './startup-problem.ts'
