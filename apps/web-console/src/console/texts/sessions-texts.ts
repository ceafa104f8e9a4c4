import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  columns: { who: 'Administrator', way: 'Way' },
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
    columns: { who: 'Administrador', way: 'Meio' },
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
