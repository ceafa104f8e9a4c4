import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Overview',
  figures: 'Sessions and uses',
  authorized: 'Authorized sessions',
  authorizedHint: 'may be used now',
  pending: 'Holders at a provider',
  pendingHint: 'asked to sign in there',
  hashes: 'Hashes signed today',
  authorizations_one: 'after {{count}} authorization',
  authorizations_other: 'after {{count}} authorizations',
  failures: 'Failures today',
  sinceMidnight: 'since midnight',
  providers: 'Providers',
  columns: { name: 'Provider', state: 'State', failure: 'Last failure' },
  none: 'none',
  noProvider: 'There is no provider yet: nobody can sign.',
  addProvider: 'Add one',
} as const

/** The texts of the first page. */
export const overviewTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Visão geral',
    figures: 'Sessões e usos',
    authorized: 'Sessões autorizadas',
    authorizedHint: 'podem ser usadas agora',
    pending: 'Titulares em um provedor',
    pendingHint: 'convidados a entrar lá',
    hashes: 'Hashes assinados hoje',
    authorizations_one: 'após {{count}} autorização',
    authorizations_other: 'após {{count}} autorizações',
    failures: 'Falhas de hoje',
    sinceMidnight: 'desde a meia-noite',
    providers: 'Provedores',
    columns: { name: 'Provedor', state: 'Situação', failure: 'Última falha' },
    none: 'nenhuma',
    noProvider: 'Ainda não há provedor: ninguém pode assinar.',
    addProvider: 'Adicionar um',
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'hub-overview': typeof english
  }
}
