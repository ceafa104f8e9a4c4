import { newRowId, writeAlone } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import { maskedIdentifier } from '../../rules/masked-identifier.ts'
import type { Caller } from '../../rules/rights.ts'
import { insertAuthenticationEntry } from '../../store/activity.ts'
import type { AuthenticationEntryRow } from '../../store/tables.ts'
import type { Judged } from '../authentication/judge-proof.ts'

/** Writes down that somebody authenticated, or failed to; what failed early names nobody. */
export const recordAuthentication = (
  { store }: Pick<Context, 'store'>,
  { subscriptionId, applicationId }: Caller,
  { generation, contextId }: { readonly generation: AuthenticationEntryRow['generation']; readonly contextId: string },
  { certificate, validationResults }: Judged,
  now: Date,
): Promise<void> => {
  const row: AuthenticationEntryRow = {
    id: newRowId(now),
    at: now.toISOString(),
    subscription_id: subscriptionId,
    application_id: applicationId,
    generation,
    context_id: contextId,
    outcome: validationResults.errors[0]?.type ?? 'Success',
    subject: certificate?.subjectDisplayName ?? null,
    identifier: maskedIdentifier(certificate?.subjectIdentifier ?? null),
    thumbprint: certificate?.thumbprintSHA256 ?? null,
  }
  return writeAlone(store, (db) => insertAuthenticationEntry(db, row))
}
