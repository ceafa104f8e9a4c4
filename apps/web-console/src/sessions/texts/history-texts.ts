import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'History',
  lead: 'Who opened sessions, from which application, and what became of them; and attempts that were refused.',
  caption: 'History of sessions',
  filters: 'Filter the history',
  empty: 'No session yet',
  emptyText: 'Each session an application opens, or fails to open, is written down here.',
  kind: 'What happened',
  kinds: { session: 'Sessions opened', attempt: 'Attempts refused' },
  kindOf: { session: 'Opened', attempt: 'Refused' },
  from: 'From',
  to: 'To',
  fromAddress: 'from {{address}}',
  columns: {
    holder: 'Holder',
    at: 'Time',
    application: 'Application',
    where: 'Certificate',
    outcome: 'What became of it',
    calls: 'Signing calls',
  },
  live: 'It is live.',
  ends: {
    deactivated: 'The application ended it.',
    replaced: 'Another session of the CPF took its place.',
    expired: 'Its window lapsed without signing.',
    exhausted: 'Its signing calls were used up.',
    stranded: 'Its key was lost when the server stopped.',
    'ended-by-administrator': 'An administrator ended it.',
    'certificate-gone': 'Its certificate was removed or replaced, or its token was pulled.',
  },
} as const

/** The texts of the history of sessions. */
export const historyTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Histórico',
    lead: 'Quem abriu sessões, por qual aplicação e o que houve com elas; e as tentativas recusadas.',
    caption: 'Histórico de sessões',
    filters: 'Filtrar o histórico',
    empty: 'Nenhuma sessão ainda',
    emptyText: 'Cada sessão que uma aplicação abre, ou não consegue abrir, é anotada aqui.',
    kind: 'O que houve',
    kinds: { session: 'Sessões abertas', attempt: 'Tentativas recusadas' },
    kindOf: { session: 'Aberta', attempt: 'Recusada' },
    from: 'De',
    to: 'Até',
    fromAddress: 'de {{address}}',
    columns: {
      holder: 'Titular',
      at: 'Hora',
      application: 'Aplicação',
      where: 'Certificado',
      outcome: 'No que deu',
      calls: 'Chamadas de assinatura',
    },
    live: 'Está ativa.',
    ends: {
      deactivated: 'A aplicação a encerrou.',
      replaced: 'Outra sessão do CPF tomou o lugar dela.',
      expired: 'A janela passou sem assinatura.',
      exhausted: 'As chamadas de assinatura se esgotaram.',
      stranded: 'A chave se perdeu quando o servidor parou.',
      'ended-by-administrator': 'Um administrador a encerrou.',
      'certificate-gone': 'O certificado foi removido ou substituído, ou o token foi retirado.',
    },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'sessions-history': typeof english
  }
}
