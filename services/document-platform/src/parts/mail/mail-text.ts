import { type Block, type Composition, layout, type MailText } from '@chancela/outbox/mail'
import { formatDate, type Language } from '@chancela/service-kernel/i18n'
import { type Deadline, languageOf, type MailData, type MailKind, type NotificationLanguage } from './mail-data.ts'
import { mailTexts } from './texts.ts'

/** A mail of the platform, in the language of its reader. */
export function mailText<Kind extends MailKind>(
  kind: Kind,
  data: MailData[Kind],
  notificationLanguage: NotificationLanguage = 'Pt',
): MailText {
  const language = languageOf[notificationLanguage]
  const compose: Compose<Kind> = composers[kind]
  return layout(compose(data, speaker(language)), language)
}

type Compose<Kind extends MailKind> = (data: MailData[Kind], say: Speaker) => Composition

/** What composers use: the texts of one language, and the phrases several mails share. */
interface Speaker {
  readonly text: ReturnType<typeof mailTexts.translator>
  hello(name: string | undefined): Block
  footer(organization?: string): string
  title(documents: readonly string[]): string
  day(deadline: Deadline): string
}

function speaker(language: Language): Speaker {
  const text = mailTexts.translator(language)
  return {
    text,
    hello: (name) => paragraph(name === undefined ? text('hello.nobody') : text('hello', { name })),
    footer: (organization) => (organization === undefined ? text('footer.nobody') : text('footer', { organization })),
    title: ([first = '', ...more]) =>
      more.length === 0 ? first : text('documents.more', { first, count: more.length }),
    day: ({ at, timeZone }) => formatDate(at, language, timeZone, 'long-date'),
  }
}

const composers: { readonly [Kind in MailKind]: Compose<Kind> } = {
  'pending-action': actionRequest('pending-action'),
  reminder: actionRequest('reminder'),
  'authentication-code': ({ name, organization, documents, code, validMinutes }, say) => ({
    // Without the code: subjects are shown on locked screens and kept in the logs of mail servers.
    subject: say.text('authentication-code.subject', { title: say.title(documents) }),
    blocks: [
      say.hello(name),
      paragraph(say.text('authentication-code.intro')),
      { kind: 'code', code },
      facts([say.text('label.organization'), organization], documentsFact(say, documents)),
      paragraph(say.text('authentication-code.validity', { count: validMinutes })),
      note(say.text('authentication-code.warning')),
    ],
    footer: say.footer(organization),
  }),
  refused: ({ name, organization, documents, refusedBy, reason, documentUrl }, say) => ({
    subject: say.text('refused.subject', { title: say.title(documents) }),
    blocks: [
      say.hello(name),
      paragraph(say.text('refused.intro', { refusedBy })),
      facts(
        [say.text('label.organization'), organization],
        documentsFact(say, documents),
        [say.text('label.refused-by'), refusedBy],
        [say.text('label.reason'), reason],
      ),
      ...buttonTo(say, 'open.document', documentUrl),
    ],
    footer: say.footer(organization),
  }),
  concluded: ({ name, organization, documents, key, validationUrl, downloadUrl }, say) => ({
    subject: say.text('concluded.subject', { title: say.title(documents) }),
    blocks: [
      say.hello(name),
      paragraph(say.text('concluded.intro')),
      facts([say.text('label.organization'), organization], documentsFact(say, documents), [
        say.text('label.key'),
        key,
      ]),
      ...(downloadUrl === undefined
        ? buttonTo(say, 'open.validation', validationUrl)
        : [
            ...buttonTo(say, 'open.download', downloadUrl),
            note(say.text('concluded.validation', { url: validationUrl })),
          ]),
    ],
    footer: say.footer(organization),
  }),
  canceled: ({ name, organization, documents, canceledBy, reason }, say) => ({
    subject: say.text('canceled.subject', { title: say.title(documents) }),
    blocks: [
      say.hello(name),
      paragraph(say.text('canceled.intro', { canceledBy })),
      facts(
        [say.text('label.organization'), organization],
        documentsFact(say, documents),
        [say.text('label.canceled-by'), canceledBy],
        [say.text('label.reason'), reason],
      ),
    ],
    footer: say.footer(organization),
  }),
  expired: ({ name, organization, documents, deadline, documentUrl }, say) => ({
    subject: say.text('expired.subject', { title: say.title(documents) }),
    blocks: [
      say.hello(name),
      paragraph(say.text('expired.intro')),
      facts([say.text('label.organization'), organization], documentsFact(say, documents), [
        say.text('label.deadline'),
        say.day(deadline),
      ]),
      ...buttonTo(say, 'open.document', documentUrl),
    ],
    footer: say.footer(organization),
  }),
  invitation: ({ name, organization, invitationUrl, validHours }, say) => ({
    subject: say.text('invitation.subject', { organization }),
    blocks: [
      say.hello(name),
      paragraph(say.text('invitation.intro', { organization })),
      ...buttonTo(say, 'open.invitation', invitationUrl),
      paragraph(say.text('invitation.validity', { count: validHours })),
      note(say.text('link.personal')),
    ],
    footer: say.footer(organization),
  }),
  'password-reset': ({ name, resetUrl, validMinutes }, say) => ({
    subject: say.text('password-reset.subject'),
    blocks: [
      say.hello(name),
      paragraph(say.text('password-reset.intro')),
      ...buttonTo(say, 'open.password-reset', resetUrl),
      paragraph(say.text('password-reset.validity', { count: validMinutes })),
      note(say.text('password-reset.warning')),
    ],
    footer: say.footer(),
  }),
  'webhook-disabled': ({ name, organization, endpointUrl, reason, settingsUrl }, say) => ({
    subject: say.text('webhook-disabled.subject', { endpoint: endpointUrl }),
    blocks: [
      say.hello(name),
      paragraph(say.text('webhook-disabled.intro')),
      facts(
        [say.text('label.organization'), organization],
        [say.text('label.endpoint'), endpointUrl],
        [say.text('label.reason'), reason],
      ),
      ...buttonTo(say, 'open.webhooks', settingsUrl),
    ],
    footer: say.footer(organization),
  }),
  'pending-summary': ({ name, pending }, say) => ({
    subject: say.text('pending-summary.subject', { count: pending.length }),
    blocks: [
      say.hello(name),
      paragraph(say.text('pending-summary.intro')),
      ...pending.map((item) => pendingLink(item, say)),
      note(say.text('link.personal')),
    ],
    footer: say.footer(),
  }),
}

