import type { ApprovalDecisionRow, JobApprovalRow } from '../store/tables.ts'
import { type ApprovalRule, approverKey } from './approval-rule.ts'
import { type ApproverCertificate, type Decision, tallyOf } from './frozen-approval.ts'

/** A frozen rule with what belongs to it. */
export interface Frozen extends Pick<JobApprovalRow, 'job_id' | 'content_sha256' | 'parked_at' | 'expires_at'> {
  readonly rule: ApprovalRule
}

/** How far a job has come with its approvers. */
export function approvalState(
  { rule, parked_at, expires_at }: Frozen,
  decisions: readonly { readonly decision: Decision }[],
) {
  return {
    ...tallyOf(rule, decisions),
    frozenAt: parked_at,
    parkedSince: parked_at,
    expiresAt: expires_at,
    expiresAfterSeconds: rule.expiresAfterSeconds,
    signers: rule.signers,
  }
}

/** The whole record, for operators: neither CPFs nor where somebody sat leave the service. */
export function approvalRecord(frozen: Frozen, decisions: readonly ApprovalDecisionRow[]) {
  const { rule } = frozen
  const byKey = new Map(decisions.map((decision) => [decision.approver_key, decision]))
  return {
    jobId: frozen.job_id,
    rule: {
      required: rule.minimumApprovers,
      poolSize: rule.approvers.length,
      signers: rule.signers,
      expiresAfterSeconds: rule.expiresAfterSeconds,
      frozenAt: frozen.parked_at,
      contentSha256: frozen.content_sha256,
    },
    pool: rule.approvers.map(({ name, email, cpf }) => ({
      name,
      email,
      cpfMasked: maskedCpf(cpf),
      decision: byKey.get(approverKey(email))?.decision ?? null,
    })),
    decisions: decisions.map(recorded),
  }
}

const recorded = (row: ApprovalDecisionRow) => ({
  approverName: row.name,
  approverEmail: row.approver_key,
  cpfMasked: maskedCpf(row.cpf),
  decision: row.decision,
  reason: row.reason,
  identificationMethod: row.method,
  decidedAt: row.decided_at,
  secondFactorVerifiedAt: row.second_factor_at,
  certificate: row.certificate === null ? null : certificateView(JSON.parse(row.certificate) as ApproverCertificate),
})

const certificateView = ({
  subject,
  issuer,
  serialNumber,
  thumbprintSha256,
  cpf,
  cnpj,
  cloudService,
}: ApproverCertificate) => ({
  subject: subject.replaceAll(cpf, maskedCpf(cpf)),
  issuer,
  serialNumber,
  thumbprintSha256,
  cpf: maskedCpf(cpf),
  cnpj,
  cloudService,
})

/** With the check digits only, as the Brazilian revenue service prints it. */
const maskedCpf = (cpf: string): string => `***.***.***-${cpf.slice(-2)}`
