// Records the approvals whose signatures are kept: once, whoever does it, and as often as it takes.
import { Refusal } from '@chancela/service-kernel/errors'
import type { ApproverCertificate } from '../../rules/frozen-approval.ts'
import { decisionsOf } from '../../store/approvals.ts'
import { endFile, endSigning, type FileResult, filesOf } from '../../store/approver-signings.ts'
import type { ApproverSigningFileRow, ApproverSigningRow } from '../../store/tables.ts'
import { type Approved, approvingMember, decide } from '../decide.ts'
import type { Elsewhere } from './begin-signing.ts'
import { approvedResult, isFinal, resultOfRefusal } from './results.ts'

/** A file that fails in passing is left for the next time, and the request with it; the others go on. */
export async function putIn(given: Elsewhere, signing: ApproverSigningRow): Promise<void> {
  const { store } = given.context
  const kept = (await filesOf(store.db, signing.id)).filter(({ signature, result }) => signature && result === null)
  let left = 0
  for (const [at, file] of kept.entries()) left += (await putInOne(given, signing, file, at > 0)) ? 0 : 1
  if (left === 0) await endSigning(store, signing.id, 'done')
}

async function putInOne(
  given: Elsewhere,
  signing: ApproverSigningRow,
  file: ApproverSigningFileRow,
  judgedBefore: boolean,
): Promise<boolean> {
  const { store, logger } = given.context
  try {
    await endFile(store, file, await resultOf(given, signing, file, judgedBefore))
    return true
  } catch (error) {
    logger.error({ err: error, job: file.job_id }, 'the signature of an approver is kept and could not be recorded now')
    return false
  }
}

async function resultOf(
  given: Elsewhere,
  signing: ApproverSigningRow,
  file: ApproverSigningFileRow,
  judgedBefore: boolean,
): Promise<FileResult> {
  try {
    return approvedResult((await approved(given, signing, file, judgedBefore)).released)
  } catch (error) {
    if (!isFinal(error)) throw error
    if (error instanceof Refusal && (await wasRecorded(given, signing, file))) return approvedResult(false)
    return resultOfRefusal(error)
  }
}

async function approved(
  { context, signatures, decisions }: Elsewhere,
  signing: ApproverSigningRow,
  { job_id: jobId, token, signature }: ApproverSigningFileRow,
  judgedBefore: boolean,
): Promise<Approved> {
  const { approver_key: email, method, ip_address: ipAddress, user_agent: userAgent, reason } = signing
  const now = context.clock()
  const approver = await approvingMember(context, { jobId, email, now })
  const asked = {
    jobId,
    approver,
    token: token!,
    signature: Buffer.from(signature!, 'base64'),
    madeAt: new Date(signing.kept_at!),
    judgedBefore,
  }
  const identified = { email, method, ipAddress, userAgent }
  return signatures.complete(asked, async (signed) => {
    const request = { jobId, approver: identified, decision: 'approved', reason, signature: signed }
    return (await decide(context, decisions, request, context.clock())) as Approved
  })
}

/** Whether the same signature was recorded by somebody who was killed before they could tell. */
async function wasRecorded(
  { context }: Elsewhere,
  { approver_key, thumbprint }: ApproverSigningRow,
  { job_id }: ApproverSigningFileRow,
): Promise<boolean> {
  const own = (await decisionsOf(context.store.db, job_id)).find((decision) => decision.approver_key === approver_key)
  if (!own?.certificate) return false
  return (JSON.parse(own.certificate) as ApproverCertificate).thumbprintSha256 === thumbprint
}
