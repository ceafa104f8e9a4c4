import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Overview',
  figures: 'Today',
  authentications: 'Authentications',
  failed: 'Failed authentications',
  problems: 'Failed calls',
  subscriptions: 'Subscriptions',
  applications_one: '{{count}} application',
  applications_other: '{{count}} applications',
  sinceMidnight: 'since midnight',
} as const

/** The texts of the first page. */
export const overviewTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Visão geral',
    figures: 'Hoje',
    authentications: 'Autenticações',
    failed: 'Autenticações recusadas',
    problems: 'Chamadas com erro',
    subscriptions: 'Contas',
    applications_one: '{{count}} aplicação',
    applications_other: '{{count}} aplicações',
    sinceMidnight: 'desde a meia-noite',
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'core-overview': typeof english
  }
}
