import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Sign in',
  key: 'API key',
  keyHint: 'The key of this service, as its configuration names it.',
  showKey: 'Show or hide the key',
  signIn: 'Sign in',
  invalid: 'This key is not accepted.',
  server: 'The service has no key configured, so nobody can sign in. Set Auth:ApiKey and restart it.',
  organization: 'Sign in with your organization',
  refused: 'You are not signed in. The sign-in was refused, took too long, or was begun in another window.',
  unavailable: 'The sign-in of your organization does not answer. Try again later.',
  denied: {
    title: 'No access',
    text: 'Your organization knows you, and gave you no role in this service: neither Administrator nor Approver. An approver also needs a verified e-mail address there.',
    whom: 'Whoever looks after the sign-in of your organization can change this. Then sign in again.',
    again: 'Sign in again',
  },
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
    organization: 'Entrar com a sua organização',
    refused: 'Você não entrou. A entrada foi recusada, demorou demais ou começou em outra janela.',
    unavailable: 'O serviço de entrada da sua organização não responde. Tente mais tarde.',
    denied: {
      title: 'Sem acesso',
      text: 'Sua organização conhece você, mas não lhe deu papel neste serviço: nem Administrator, nem Approver. Quem aprova também precisa de um e-mail verificado nela.',
      whom: 'Quem cuida do serviço de entrada da sua organização pode mudar isso. Depois, entre de novo.',
      again: 'Entrar de novo',
    },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'batch-login': typeof english
  }
}
