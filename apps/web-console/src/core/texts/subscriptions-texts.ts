import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Subscriptions',
  lead: 'Whoever the data of this instance belong to; applications and security contexts of one are unknown to another.',
  filters: 'Filter the subscriptions',
  empty: 'No subscription yet',
  emptyText: 'Add one, and make applications in it.',
  add: 'New subscription',
  created: 'The subscription {{name}} was made.',
  rename: 'Rename',
  renameOf: 'Rename {{name}}',
  renamed: 'The subscription is named {{name}} now.',
  disableText: 'Every call for it is refused until it is enabled again. Nothing is lost.',
  disabled: '{{name}} is disabled.',
  enabled: '{{name}} is enabled.',
  columns: {
    name: 'Subscription',
    state: 'State',
    id: 'Id',
    created: 'Made',
    more: 'Has',
  },
} as const

/** The texts of the page of subscriptions. */
export const subscriptionsTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Contas',
    lead: 'A quem pertencem os dados desta instância; aplicações e contextos de segurança de uma são desconhecidos de outra.',
    filters: 'Filtrar as contas',
    empty: 'Nenhuma conta ainda',
    emptyText: 'Crie uma e, nela, aplicações.',
    add: 'Nova conta',
    created: 'A conta {{name}} foi criada.',
    rename: 'Renomear',
    renameOf: 'Renomear {{name}}',
    renamed: 'A conta agora se chama {{name}}.',
    disableText: 'Toda chamada em nome dela é recusada até que seja ativada de novo. Nada se perde.',
    disabled: '{{name}} está desativada.',
    enabled: '{{name}} está ativa.',
    columns: {
      name: 'Conta',
      state: 'Situação',
      id: 'Id',
      created: 'Criada',
      more: 'Tem',
    },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'core-subscriptions': typeof english
  }
}
