import type { Db } from '@chancela/service-kernel/store'
import type { Kysely } from 'kysely'
import type { Context } from '../context.ts'
import type { BatchMetrics } from '../metrics.ts'
import type { ApproverSignature } from '../parts/approvals/approver-signatures.ts'
import type { Destinations } from '../parts/destinations.ts'
import type { LiveTopics } from '../parts/live-topics.ts'
import type { ProfileDirectory } from '../parts/signing/signing.ts'
import type { Actor } from '../rules/actor.ts'
import { type Approver, approverKey, approversSign } from '../rules/approval-rule.ts'
import {
  type Decision,
  decisions,
  type IdentifiedApprover,
  memberOf,
  type Tally,
  tallyOf,
} from '../rules/frozen-approval.ts'
import { rejectName } from '../rules/output-name.ts'
import { reasonOf } from '../rules/pause.ts'
import { refuse } from '../rules/refuse.ts'
import { type Said, said, telling, together } from '../rules/sentences.ts'
import { ShownRefusal } from '../rules/shown-refusal.ts'
import type { ApprovalMoves } from '../store/approval-moves.ts'
import {
  type DecidableJob,
  decisionsOf,
  type FrozenApproval,
  findApproval,
  findDecidable,
  insertDecision,
  lockJob,
  nameEnvelope,
} from '../store/approvals.ts'
import type { Tables } from '../store/tables.ts'

export interface DecisionRequest {
  readonly jobId: string
  readonly approver: IdentifiedApprover
  /** As it was sent; `approved` when nothing was. */
  readonly decision: string | undefined
  readonly reason: string | null | undefined
  /** Of an approval by signature: durable, and in force once it is recorded. */
  readonly signature?: ApproverSignature
}

export interface Approved {
  readonly jobId: string
  readonly approverName: string
  readonly approved: number
  readonly required: number
  readonly outstanding: number
  readonly quorumMet: boolean
  readonly released: boolean
}

export interface Rejected {
  readonly jobId: string
  readonly approverName: string
  readonly reason: string | null
  /** False when a worker had the job already: it then fails before the key. */
  readonly terminated: boolean
}

export interface DecisionParts {
  readonly profiles: Pick<ProfileDirectory, 'encryption'>
  readonly destinations: Destinations
  readonly live: Pick<LiveTopics, 'announce'>
  readonly metrics: Pick<
    BatchMetrics,
    'bulk_approvals_recorded_total' | 'bulk_approvals_rejected_total' | 'bulk_jobs_released_by_approval_total'
  >
}

/** A decision that the rule admits, inside its transaction. */
interface Deciding {
  readonly tx: Kysely<Tables>
  readonly moves: ApprovalMoves
  readonly at: string
  readonly job: DecidableJob
  readonly approval: FrozenApproval
  readonly name: string
  readonly email: string
  readonly reason: string | null
}

/**
 * Records what one approver decided, and moves the job where that is enough: decision, move, history and event are one
 * transaction. Refusals in the order of the specification's table; nothing is recorded by any of them.
 */
export async function decide(
  context: Context,
  parts: DecisionParts,
  request: DecisionRequest,
  now: Date,
): Promise<Approved | Rejected> {
  const reason = reasonOf(request.reason) ?? null
  const outcome = await context.ledger.deciding(async (tx, moves) => {
    const { decision, ...deciding } = await admitted(tx, moves, request, { now, reason })
    return decision === 'approved' ? approve(context, deciding, request) : reject(context, parts, deciding, request)
  })
  count(parts.metrics, outcome)
  // A decision below the quorum moves no job: the ledger has nothing to tell of.
  parts.live.announce('jobs')
  return outcome.answer
}

