import { isEmailAddress } from '@chancela/service-kernel/config'
import type { Secrets } from '@chancela/service-kernel/secrets'
import type { Db } from '@chancela/service-kernel/store'
import { enqueueJobs } from '../queue/index.ts'
import { contentContext, MAIL_QUEUE, type Mail, type MailContent, type MailJob, mailTables } from './mail.ts'

/**
 * Writes mails to the outbox in the transaction of the change they report, so that both happen or neither. Their
 * content is sealed, because it holds codes and links that act for a person.
 */
export async function enqueueMails<Tables>(
  db: Db<Tables>,
  secrets: Secrets,
  mails: readonly Mail[],
  now: Date,
): Promise<void> {
  for (const { to } of mails) if (!isEmailAddress(to.address)) throw new TypeError('A mail needs an e-mail address.')
  const jobs = mails.map((mail) => ({ payload: jobOf(mail) }))
  const ids = await enqueueJobs(db, MAIL_QUEUE, jobs, now)
  const rows = mails.map((mail, at) => rowOf(ids[at]!, mail, secrets))
  for (const some of chunks(rows)) await mailTables(db).insertInto('mail').values(some).execute()
}

const jobOf = ({ kind, to, deliverBy, about }: Mail): MailJob => ({
  kind,
  to: to.address,
  ...(deliverBy && { deliverBy: deliverBy.toISOString() }),
  ...(about !== undefined && { about }),
})

function rowOf(id: string, { to, subject, text, html }: Mail, secrets: Secrets) {
  const content: MailContent = { to, subject, text, html }
  return { id, sealed_content: secrets.seal(JSON.stringify(content), contentContext(id)) }
}

/** Rows per statement: databases limit the number of values. */
const ROWS_AT_ONCE = 500

function* chunks<T>(rows: readonly T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) yield rows.slice(from, from + ROWS_AT_ONCE)
}
