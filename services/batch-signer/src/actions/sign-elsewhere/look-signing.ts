// A page looks how far the signatures are. The look that finds that the holder of a token has approved has it sign.
import { MINUTE, plus, SECOND } from '@chancela/service-kernel/clock'
import { type Approval, endOf, LinkProblem } from '@chancela/service-links'
import type { SigningOutcome, SigningView } from '../../contract/portal-signing.ts'
import { orUnavailable } from '../../parts/approvals/signing-links.ts'
import { approverKey } from '../../rules/approval-rule.ts'
import type { ReportLocale } from '../../rules/cnab240/entry-codes.ts'
import { refuse } from '../../rules/refuse.ts'
import { type Sentence, toldIn } from '../../rules/sentences.ts'
import { type FileResult, filesOf, findSigning, takeSigning } from '../../store/approver-signings.ts'
import type { ApproverSigningFileRow, ApproverSigningRow } from '../../store/tables.ts'
import type { Elsewhere } from './begin-signing.ts'
import { withdraw } from './begin-token.ts'
import { endedAs } from './ends.ts'
import { signAll } from './sign-all.ts'

interface Looking {
  readonly id: string
  readonly email: string
}

/** The person's own; of those of others nobody learns. */
async function required({ context }: Elsewhere, { id, email }: Looking): Promise<ApproverSigningRow> {
  const row = await findSigning(context.store.db, id)
  if (row?.approver_key !== approverKey(email)) throw refuse('approval.signing-not-found', { id })
  return row
}

export async function look(
  given: Elsewhere,
  looking: Looking,
  { now, locale }: { readonly now: Date; readonly locale: ReportLocale },
): Promise<SigningView> {
  const row = await required(given, looking)
  if (row.way === 'token' && row.outcome === null && row.taken_at === null) await lookToken(given, row, now)
  const { db } = given.context.store
  const current = (await findSigning(db, row.id)) ?? row
  return {
    id: row.id,
    way: row.way,
    ...progressOf(current, now),
    expiresAt: row.expires_at,
    files: (await filesOf(db, row.id)).map((file) => fileView(file, locale)),
  }
}

export async function cancel(given: Elsewhere, looking: Looking): Promise<void> {
  await withdraw(given, await required(given, looking))
}

/** What is kept goes on until it is recorded; whoever was killed before that has signed nothing. */
function progressOf(
  { outcome, taken_at, kept_at, busy_until, expires_at }: ApproverSigningRow,
  now: Date,
): Pick<SigningView, 'state' | 'outcome'> {
  const at = now.toISOString()
  if (outcome !== null) return { state: 'ended', outcome }
  if (taken_at === null) return expires_at > at ? { state: 'waiting', outcome } : { state: 'ended', outcome: 'expired' }
  return kept_at !== null || busy_until! > at
    ? { state: 'signing', outcome }
    : { state: 'ended', outcome: 'interrupted' }
}

function fileView({ job_id, file_name, result: stored }: ApproverSigningFileRow, locale: ReportLocale) {
  const result = stored === null ? null : (JSON.parse(stored) as FileResult)
  return {
    jobId: job_id,
    fileName: file_name,
    ok: result?.ok ?? null,
    code: result?.code ?? null,
    message: result?.text != null ? toldIn(locale, result.text, result.told as readonly Sentence[]) : null,
    released: result?.released ?? false,
  }
}

async function lookToken(given: Elsewhere, row: ApproverSigningRow, now: Date): Promise<void> {
  const { store, settings } = given.context
  const approval = await orUnavailable(given, 'server', (server) => server.readOrExpired(row.reference))
  const end = endOf(approval)
  if (end) return endedAs(given, row, end)
  const busyUntil = plus(now, settings.SessionServer.TimeoutSeconds * SECOND + MINUTE)
  // Of two looks one signs.
  if (approval.state === 'READY' && (await takeSigning(store, row.id, { now, busyUntil })))
    await endedAs(given, row, await signed(given, row, approval))
}

async function signed(
  given: Elsewhere,
  row: ApproverSigningRow,
  { certificate }: Pick<Approval, 'certificate'>,
): Promise<SigningOutcome> {
  const server = given.links.server!
  const sign = (hashes: readonly string[], digestAlgorithm: 'SHA-256' | 'SHA-512') =>
    server.sign(row.reference, { hashes: hashes.map((hash) => ({ hash, digestAlgorithm })) })
  const key = {
    certificate: Buffer.from(certificate!, 'base64'),
    means: 'browser',
    cloudService: null,
    sign,
    allOrNothing: true,
  } as const
  const outcome = await signAll(given, row, key).catch((error: unknown) => failure(given, row, error))
  // Nothing more is to be signed under the approval; one that has ended already stays as it is.
  await server.cancel(row.reference).catch(() => {})
  return outcome
}

/** Where the approval ended between two calls, the session server knows why. */
async function failure(
  { context: { logger }, links }: Elsewhere,
  { id, reference }: ApproverSigningRow,
  error: unknown,
): Promise<SigningOutcome> {
  const approval =
    error instanceof LinkProblem && error.code === 'APPROVAL_OVER'
      ? await links.server!.readOrExpired(reference).catch(() => undefined)
      : undefined
  const end = approval && endOf(approval)
  if (end) return end
  logger.error({ err: error, signing: id }, 'a token did not sign')
  return error instanceof LinkProblem ? 'unavailable' : 'failed'
}