async function admitted(
  tx: Kysely<Tables>,
  moves: ApprovalMoves,
  { jobId, approver, decision: sent = 'approved', signature }: DecisionRequest,
  { now, reason }: { readonly now: Date; readonly reason: string | null },
): Promise<Deciding & { readonly decision: Decision }> {
  const job = await lockJob(tx, jobId)
  const { approval, decision, member } = await requireOpen(tx, job, { jobId, email: approver.email, sent, now })
  const mustSign = decision === 'approved' && approversSign(approval.rule.signers)
  if (mustSign && !signature) throw refuse('approval.signature-required', { jobId })
  const { name, email } = member
  return { tx, moves, at: now.toISOString(), job: job!, approval, name, email, reason, decision }
}

/** The member of the pool who may approve the job now, before they make a signature. Refuses as `decide` does. */
export async function approvingMember(
  { store: { db } }: Pick<Context, 'store'>,
  { jobId, email, now }: { readonly jobId: string; readonly email: string; readonly now: Date },
): Promise<Approver> {
  const { member } = await requireOpen(db, await findDecidable(db, jobId), { jobId, email, sent: 'approved', now })
  return member
}

interface Asked {
  readonly jobId: string
  readonly email: string
  readonly sent: string
  readonly now: Date
}

/** Whose decision it would be, and about what: refused in the order of the specification. */
async function requireOpen(db: Db<Tables>, job: DecidableJob | undefined, { jobId, email, sent, now }: Asked) {
  if (!job) throw refuse('job.not-found', { jobId })
  const approval = await findApproval(db, jobId)
  const decision = decisions.find((known) => known === sent.toLowerCase())
  refuseNotPending(job, approval, decision, now)
  const member = memberOf(approval!.rule, email)
  if (!member) throw refuse('approval.unknown-approver', { jobId })
  if (!decision) throw refuse('approval.unknown-decision', { jobId, decision: sent.slice(0, 64) })
  const before = await decisionsOf(db, jobId)
  const key = approverKey(member.email)
  if (before.some(({ approver_key }) => approver_key === key)) throw refuse('approval.already-decided', { jobId })
  return { approval: approval!, decision, member }
}

/** A parked job without rule or hash cannot be decided about; any other job that does not wait accepts nothing. */
function refuseNotPending(
  job: DecidableJob,
  approval: FrozenApproval | undefined,
  decision: Decision | undefined,
  now: Date,
): void {
  const isParked = job.status === 'AwaitingApproval'
  if (isParked && !approval?.content_sha256) throw refuse('approval.job-incomplete', { jobId: job.id })
  const isOver = approval?.expires_at != null && approval.expires_at <= now.toISOString()
  const isOpen = approval && (isParked ? !isOver : decision === 'rejected' && mayStillReject(job))
  if (!isOpen) throw refuse('approval.not-pending', { jobId: job.id, status: job.status })
}

/** A released job can be rejected until the key is used for it. */
const mayStillReject = ({ status, released_at, vetoed_at, reached_key_at }: DecidableJob): boolean =>
  released_at !== null &&
  vetoed_at === null &&
  (status === 'Queued' || (status === 'Processing' && reached_key_at === null))

type Outcome =
  | { readonly kind: 'approved'; readonly profile: string; readonly answer: Approved }
  | { readonly kind: 'rejected'; readonly profile: string; readonly answer: Rejected }

async function approve(context: Context, deciding: Deciding, request: DecisionRequest): Promise<Outcome> {
  const { tx, moves, at, job, approval, name, email } = deciding
  const { signature } = request
  if (
    signature &&
    !(await nameEnvelope(tx, job.id, { before: signature.envelopeBefore, after: signature.envelopeAfter }))
  )
    throw new ShownRefusal('approval.signature-conflict')
  await insert(deciding, request, 'approved')
  const tally = tallyOf(approval.rule, await decisionsOf(tx, job.id))
  const facts = { name, email, approved: tally.approved, required: tally.required }
  const released = tally.quorumReached && (await moves.release(job.id, at, said('released', facts)))
  if (!released) moves.line(job.id, at, said('approved-by', facts))
  const what = said('approval-recorded', { ...facts, file: job.file_name })
  await record(context, deciding, { type: 'ApprovalRecorded', actor: deciderOf(request, email), what })
  return { kind: 'approved', profile: job.profile_name, answer: approvedAnswer(deciding, tally, released) }
}

