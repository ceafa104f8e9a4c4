import { isEmailAddress } from '@chancela/service-kernel/config'
import type { Context } from '../../context.ts'
import { refuse } from '../../rules/refuse.ts'
import type { DocumentRow } from '../../store/tables.ts'

/** Addresses notified of a document's conclusion, deduplicated and in lower case. */
export function notifiedEmails(given: readonly string[]): readonly string[] {
  const emails = [...new Set(given.map((email) => email.trim().toLowerCase()))]
  const wrong = emails.findIndex((email) => !isEmailAddress(email))
  if (wrong >= 0) throw refuse('InvalidRequest', { [`emails[${wrong}]`]: 'is no e-mail address' })
  return emails
}

export async function setNotified(
  { store }: Pick<Context, 'store'>,
  { id }: DocumentRow,
  emails: readonly string[],
  now: Date,
): Promise<void> {
  await store.db
    .updateTable('document')
    .set({ notified_emails: JSON.stringify(notifiedEmails(emails)), updated_at: now.toISOString() })
    .where('id', '=', id)
    .execute()
}
