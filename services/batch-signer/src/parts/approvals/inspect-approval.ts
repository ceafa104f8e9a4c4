import { createHash } from 'node:crypto'
import { type ProblemText, signerSetProblems } from '@chancela/service-kernel/trust'
import type { Context } from '../../context.ts'
import { approversSign } from '../../rules/approval-rule.ts'
import type { ApproverCertificate } from '../../rules/frozen-approval.ts'
import { decisionsOf, type FrozenApproval, findApproval } from '../../store/approvals.ts'
import { findJob } from '../../store/job-reads.ts'
import type { ApprovalDecisionRow } from '../../store/tables.ts'
import { errnoOf } from '../../upstream/storage/local/disk-errors.ts'
import type { EnvelopeFiles } from '../../upstream/storage/storage.ts'
import { piecesOf } from '../signing/pieces-of-file.ts'

/** What became of a file that people decide about. `none`: the job has ended, and nothing is kept of it. */
type Kept = 'right' | 'altered' | 'missing' | 'unreadable' | 'none'

interface Signer {
  readonly approverName: string
  /** Null: approved without a certificate, though the rule asks for a signature. */
  readonly thumbprintSha256: string | null
  readonly isThere: boolean
}

/** What an operator is shown of a record: everything that can be measured is measured now. */
export interface ApprovalInspection {
  readonly contentSha256: string | null
  readonly copy: { readonly state: Kept; readonly sha256: string | null }
  /** Null where approvers do not sign. */
  readonly signatures: {
    readonly state: Kept
    /** As the record names the file that counts; null before the first. */
    readonly sha256: string | null
    readonly signers: readonly Signer[]
    readonly problems: readonly ProblemText[]
  } | null
  /** The job that this one retries, where people decided about that, too. */
  readonly former: { readonly jobId: string; readonly isIdentical: boolean; readonly approved: number } | null
}

interface InspectionParts {
  readonly envelopes: Pick<EnvelopeFiles, 'path' | 'stagedPath'>
}

/** Measures what a job waits for; undefined where it never waited. */
export async function inspectApproval(
  { store: { db }, clock }: Pick<Context, 'store' | 'clock'>,
  { envelopes }: InspectionParts,
  jobId: string,
): Promise<ApprovalInspection | undefined> {
  const approval = await findApproval(db, jobId)
  if (!approval) return undefined
  const job = await findJob(db, jobId)
  const isKept = job !== undefined && !['Completed', 'Failed', 'Canceled'].includes(job.status)
  const decisions = await decisionsOf(db, jobId)
  return {
    contentSha256: approval.content_sha256,
    copy: isKept ? await copyOf(envelopes, approval) : { state: 'none', sha256: null },
    signatures: approversSign(approval.rule.signers)
      ? await signaturesOf(envelopes, approval, decisions, { isKept, now: clock() })
      : null,
    former: await formerOf(db, job?.parent_job_id ?? null, approval),
  }
}

async function copyOf(
  envelopes: InspectionParts['envelopes'],
  { job_id, staged_name, content_sha256 }: FrozenApproval,
): Promise<ApprovalInspection['copy']> {
  const measured = await measure(envelopes.stagedPath(job_id, staged_name))
  if ('state' in measured) return { state: measured.state, sha256: null }
  return { state: measured.sha256 === content_sha256 ? 'right' : 'altered', sha256: measured.sha256 }
}

type Measured = { readonly sha256: string } | { readonly state: 'missing' | 'unreadable' }

async function measure(path: string): Promise<Measured> {
  const hash = createHash('sha256')
  try {
    for await (const piece of piecesOf(path)) hash.update(piece)
    return { sha256: hash.digest('hex') }
  } catch (error) {
    return { state: whyNot(error) }
  }
}

function whyNot(error: unknown): 'missing' | 'unreadable' {
  if (errnoOf(error) === undefined) throw error
  return errnoOf(error) === 'ENOENT' ? 'missing' : 'unreadable'
}

async function signaturesOf(
  envelopes: InspectionParts['envelopes'],
  { job_id, envelope_sha256: sha256, content_sha256 }: FrozenApproval,
  decisions: readonly ApprovalDecisionRow[],
  { isKept, now }: { readonly isKept: boolean; readonly now: Date },
): Promise<ApprovalInspection['signatures']> {
  const approvals = decisions.filter(({ decision }) => decision === 'approved')
  const signers = approvals.map(({ name, certificate }) => ({ approverName: name, thumbprintSha256: of(certificate) }))
  const told = (state: Kept, missing: readonly string[] = [], problems: readonly ProblemText[] = []) => ({
    state,
    sha256,
    signers: signers.map((signer) => ({ ...signer, isThere: state === 'right' || isIn(state, signer, missing) })),
    problems,
  })
  if (!isKept || (sha256 === null && signers.length === 0)) return told('none')
  if (sha256 === null) return told('missing')
  const thumbprints = signers.flatMap(({ thumbprintSha256 }) => thumbprintSha256 ?? [])
  try {
    const asked = { thumbprints, contentSha256: content_sha256 ?? '', now }
    const { missing, problems } = await signerSetProblems(piecesOf(envelopes.path(job_id, sha256)), asked)
    const isRight = missing.length + problems.length === 0 && thumbprints.length === signers.length
    return told(isRight ? 'right' : 'altered', missing, problems)
  } catch (error) {
    return told(whyNot(error))
  }
}

const isIn = (state: Kept, { thumbprintSha256 }: Pick<Signer, 'thumbprintSha256'>, missing: readonly string[]) =>
  state === 'altered' && thumbprintSha256 !== null && !missing.includes(thumbprintSha256)

const of = (certificate: string | null): string | null =>
  certificate === null ? null : (JSON.parse(certificate) as ApproverCertificate).thumbprintSha256

/** Former approvals are context: nothing of them counts for the new job. */
async function formerOf(
  db: Context['store']['db'],
  parentId: string | null,
  { content_sha256 }: FrozenApproval,
): Promise<ApprovalInspection['former']> {
  const former = parentId === null ? undefined : await findApproval(db, parentId)
  if (!former) return null
  const decisions = await decisionsOf(db, former.job_id)
  return {
    jobId: former.job_id,
    isIdentical: former.content_sha256 !== null && former.content_sha256 === content_sha256,
    approved: decisions.filter(({ decision }) => decision === 'approved').length,
  }
}
