import type { AnswerOf, BodyOf } from '@chancela/admin-console/contract'
import type {
  consoleApplications,
  consoleContexts,
  consoleKeys,
  consoleNewApplication,
  consoleNewContext,
  consoleNewKey,
  consoleSubscriptions,
  listAuthentications,
  listBioSubjects,
  listProblems,
  listSignatureSessions,
  readOverview,
  showSignatureSession,
} from '@chancela/pki-core/contract'

export type Overview = AnswerOf<typeof readOverview>
export type Subscription = AnswerOf<typeof consoleSubscriptions>['items'][number]
export type Application = AnswerOf<typeof consoleApplications>['items'][number]
export type NewApplication = BodyOf<typeof consoleNewApplication>
export type Role = NewApplication['roles'][number]
export type RootRole = NewApplication['rootRoles'][number]
export type Key = AnswerOf<typeof consoleKeys>[number]
export type NewKey = BodyOf<typeof consoleNewKey>
export type MadeKey = AnswerOf<typeof consoleNewKey>
export type SecurityContext = AnswerOf<typeof consoleContexts>['items'][number]
export type NewContext = BodyOf<typeof consoleNewContext>
export type Authentication = AnswerOf<typeof listAuthentications>['items'][number]
export type Problem = AnswerOf<typeof listProblems>['items'][number]
export type SignatureSession = AnswerOf<typeof listSignatureSessions>['items'][number]
export type SessionDetail = AnswerOf<typeof showSignatureSession>
export type SessionStatus = SignatureSession['status']
export type SessionDocument = SessionDetail['documents'][number]
export type DocumentStatus = SessionDocument['status']
export type DeliveryState = SessionDocument['deliveries'][number]['state']
export type BioSubject = AnswerOf<typeof listBioSubjects>['items'][number]
export type SubjectState = 'enrolled' | 'deleted'

/** Enumerations of the contract in display order; the compiler checks that each value is in the contract. */
export const roles = ['Admin', 'Manager', 'Worker', 'Monitor'] as const satisfies readonly Role[]
export const sessionStatuses = [
  'Pending',
  'Processing',
  'Completed',
  'UserCancelled',
  'Expired',
  'ProcessingError',
] as const satisfies readonly SessionStatus[]
export const subjectStates = ['enrolled', 'deleted'] as const satisfies readonly SubjectState[]
export const rootRoles = ['Owner', 'Contributor', 'Reader'] as const satisfies readonly RootRole[]

/** A list of the management: what was read of it, and how many there are. */
export interface Listed<Item> {
  readonly items: readonly Item[]
  readonly totalCount: number
}
