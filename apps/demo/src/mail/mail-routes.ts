import { type App, route, serve } from '@chancela/service-kernel/http'
import type { Language } from '@chancela/service-kernel/i18n'
import type { ReceivedMail } from '@chancela/testkit/mail'
import { Type } from 'typebox'
import { type demoErrors, refuse } from '../problems.ts'
import { listPage, MAIL_POLICY, mailDocument, mailPage, STYLE } from './mail-page.ts'
import type { Mailbox } from './mailbox.ts'

const MailView = Type.Object(
  {
    number: Type.Integer({ description: 'Counts up in the order mails arrived.' }),
    messageId: Type.String(),
    date: Type.String(),
    from: Type.String(),
    to: Type.Array(Type.String()),
    subject: Type.String(),
    text: Type.String(),
    html: Type.String(),
  },
  { $id: 'DemoMail' },
)

const listMails = route({
  method: 'GET',
  path: '/api/mail',
  summary: 'Every e-mail the suite has sent, the newest first.',
  access: 'anonymous',
  answer: Type.Array(MailView),
})

const shown = {
  method: 'GET',
  access: 'anonymous',
  hidden: true,
  page: true,
  produces: 'text/html; charset=utf-8',
} as const
const params = Type.Object({ number: Type.Integer({ minimum: 1 }) })
const refusals = ['mail.not-found'] as const

const showList = route({ ...shown, path: '/mail', summary: 'The inbox.' })
const showMail = route({ ...shown, path: '/mail/{number}', summary: 'One mail.', params, refusals })
const showHtml = route({ ...shown, path: '/mail/{number}/html', summary: 'Its HTML.', params, refusals })
const showStyle = route({
  ...shown,
  path: '/mail/style.css',
  summary: 'The look.',
  produces: 'text/css; charset=utf-8',
})

/** Shows the mailbox on the home page's app. */
export function serveMailbox(app: App<keyof typeof demoErrors>, mailbox: Mailbox): void {
  const found = (number: number): ReceivedMail => {
    const mail = mailbox.find(number)
    if (!mail) throw refuse('mail.not-found', { number })
    return mail
  }
  serve(app, listMails, () => mailbox.mails().map(mailView))
  serve(app, showList, ({ locale }) => listPage(mailbox.mails(), locale as Language))
  serve(app, showMail, ({ params, locale }) => mailPage(found(params.number), locale as Language))
  serve(app, showHtml, ({ params, reply }) => {
    reply.headers({ 'content-security-policy': MAIL_POLICY, 'x-frame-options': 'SAMEORIGIN' })
    return mailDocument(found(params.number))
  })
  serve(app, showStyle, () => STYLE)
}

const mailView = ({ number, messageId, date, from, to, subject, text, html }: ReceivedMail) => ({
  number,
  messageId,
  date: date.toISOString(),
  from: from.address,
  to: to.map(({ address }) => address),
  subject,
  text,
  html,
})
