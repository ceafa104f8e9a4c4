// An approver chooses files to be approved by a key elsewhere. What they hash to is not known yet: it depends on the
// certificate.
import { Refusal } from '@chancela/service-kernel/errors'
import type { Context } from '../../context.ts'
import type { ApproverSignatures } from '../../parts/approvals/approver-signatures.ts'
import type { SigningLinks } from '../../parts/approvals/signing-links.ts'
import { approverKey, approversSign } from '../../rules/approval-rule.ts'
import { jobIdOf } from '../../rules/job-id.ts'
import { reasonOf } from '../../rules/pause.ts'
import { refuse } from '../../rules/refuse.ts'
import { findApproval } from '../../store/approvals.ts'
import { type FileResult, insertSigning } from '../../store/approver-signings.ts'
import type { ApproverSigningFileRow, ApproverSigningRow } from '../../store/tables.ts'
import { approvingMember, type DecisionParts } from '../decide.ts'
import { resultOfRefusal } from './results.ts'

export interface Elsewhere {
  readonly context: Context
  readonly links: SigningLinks
  readonly signatures: ApproverSignatures
  readonly decisions: DecisionParts
}

/** Somebody who begins, in a browser of theirs. */
export interface Asking {
  readonly email: string
  readonly method: ApproverSigningRow['method']
  readonly sessionId: string
  readonly ipAddress: string | null
  readonly userAgent: string | null
}

interface Asked {
  readonly ids: readonly string[]
  readonly reason?: string | null | undefined
}

/** One of the chosen files; with a result where it cannot be approved by the person now. */
interface Chosen {
  readonly jobId: string
  readonly fileName: string | null
  readonly cpf: string | null
  readonly result: FileResult | null
}

/** What both ways begin with. */
export interface Begun {
  readonly cpf: string
  /** Names of the files that can be signed. */
  readonly fileNames: readonly string[]
  /** Stores the request: `way` and `reference` say where its answer comes from. */
  store(row: Pick<ApproverSigningRow, 'id' | 'way' | 'reference' | 'expires_at'>): Promise<void>
}

/** Files that cannot be signed are told one by one; refused where none can. */
export async function beginSigning(given: Elsewhere, asking: Asking, asked: Asked, now: Date): Promise<Begun> {
  const { context } = given
  const reason = reasonOf(asked.reason) ?? null
  const chosen = await chosenFiles(context, asking, [...new Set(asked.ids)], now)
  const signable = chosen.filter(({ result }) => result === null)
  return {
    cpf: oneCpf(signable),
    fileNames: signable.map(({ fileName }) => fileName!),
    store: (row) => insertSigning(context.store, { ...rowOf(asking, reason, now), ...row }, filesOf(row.id, chosen)),
  }
}

async function chosenFiles(
  context: Context,
  { email }: Asking,
  ids: readonly string[],
  now: Date,
): Promise<readonly Chosen[]> {
  const refusals: Refusal[] = []
  const chosen: Chosen[] = []
  for (const id of ids)
    try {
      chosen.push(await chosenFile(context, { jobId: jobIdOf(id) ?? id, email, now }))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refusals.push(error)
      chosen.push({ jobId: id, fileName: null, cpf: null, result: resultOfRefusal(error) })
    }
  if (refusals.length === ids.length) throw refusals[0]!
  return chosen
}

async function chosenFile(
  context: Context,
  asked: { readonly jobId: string; readonly email: string; readonly now: Date },
): Promise<Chosen> {
  const { jobId } = asked
  const { cpf } = await approvingMember(context, asked)
  const { rule, file_name: fileName } = (await findApproval(context.store.db, jobId))!
  if (!approversSign(rule.signers)) throw refuse('request.invalid', { reason: 'Approvers do not sign this job.' })
  return { jobId, fileName, cpf, result: null }
}

/** The holder authorizes once, with one certificate: it cannot be that of two people. */
function oneCpf(signable: readonly Chosen[]): string {
  const [cpf, ...others] = new Set(signable.map((file) => file.cpf!))
  if (others.length > 0)
    throw refuse('request.invalid', { reason: 'The files of ids name the caller by several CPFs.' })
  return cpf!
}

const rowOf = ({ email, method, sessionId, ipAddress, userAgent }: Asking, reason: string | null, now: Date) => ({
  approver_key: approverKey(email),
  method,
  session_id: sessionId,
  ip_address: ipAddress,
  user_agent: userAgent?.slice(0, 512) ?? null,
  reason,
  created_at: now.toISOString(),
  taken_at: null,
  kept_at: null,
  busy_until: null,
  thumbprint: null,
  outcome: null,
})

const filesOf = (signingId: string, chosen: readonly Chosen[]): ApproverSigningFileRow[] =>
  chosen.map(({ jobId, fileName, result }, position) => ({
    signing_id: signingId,
    job_id: jobId,
    position,
    file_name: fileName,
    token: null,
    signature: null,
    result: result && JSON.stringify(result),
  }))
