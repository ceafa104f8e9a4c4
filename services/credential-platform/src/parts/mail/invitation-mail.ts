// The mail by which a person is invited.
import { layout, type Mail } from '@chancela/outbox/mail'
import { HOUR, plus } from '@chancela/service-kernel/clock'
import { createCatalogue, INTERFACE_LANGUAGES, type InterfaceLanguage } from '@chancela/service-kernel/i18n'

const texts = createCatalogue(INTERFACE_LANGUAGES, {
  subject: { 'pt-BR': 'Convite: {{organization}}', 'en-US': 'Invitation: {{organization}}' },
  hello: { 'pt-BR': 'Olá, {{name}}!', 'en-US': 'Hello, {{name}}!' },
  intro: {
    'pt-BR':
      '{{organization}} convidou você para a sua área de diplomas e históricos digitais. Aceite o convite e escolha uma senha para entrar.',
    'en-US':
      '{{organization}} invites you to its digital degrees and transcripts. Accept the invitation and choose a password to sign in.',
  },
  open: { 'pt-BR': 'Aceitar o convite', 'en-US': 'Accept the invitation' },
  hint: {
    'pt-BR': 'Se o botão não funcionar, copie este endereço no navegador:',
    'en-US': 'If the button does not work, copy this address into your browser:',
  },
  validity: {
    'pt-BR': { one: 'O link vale por 1 hora.', other: 'O link vale por {{count}} horas.' },
    'en-US': { one: 'The link is valid for 1 hour.', other: 'The link is valid for {{count}} hours.' },
  },
  warning: {
    'pt-BR': 'Quem tem o link entra em seu lugar: não o repasse. Se você não esperava este convite, ignore-o.',
    'en-US': 'Whoever has the link enters in your place: do not pass it on. If you did not expect it, ignore it.',
  },
  footer: {
    'pt-BR': 'Mensagem enviada por {{organization}} com a Chancela.',
    'en-US': 'Sent by {{organization}} with Chancela.',
  },
})

export interface Invitation {
  readonly name: string
  readonly email: string
  readonly organization: string
  readonly url: string
  readonly validHours: number
  readonly language: InterfaceLanguage
}

/** In the language of whoever invites, who knows the person. */
export function invitationMail(invitation: Invitation, now: Date): Mail {
  const { name, email, organization, url, validHours, language } = invitation
  const say = texts.translator(language)
  const content = layout(
    {
      subject: say('subject', { organization }),
      blocks: [
        { kind: 'paragraph', text: say('hello', { name }) },
        { kind: 'paragraph', text: say('intro', { organization }) },
        { kind: 'button', text: say('open'), url, hint: say('hint') },
        { kind: 'paragraph', text: say('validity', { count: validHours }) },
        { kind: 'note', text: say('warning') },
      ],
      footer: say('footer', { organization }),
    },
    language,
  )
  const to = { address: email, name }
  return { kind: 'invitation', to, ...content, deliverBy: plus(now, validHours * HOUR) }
}
