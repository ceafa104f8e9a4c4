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
  proof: {
    title: 'Is it you?',
    text: 'Users, applications, keys, webhooks and the organization are changed only soon after a sign-in. Type the password again.',
    confirm: 'Continue',
    provider: 'Sign in again',
    providerText:
      'Users, applications, keys, webhooks and the organization are changed only soon after a sign-in. The identity provider asks you again and leads back to this page.',
  },
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
    proof: {
      title: 'É você?',
      text: 'Usuários, aplicações, chaves, webhooks e a organização só mudam logo depois de entrar. Digite a senha outra vez.',
      confirm: 'Continuar',
      provider: 'Entrar de novo',
      providerText:
        'Usuários, aplicações, chaves, webhooks e a organização só mudam logo depois de entrar. O provedor de identidade pergunta de novo e traz você de volta a esta página.',
    },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'documents-login': typeof english
  }
}
