import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Sign in',
  key: 'API key',
  keyHint: 'The key of this service, as its configuration names it.',
  showKey: 'Show or hide the key',
  signIn: 'Sign in',
  invalid: 'This key is not accepted.',
  server: 'The service has no key configured, so nobody can sign in. Set Auth:ApiKey and restart it.',
} as const

/** The texts of the login. */
export const loginTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Entrar',
    key: 'Chave de API',
    keyHint: 'A chave deste serviço, como está na configuração dele.',
    showKey: 'Mostrar ou ocultar a chave',
    signIn: 'Entrar',
    invalid: 'Esta chave não é aceita.',
    server: 'O serviço não tem chave configurada; ninguém consegue entrar. Defina Auth:ApiKey e reinicie-o.',
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'batch-login': typeof english
  }
}
