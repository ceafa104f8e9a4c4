import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Sign in',
  email: 'E-mail',
  password: 'Password',
  showPassword: 'Show or hide the password',
  signIn: 'Sign in',
  forgot: 'Forgot the password?',
  or: 'or',
  oidc: 'Sign in with {{title}}',
  validate: 'Check a document by its code',
} as const

/** The texts of the sign-in. */
export const loginTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Entrar',
    email: 'E-mail',
    password: 'Senha',
    showPassword: 'Mostrar ou ocultar a senha',
    signIn: 'Entrar',
    forgot: 'Esqueceu a senha?',
    or: 'ou',
    oidc: 'Entrar com {{title}}',
    validate: 'Conferir um documento pelo código',
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'documents-login': typeof english
  }
}
