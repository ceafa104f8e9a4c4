import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  product: 'PKI core service',
  nav: {
    overview: 'Overview',
    subscriptions: 'Subscriptions',
    applications: 'Applications',
    contexts: 'Security contexts',
    sessions: 'Signature sessions',
    subjects: 'Biometric subjects',
    authentications: 'Authentications',
    problems: 'Failed calls',
    administrators: 'Administrators',
    events: 'Events',
  },
  subscription: 'Subscription',
  name: 'Name',
  nameContains: 'Name contains',
  create: 'Create',
  save: 'Save',
  delete: 'Delete',
  enabled: 'Enabled',
  disabled: 'Disabled',
  enable: 'Enable',
  disable: 'Disable',
  enableOf: 'Enable {{name}}',
  disableOf: 'Disable {{name}}',
  gone: 'removed',
  cut: 'The first {{shown}} of {{all}}; search by name for another one.',
  roles: {
    Admin: 'everything, security contexts included',
    Manager: 'applications and their keys, and all work',
    Worker: 'authenticates and signs',
    Monitor: 'reads, and changes nothing',
    Owner: 'the whole instance, and who owns it',
    Contributor: 'subscriptions, and their applications',
    Reader: 'reads in every subscription',
  },
} as const

/** The texts of the frame and of what several pages share. */
export const commonTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    product: 'Serviço PKI',
    nav: {
      overview: 'Visão geral',
      subscriptions: 'Contas',
      applications: 'Aplicações',
      contexts: 'Contextos de segurança',
      sessions: 'Sessões de assinatura',
      subjects: 'Pessoas com biometria',
      authentications: 'Autenticações',
      problems: 'Chamadas com erro',
      administrators: 'Administradores',
      events: 'Eventos',
    },
    subscription: 'Conta',
    name: 'Nome',
    nameContains: 'Nome contém',
    create: 'Criar',
    save: 'Salvar',
    delete: 'Excluir',
    enabled: 'Ativa',
    disabled: 'Desativada',
    enable: 'Ativar',
    disable: 'Desativar',
    enableOf: 'Ativar {{name}}',
    disableOf: 'Desativar {{name}}',
    gone: 'removido',
    cut: 'Os primeiros {{shown}} de {{all}}; busque outro pelo nome.',
    roles: {
      Admin: 'tudo, inclusive contextos de segurança',
      Manager: 'aplicações e suas chaves, e todo o trabalho',
      Worker: 'autentica e assina',
      Monitor: 'lê e não altera nada',
      Owner: 'toda a instância, e quem é dono dela',
      Contributor: 'contas e suas aplicações',
      Reader: 'lê em todas as contas',
    },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    core: typeof english
  }
}
