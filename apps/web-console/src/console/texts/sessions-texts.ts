import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Where you are signed in',
  lead: 'End a session that you do not know, and change the password.',
  columns: {
    who: 'Administrator',
    way: 'Way',
    browser: 'Browser',
    from: 'Address',
    since: 'Since',
    last: 'Last used',
    actions: 'Actions',
  },
  here: 'this one',
  unknown: 'unknown',
  end: 'End',
  endOf: 'End the session from {{from}}',
  endOthers: 'End all others',
  ended: 'Sessions ended: {{count}}.',
  all: {
    title: 'Who is signed in',
    lead: 'Every session of this server, also of people from the identity provider.',
    local: 'Password',
    foreign: 'Identity provider',
    signOut: 'Sign out',
    signOutOf: 'Sign out {{email}} everywhere',
    signOutText: 'Every session ends at once. Whoever knows the password, or the identity provider, may sign in again.',
  },
} as const

/** The texts about sessions of administrators. */
export const sessionsTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Onde você está conectado',
    lead: 'Encerre uma sessão que você não conhece, e troque a senha.',
    columns: {
      who: 'Administrador',
      way: 'Meio',
      browser: 'Navegador',
      from: 'Endereço',
      since: 'Desde',
      last: 'Último uso',
      actions: 'Ações',
    },
    here: 'esta',
    unknown: 'desconhecido',
    end: 'Encerrar',
    endOf: 'Encerrar a sessão de {{from}}',
    endOthers: 'Encerrar todas as outras',
    ended: 'Sessões encerradas: {{count}}.',
    all: {
      title: 'Quem está conectado',
      lead: 'Todas as sessões deste servidor, também as de pessoas do provedor de identidade.',
      local: 'Senha',
      foreign: 'Provedor de identidade',
      signOut: 'Desconectar',
      signOutOf: 'Desconectar {{email}} em todos os lugares',
      signOutText:
        'Todas as sessões terminam na hora. Quem tem a senha, ou o provedor de identidade, pode entrar de novo.',
    },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'console-sessions': typeof english
  }
}
