import type {
  AnswerOf,
  askForSignIn,
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
  listPasskeys,
  makeRecoveryCodes,
  planPasskey,
  proveSession,
  readMe,
  readRecoveryCodes,
  readSignInWays,
  signIn,
} from '@chancela/admin-console/contract'

export type Me = AnswerOf<typeof readMe>
export type Credentials = BodyOf<typeof signIn>
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
export type Passkey = AnswerOf<typeof listPasskeys>[number]
export type PasskeyQuestion = AnswerOf<typeof askForSignIn>
export type PasskeyPlan = AnswerOf<typeof planPasskey>
export type AuditEvent = AnswerOf<ReturnType<typeof eventList>>['items'][number]
