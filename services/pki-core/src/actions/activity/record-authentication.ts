import { newRowId, writeAlone } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import { maskedIdentifier } from '../../rules/masked-identifier.ts'
import type { Caller } from '../../rules/rights.ts'
import { insertAuthenticationEntry } from '../../store/activity.ts'
import type { AuthenticationEntryRow } from '../../store/tables.ts'
import type { Judged } from '../authentication/judge-proof.ts'

/** Who authenticated, and how. */
export interface Authenticated {
  readonly caller: Caller
  readonly generation: AuthenticationEntryRow['generation']
  readonly contextId: string
  readonly judged: Judged
}

/** That somebody authenticated, or failed to; what failed early names nobody. */
export const authenticationEntry = (
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

/** Writes it down. */
export const recordAuthentication = (
  { store }: Pick<Context, 'store'>,
  authenticated: Authenticated,
  now: Date,
): Promise<void> => writeAlone(store, (db) => insertAuthenticationEntry(db, authenticationEntry(authenticated, now)))