const approvedAnswer = ({ job, name }: Deciding, tally: Tally, released: boolean): Approved => ({
  jobId: job.id,
  approverName: name,
  approved: tally.approved,
  required: tally.required,
  outstanding: tally.outstanding,
  quorumMet: tally.quorumReached,
  released,
})

async function reject(
  context: Context,
  parts: DecisionParts,
  deciding: Deciding,
  request: DecisionRequest,
): Promise<Outcome> {
  const { job, name, email, reason } = deciding
  await insert(deciding, request, 'rejected')
  const terminated = await end(parts, deciding)
  const told = said('approval-rejected', { name, file: job.file_name })
  const what = withReason(told, reason)
  await record(context, deciding, { type: 'ApprovalRejected', actor: deciderOf(request, email), what })
  return {
    kind: 'rejected',
    profile: job.profile_name,
    answer: { jobId: job.id, approverName: name, reason, terminated },
  }
}

/** Cancels the job, or leaves the rejection where the worker that has the job finds it. */
async function end({ profiles, destinations }: DecisionParts, deciding: Deciding): Promise<boolean> {
  const { moves, at, job, name, email, reason } = deciding
  const message = withReason(said('rejected-by', { name, email }), reason)
  if (job.status === 'Processing') {
    await moves.veto(job.id, at, message)
    return false
  }
  const encryptionRequested = job.encryption_requested === null ? null : job.encryption_requested === 1
  const encrypted = profiles.encryption({ profileName: job.profile_name, encryptionRequested }) !== undefined
  return moves.reject(job.id, {
    at,
    from: job.status as 'AwaitingApproval' | 'Queued',
    message,
    outputName: rejectName(job.file_name, { encrypted }),
    outputFolder: destinations.of(job.input_folder).folder,
    encrypted,
  })
}

const withReason = (what: Said, reason: string | null): Said =>
  together(what, reason !== null && said('reason-given', { reason }))

async function insert(
  { tx, moves, at, job, approval, name, email, reason }: Deciding,
  { approver, signature }: DecisionRequest,
  decision: Decision,
): Promise<void> {
  const isFirst = await insertDecision(tx, {
    job_id: job.id,
    approver_key: approverKey(email),
    name,
    cpf: memberOf(approval.rule, email)!.cpf,
    decision,
    reason,
    method: approver.method,
    content_sha256: approval.content_sha256!,
    decided_at: at,
    ip_address: approver.ipAddress,
    user_agent: approver.userAgent?.slice(0, 512) ?? null,
    second_factor_at: approver.secondFactorAt?.toISOString() ?? null,
    certificate: signature ? JSON.stringify(signature.certificate) : null,
  })
  if (!isFirst) throw refuse('approval.already-decided', { jobId: job.id })
  moves.decided({ jobId: job.id, at, decision, approverKey: approverKey(email), approverName: name })
}

interface DecisionEvent {
  readonly type: 'ApprovalRecorded' | 'ApprovalRejected'
  readonly actor: Actor
  readonly what: Said
}

const record = ({ events }: Context, { tx, job }: Deciding, { type, actor, what }: DecisionEvent) =>
  events.record(tx, {
    type,
    actor,
    subject: { kind: 'job', id: job.id },
    ...telling(what, { profile: job.profile_name }),
  })

/** Where a signature of elsewhere is recorded later, the address is that of who asked for it. */
const deciderOf = ({ approver: { ipAddress } }: DecisionRequest, name: string): Actor =>
  ipAddress === null ? name : { name, address: ipAddress }

function count(metrics: DecisionParts['metrics'], { kind, profile, answer }: Outcome): void {
  metrics.bulk_approvals_recorded_total.inc({ profile })
  if (kind === 'rejected') metrics.bulk_approvals_rejected_total.inc({ profile })
  else if (answer.released) metrics.bulk_jobs_released_by_approval_total.inc({ profile })
}
