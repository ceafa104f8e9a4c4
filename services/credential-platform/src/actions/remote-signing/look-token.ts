// The look that finds the holder's approval signs.
import { type Approval, endOf, LinkProblem } from '@chancela/service-links'
import type { SigningOutcome } from '../../contract/remote-signing.ts'
import { orUnavailable } from '../../parts/signing/signing-links.ts'
import type { RemoteSigningRow } from '../../store/remote-signing-tables.ts'
import { endSigning, takeSigning } from '../../store/remote-signings.ts'
import type { RemoteDependencies } from './begin-signing.ts'
import { told } from './outcomes.ts'
import { signAll } from './sign-all.ts'

export async function lookToken(given: RemoteDependencies, row: RemoteSigningRow, now: Date): Promise<void> {
  const { db } = given.context.store
  const approval = await orUnavailable(given, 'server', (server) => server.readOrExpired(row.reference))
  const end = endOf(approval)
  if (end) await endSigning(db, row.id, end)
  // Of two looks one signs.
  else if (approval.state === 'READY' && (await takeSigning(db, row.id, now)))
    await endSigning(db, row.id, await signed(given, row, approval, now))
}

async function signed(
  given: RemoteDependencies,
  row: RemoteSigningRow,
  { certificate }: Pick<Approval, 'certificate'>,
  now: Date,
): Promise<SigningOutcome> {
  const server = given.links.server!
  const sign = (hashes: readonly string[]) =>
    server.sign(row.reference, { hashes: hashes.map((hash) => ({ hash, digestAlgorithm: 'SHA-256' as const })) })
  const outcome = await signAll(given, row, { certificate: certificate!, sign, allOrNothing: true }, now).catch(
    (error: unknown) => outcomeThere(given, row, error),
  )
  // Nothing more is to be signed under the approval; one that has ended already stays as it is.
  if (outcome !== 'signed') await server.cancel(row.reference).catch(() => {})
  return outcome
}

/** Where the approval ended between two calls, the session server knows why. */
async function outcomeThere(
  { context, links }: RemoteDependencies,
  row: RemoteSigningRow,
  error: unknown,
): Promise<SigningOutcome> {
  if (!(error instanceof LinkProblem) || error.code !== 'APPROVAL_OVER') return told(context, row, error)
  const approval = await links.server!.readOrExpired(row.reference).catch(() => undefined)
  return (approval && endOf(approval)) ?? 'failed'
}
