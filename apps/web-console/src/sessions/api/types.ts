import type {
  AnswerOf,
  BodyOf,
  createWorkstation,
  importCertificate,
  listCertificates,
  listHistory,
  listLockouts,
  listSessions,
  listSignatures,
  listWorkstations,
  readOverview,
  setCertificatePin,
} from '@chancela/session-server/contract'

export type Overview = AnswerOf<typeof readOverview>
export type Certificate = AnswerOf<typeof listCertificates>['items'][number]
export type CertificateStatus = Certificate['status']
export type Custody = Certificate['custody']
export type VaultFile = BodyOf<typeof importCertificate>
export type HolderPin = BodyOf<typeof setCertificatePin>
export type Workstation = AnswerOf<typeof listWorkstations>[number]
export type WorkstationState = Workstation['state']
export type NewWorkstation = BodyOf<typeof createWorkstation>
export type EnrolmentCode = AnswerOf<typeof createWorkstation>
export type LiveSession = AnswerOf<typeof listSessions>['items'][number]
export type HistoryEntry = AnswerOf<typeof listHistory>['items'][number]
export type HistoryKind = HistoryEntry['kind']
export type LoggedSignature = AnswerOf<typeof listSignatures>['items'][number]
export type SignatureState = LoggedSignature['state']
export type Lockout = AnswerOf<typeof listLockouts>[number]

/** Enumerations of the contract in display order; the compiler checks that each value is in the contract. */
export const certificateStatuses = [
  'ACTIVE',
  'EXPIRED',
  'REVOKED',
  'UNTRUSTED',
  'STALE',
] as const satisfies readonly CertificateStatus[]

export const custodies = ['vault', 'workstation', 'token'] as const satisfies readonly Custody[]

export const historyKinds = ['session', 'attempt'] as const satisfies readonly HistoryKind[]

export const signatureStates = [
  'Sending',
  'Accepted',
  'Signed',
  'Canceled',
  'Failed',
  'Unknown',
] as const satisfies readonly SignatureState[]
