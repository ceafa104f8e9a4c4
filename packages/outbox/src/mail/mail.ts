import { sealedTable } from '@chancela/service-kernel/secrets'
import { tablesOf } from '@chancela/service-kernel/store'

/** A mail to one person, ready to be sent. */
export interface Mail {
  /** What it is about, for the log: `authentication-code`. */
  readonly kind: string
  readonly to: { readonly address: string; readonly name?: string }
  readonly subject: string
  /** The whole message as plain text, and the same as HTML. */
  readonly text: string
  readonly html: string
  /** It is not sent after this time: an expired code is useless. */
  readonly deliverBy?: Date
  /** What `MailerOptions.isMoot` is asked about before each attempt; stored as it is. */
  readonly about?: string
}

/** The job queue of the mails. */
export const MAIL_QUEUE = 'mail'

/** The payload of a mail's job, which is not sealed. */
export interface MailJob {
  readonly kind: string
  readonly to: string
  readonly deliverBy?: string
  readonly about?: string
}

/** One row of `mail`: the content of a mail, under the id of its job, until the job has ended. */
interface MailRow {
  id: string
  sealed_content: string
}

/** The sealed part: everything a reader of the mail sees. */
export type MailContent = Pick<Mail, 'to' | 'subject' | 'text' | 'html'>

export interface MailTables {
  mail: MailRow
}

/** The same database, typed with the mails' table only: a service need not list it among its own. */
export const mailTables = tablesOf<MailTables>()

/** The seal context of a content. */
export const contentContext = (id: string): string => `mail/${id}/content`

/** For the sealed tables of a service, so that a rotation of the master key includes waiting mails. */
export const sealedMails = sealedTable<MailRow>({
  table: 'mail',
  idColumn: 'id',
  columns: ['sealed_content'],
  context: ({ id }) => contentContext(id),
})
