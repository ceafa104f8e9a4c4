// Outgoing mail: an outbox written with the change it tells of, and a mailer that empties it.
//
//   const mailer = createMailer({ ...context, settings: settings.Email, metrics })
//   mailer.start()
//   await store.transaction(async (tx) => { …change…; await mailer.enqueue(tx, [{ kind, to, subject, text, html }], now) })
export { type Mail, type MailTables, sealedMails } from './mail.ts'
export { type Block, type Composition, layout, type MailText } from './mail-layout.ts'
export { type MailMetrics, mailMetricTable } from './mail-metrics.ts'
export { type MailSettings, mailRules, mailSettings } from './mail-settings.ts'
export { createMailer, type Mailer, type MailerOptions } from './mailer.ts'
export { mailMigrations } from './migrations.ts'
export { watchMailServer } from './watch-mail-server.ts'
