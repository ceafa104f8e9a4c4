import { newRowId } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import { maskedIdentifier } from '../../rules/masked-identifier.ts'
import type { Caller } from '../../rules/rights.ts'
import { insertAuthenticationEntry } from '../../store/activity.ts'
import type { AuthenticationEntryRow, UsedNonceRow } from '../../store/tables.ts'
import type { Judged } from '../authentication/judge-proof.ts'
import { newlyMet } from '../certificates/remember-certificate.ts'

/** Who authenticated, and how. */
interface Authenticated {
  readonly caller: Caller
  readonly generation: AuthenticationEntryRow['generation']
  readonly contextId: string
  readonly judged: Judged
}

/** That somebody authenticated, or failed to; what failed early names nobody. */
const authenticationEntry = (
  { caller, generation, contextId, judged: { certificate, validationResults } }: Authenticated,
  now: Date,
): AuthenticationEntryRow => ({
  id: newRowId(now),
  at: now.toISOString(),
  subscription_id: caller.subscriptionId,
  application_id: caller.applicationId,
  generation,
  context_id: contextId,
  outcome: validationResults.errors[0]?.type ?? 'Success',
  subject: certificate?.subjectDisplayName ?? null,
  identifier: maskedIdentifier(certificate?.subjectIdentifier ?? null),
  thumbprint: certificate?.thumbprintSHA256 ?? null,
})

/**
 * Writes it down, with the certificate where the subscription has not met it lately, and uses the nonce up: all of it or
 * nothing. False when the nonce was used before.
 */
export async function recordAuthentication(
  { store }: Pick<Context, 'store'>,
  authenticated: Authenticated,
  now: Date,
  nonce?: UsedNonceRow,
): Promise<boolean> {
  const [own, ...issuers] = authenticated.judged.path
  const certificate = own && (await newlyMet(store.db, authenticated.caller.subscriptionId, own, issuers, now))
  return insertAuthenticationEntry(store, { entry: authenticationEntry(authenticated, now), nonce, certificate })
}
