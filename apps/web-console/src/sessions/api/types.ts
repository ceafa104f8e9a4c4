import type {
  AnswerOf,
  BodyOf,
  beginSecondFactor,
  changePassword,
  createAdministrator,
  createApplicationKey,
  createWorkstation,
  importCertificate,
  listAdministrators,
  listApplications,
  listCertificates,
  listEvents,
  listLockouts,
  listSessions,
  listSignatures,
  listWorkstations,
  readMe,
  readOverview,
  readSignInWays,
} from '@chancela/session-server/contract'

/** A page of a long list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | null
}

export type Me = AnswerOf<typeof readMe>
export type SignInWays = AnswerOf<typeof readSignInWays>
export type NewSecondFactor = AnswerOf<typeof beginSecondFactor>
export type PasswordChange = BodyOf<typeof changePassword>
export type Overview = AnswerOf<typeof readOverview>
export type Application = AnswerOf<typeof listApplications>[number]
export type NewKey = BodyOf<typeof createApplicationKey>
export type CreatedKey = AnswerOf<typeof createApplicationKey>
export type Certificate = AnswerOf<typeof listCertificates>['items'][number]
export type CertificateStatus = Certificate['status']
export type Custody = Certificate['custody']
export type VaultFile = BodyOf<typeof importCertificate>
export type Workstation = AnswerOf<typeof listWorkstations>[number]
export type WorkstationState = Workstation['state']
export type NewWorkstation = BodyOf<typeof createWorkstation>
export type EnrolmentCode = AnswerOf<typeof createWorkstation>
export type LiveSession = AnswerOf<typeof listSessions>['items'][number]
export type LoggedSignature = AnswerOf<typeof listSignatures>['items'][number]
export type SignatureState = LoggedSignature['state']
export type Lockout = AnswerOf<typeof listLockouts>[number]
export type Administrator = AnswerOf<typeof listAdministrators>[number]
export type NewAdministrator = BodyOf<typeof createAdministrator>
export type AuditEvent = AnswerOf<typeof listEvents>['items'][number]

/** Lists of the wire in the order pages offer them; the compiler sees to it that each is a word of the contract. */
export const certificateStatuses = [
  'ACTIVE',
  'EXPIRED',
  'REVOKED',
  'UNTRUSTED',
  'STALE',
] as const satisfies readonly CertificateStatus[]

export const custodies = ['vault', 'workstation'] as const satisfies readonly Custody[]

export const signatureStates = [
  'Sending',
  'Accepted',
  'Signed',
  'Canceled',
  'Failed',
  'Unknown',
] as const satisfies readonly SignatureState[]
