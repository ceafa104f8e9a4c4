import { type Bilingual, INTERFACE_LANGUAGES, type InterfaceLanguage } from '@chancela/service-kernel/i18n'
import type { Composition } from '../mail/index.ts'
import { causeOf, type Severity } from './causes.ts'

/** What became of a red check: it is new, it is still so after a day, or it is over. */
export type NoticeKind = 'began' | 'continues' | 'over'

/** One thing that operators are told. */
export interface Notice {
  readonly kind: NoticeKind
  /** Name of the service. */
  readonly service: string
  readonly check: string
  /** The last reason the check gave. */
  readonly detail: string | undefined
  readonly since: Date
  readonly at: Date
}

const kindTexts: Readonly<Record<NoticeKind, Bilingual>> = {
  began: { 'pt-BR': '{title}', 'en-US': '{title}' },
  continues: { 'pt-BR': 'Ainda: {title}', 'en-US': 'Still: {title}' },
  over: { 'pt-BR': 'Resolvido: {title}', 'en-US': 'Over: {title}' },
}

const severityTexts: Readonly<Record<Severity, Bilingual>> = {
  critical: { 'pt-BR': 'crítico', 'en-US': 'critical' },
  warning: { 'pt-BR': 'aviso', 'en-US': 'warning' },
}

const labels = {
  service: { 'pt-BR': 'Serviço', 'en-US': 'Service' },
  check: { 'pt-BR': 'Verificação', 'en-US': 'Check' },
  severity: { 'pt-BR': 'Gravidade', 'en-US': 'Severity' },
  since: { 'pt-BR': 'Desde', 'en-US': 'Since' },
  until: { 'pt-BR': 'Até', 'en-US': 'Until' },
  detail: { 'pt-BR': 'Detalhe', 'en-US': 'Detail' },
  footer: {
    'pt-BR': 'Aviso do serviço aos operadores. O mesmo é repetido só depois de um dia.',
    'en-US': 'Notice of the service to its operators. The same is repeated after a day only.',
  },
} as const satisfies Readonly<Record<string, Bilingual>>

const atMinute = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const headline = ({ kind, check }: Notice, language: InterfaceLanguage): string =>
  kindTexts[kind][language].replace('{title}', causeOf(check).title[language])

/** The mail of a notice. */
export function mailOf(notice: Notice, language: InterfaceLanguage): Composition {
  const { service, check, kind, since, at, detail } = notice
  const { severity, advice } = causeOf(check)
  const isOver = kind === 'over'
  return {
    subject: `${service}: ${headline(notice, language)}`,
    blocks: [
      ...(isOver ? [] : [{ kind: 'paragraph' as const, text: advice[language] }]),
      {
        kind: 'facts',
        rows: [
          [labels.service[language], service],
          [labels.check[language], check],
          [labels.severity[language], severityTexts[severity][language]],
          [labels.since[language], atMinute(since)],
          ...(isOver ? [[labels.until[language], atMinute(at)] as const] : []),
          ...(detail === undefined ? [] : [[labels.detail[language], detail] as const]),
        ],
      },
    ],
    footer: labels.footer[language],
  }
}

/** The body of its webhook: type, time and data, as Standard Webhooks advise. */
export function bodyOf(notice: Notice): string {
  const { kind, service, check, since, at, detail } = notice
  const { severity } = causeOf(check)
  const text = Object.fromEntries(INTERFACE_LANGUAGES.map((language) => [language, headline(notice, language)]))
  return JSON.stringify({
    type: `notice.${kind}`,
    timestamp: at.toISOString(),
    data: { service, check, severity, since: since.toISOString(), text, ...(detail !== undefined && { detail }) },
  })
}
