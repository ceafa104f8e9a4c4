import { type Composition, layout, type Mailer } from '@chancela/outbox/mail'
import type { InterfaceLanguage } from '@chancela/service-kernel/i18n'
import type { Db } from '@chancela/service-kernel/store'
import type { Tables } from '../../store/tables.ts'

export interface NoticeSettings {
  readonly Recipients: readonly string[]
  readonly Language: InterfaceLanguage
}

/** Writes a notice to everybody who is told, in the transaction of what it tells of. */
export async function mailNotice(
  mailer: Pick<Mailer, 'enqueue'>,
  tx: Db<Tables>,
  { Recipients, Language }: NoticeSettings,
  notice: { readonly kind: string; readonly content: Composition; readonly now: Date },
): Promise<void> {
  const content = layout(notice.content, Language)
  const mails = Recipients.map((address) => ({ kind: notice.kind, to: { address }, ...content }))
  await mailer.enqueue(tx, mails, notice.now)
}
