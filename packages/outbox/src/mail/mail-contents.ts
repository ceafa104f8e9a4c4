import type { Secrets } from '@chancela/service-kernel/secrets'
import type { Db } from '@chancela/service-kernel/store'
import { contentContext, type MailContent, mailTables } from './mail.ts'

/** The content of a mail; undefined once it has ended. */
export async function readContent<Tables>(
  db: Db<Tables>,
  secrets: Secrets,
  id: string,
): Promise<MailContent | undefined> {
  const row = await mailTables(db).selectFrom('mail').select('sealed_content').where('id', '=', id).executeTakeFirst()
  return row && (JSON.parse(secrets.openText(row.sealed_content, contentContext(id))) as MailContent)
}

/** Deletes the content of a mail. */
export const dropContent = <Tables>(db: Db<Tables>, id: string) =>
  mailTables(db).deleteFrom('mail').where('id', '=', id).execute()
