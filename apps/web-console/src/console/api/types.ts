import type {
  AnswerOf,
  BodyOf,
  beginSecondFactor,
  changePassword,
  confirmSecondFactor,
  createAdministrator,
  createApplicationKey,
  endOtherSessions,
  eventList,
  listAdministratorSessions,
  listAdministrators,
  listApplications,
  listOwnSessions,
  makeRecoveryCodes,
  proveSession,
  readMe,
  readRecoveryCodes,
  readSignInWays,
} from '@chancela/admin-console/contract'

export type Me = AnswerOf<typeof readMe>
export type SignInWays = AnswerOf<typeof readSignInWays>
export type NewSecondFactor = AnswerOf<typeof beginSecondFactor>
export type SecondFactorCodes = BodyOf<typeof confirmSecondFactor>
export type Proof = BodyOf<typeof proveSession>
export type RecoveryCodes = AnswerOf<typeof makeRecoveryCodes>
export type RecoveryCodesLeft = AnswerOf<typeof readRecoveryCodes>
export type PasswordChange = BodyOf<typeof changePassword>
export type Application = AnswerOf<typeof listApplications>[number]
export type NewKey = BodyOf<typeof createApplicationKey>
export type CreatedKey = AnswerOf<typeof createApplicationKey>
export type Administrator = AnswerOf<typeof listAdministrators>[number]
export type Role = Administrator['role']
export type NewAdministrator = BodyOf<typeof createAdministrator>
export type OwnSession = AnswerOf<typeof listOwnSessions>[number]
export type AdministratorSession = AnswerOf<typeof listAdministratorSessions>[number]
export type EndedSessions = AnswerOf<typeof endOtherSessions>
export type AuditEvent = AnswerOf<ReturnType<typeof eventList>>['items'][number]
