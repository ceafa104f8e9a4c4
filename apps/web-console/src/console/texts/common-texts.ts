import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  signedInAs: 'Signed in as {{name}}',
  account: 'Your account',
  signOut: 'Sign out',
  actions: 'Actions',
  any: 'Any',
  search: 'Search',
  clear: 'Clear filters',
  more: 'Show more',
  noneFound: 'Nothing matches the filters',
  noneFoundText: 'Use fewer of them.',
  show: 'Show {{what}}',
  kept: 'I have kept it',
  notices: 'Look at this',
  showPassword: 'Show or hide the password',
} as const

/** The texts of the frame and of what several pages share. */
export const commonTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    signedInAs: 'Conectado como {{name}}',
    account: 'Sua conta',
    signOut: 'Sair',
    actions: 'Ações',
    any: 'Qualquer',
    search: 'Buscar',
    clear: 'Limpar filtros',
    more: 'Mostrar mais',
    noneFound: 'Nada corresponde aos filtros',
    noneFoundText: 'Use menos filtros.',
    show: 'Mostrar {{what}}',
    kept: 'Já guardei',
    notices: 'Requer atenção',
    showPassword: 'Mostrar ou ocultar a senha',
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    console: typeof english
  }
}
