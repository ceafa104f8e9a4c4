import { type ApprovalRule, type Approver, approverKey } from './approval-rule.ts'

export const decisions = ['approved', 'rejected'] as const

export type Decision = (typeof decisions)[number]

/** How the service knows whose decision it is: what the caller said, the link of the portal, the identity provider. */
const identificationMethods = ['SelfDeclaredEmail', 'LinkDerivedEmail', 'IdpEmail'] as const

export type IdentificationMethod = (typeof identificationMethods)[number]

/** Somebody who decides, as far as the service knows. Whether a pool names them is the frozen rule's to say. */
export interface IdentifiedApprover {
  readonly email: string
  readonly method: IdentificationMethod
  readonly ipAddress: string | null
  readonly userAgent: string | null
  /** When they last gave a code of their second factor in this browser session. */
  readonly secondFactorAt?: Date
}

/** The certificate of an approval by signature. */
export interface ApproverCertificate {
  readonly subject: string
  readonly issuer: string
  /** Upper-case hex. */
  readonly serialNumber: string
  /** Lower-case hex. */
  readonly thumbprintSha256: string
  readonly cpf: string
  readonly cnpj: string | null
  readonly means: 'browser' | 'cloud'
  /** The provider, where the key is in a cloud. */
  readonly cloudService: string | null
}

/** Where a job stands; counts are of people. */
export interface Tally {
  readonly required: number
  readonly poolSize: number
  readonly approved: number
  readonly rejected: number
  readonly outstanding: number
  /** Also true of a job that was rejected afterwards. */
  readonly quorumReached: boolean
  /** One rejection is enough, whatever the quorum. */
  readonly vetoed: boolean
}

export function tallyOf(
  { minimumApprovers: required, approvers }: Pick<ApprovalRule, 'minimumApprovers' | 'approvers'>,
  decisions: readonly { readonly decision: Decision }[],
): Tally {
  const count = (wanted: Decision) => decisions.filter(({ decision }) => decision === wanted).length
  const [approved, rejected] = [count('approved'), count('rejected')]
  return {
    required,
    poolSize: approvers.length,
    approved,
    rejected,
    outstanding: Math.max(0, required - approved),
    quorumReached: approved >= required,
    vetoed: rejected > 0,
  }
}

/** The member of the pool that an address names; undefined for every other address, a malformed one too. */
export const memberOf = ({ approvers }: Pick<ApprovalRule, 'approvers'>, email: string): Approver | undefined =>
  approvers.find((approver) => approverKey(approver.email) === approverKey(email))

/** When the wait ends by the wall clock; undefined: never. */
export const expiryOf = (
  { expiresAfterSeconds }: Pick<ApprovalRule, 'expiresAfterSeconds'>,
  parkedSince: Date,
): Date | undefined =>
  expiresAfterSeconds === null ? undefined : new Date(parkedSince.getTime() + expiresAfterSeconds * 1000)
