import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Sign in',
  email: 'E-mail',
  password: 'Password',
  showPassword: 'Show or hide the password',
  signIn: 'Sign in',
  code: 'Code of the authenticator app',
  codeHint: 'Or one of your recovery codes.',
  forgot: 'Forgot the password?',
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
    code: 'Código do aplicativo autenticador',
    codeHint: 'Ou um dos seus códigos de recuperação.',
    forgot: 'Esqueceu a senha?',
    validate: 'Conferir um documento pelo código',
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'documents-login': typeof english
  }
}
