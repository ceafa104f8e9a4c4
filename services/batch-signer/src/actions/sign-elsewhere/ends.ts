import type { SigningOutcome, SigningWay } from '../../contract/portal-signing.ts'
import type { SignatureOutcome } from '../../parts/approvals/signature-outcomes.ts'
import type { ApproverCertificate } from '../../rules/frozen-approval.ts'
import { endSigning, filesOf } from '../../store/approver-signings.ts'
import type { ApproverSigningRow } from '../../store/tables.ts'
import type { Elsewhere } from './begin-signing.ts'

/** A token is the holder's own, at a computer: to whoever counts it is as if the browser had it. */
const means: Readonly<Record<SigningWay, ApproverCertificate['means']>> = { cloud: 'cloud', token: 'browser' }

const failed: Readonly<Record<SigningWay, SignatureOutcome>> = { cloud: 'provider-failed', token: 'browser-failed' }

/** Ends that the holder chose; those that nobody brought about are not counted. */
const chosen: ReadonlySet<SigningOutcome> = new Set(['denied', 'declined', 'canceled'])
const uncounted: ReadonlySet<SigningOutcome> = new Set(['done', 'changed'])

/**
 * Writes how a request ended, and counts the files that were to be signed in vain. What is `done` is ended by whoever
 * put its signatures in, which may be another, later.
 */
export async function endedAs(
  { context: { store }, signatures }: Elsewhere,
  { id, way }: ApproverSigningRow,
  outcome: SigningOutcome,
): Promise<void> {
  const files = await filesOf(store.db, id)
  const isKept = files.some(({ signature, result }) => signature !== null && result === null)
  if (isKept || !(await endSigning(store, id, outcome)) || uncounted.has(outcome)) return
  for (const { result } of files)
    if (result === null) signatures.count(chosen.has(outcome) ? 'abandoned' : failed[way], means[way])
}