function actionRequest(kind: 'pending-action' | 'reminder'): Compose<typeof kind> {
  return ({ name, organization, documents, action, sender, description, deadline, actionUrl, validHours }, say) => ({
    subject: say.text(`${kind}.${action}.subject`, { title: say.title(documents) }),
    blocks: [
      say.hello(name),
      paragraph(say.text(`${kind}.${action}.intro`, { sender })),
      facts(
        [say.text('label.organization'), organization],
        documentsFact(say, documents),
        ...(deadline ? [[say.text('label.deadline'), say.day(deadline)] as const] : []),
        ...(description ? [[say.text('label.message'), description] as const] : []),
      ),
      ...buttonTo(say, `open.${action}`, actionUrl),
      note(say.text('link.validity', { count: validHours })),
      note(say.text('link.personal')),
    ],
    footer: say.footer(organization),
  })
}

function pendingLink(item: MailData['pending-summary']['pending'][number], say: Speaker): Block {
  const { action, document, organization, deadline, actionUrl } = item
  const until = deadline ? ` (${say.text('label.deadline')}: ${say.day(deadline)})` : ''
  return {
    kind: 'link',
    title: `${document}, ${organization}${until}`,
    text: say.text(`open.${action}`),
    url: actionUrl,
  }
}

const paragraph = (text: string): Block => ({ kind: 'paragraph', text })
const note = (text: string): Block => ({ kind: 'note', text })

type Fact = readonly [label: string, value: string]

const facts = (...rows: readonly Fact[]): Block => ({ kind: 'facts', rows })

const documentsFact = (say: Speaker, documents: readonly string[]): Fact => [
  say.text(documents.length === 1 ? 'label.document' : 'label.documents'),
  documents.join('\n'),
]

type OpenText =
  | 'open.sign'
  | 'open.approve'
  | 'open.document'
  | 'open.download'
  | 'open.validation'
  | 'open.invitation'
  | 'open.password-reset'
  | 'open.webhooks'

const buttonTo = (say: Speaker, text: OpenText, url: string | undefined): Block[] =>
  url === undefined ? [] : [{ kind: 'button', text: say.text(text), url, hint: say.text('link.copy') }]
