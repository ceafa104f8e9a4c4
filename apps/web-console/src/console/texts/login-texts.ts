import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Sign in',
  email: 'E-mail',
  password: 'Password',
  signIn: 'Sign in',
  codeTitle: 'Code of the authenticator app',
  factorTitle: 'Your second factor',
  codeText: 'Open the app on your phone and type the six digits it shows for {{email}}.',
  code: 'Code',
  back: 'Back',
  or: 'or',
  oidc: 'Sign in with {{title}}',
  codeHint: 'The six digits the app shows now. Without the phone, a recovery code.',
  factor: {
    title: 'Set up an authenticator app',
    required: 'Administrators sign in with a password and a code. Set the app up now; nothing else works before.',
    another: 'The app you use now stays in force until a code of the new one is confirmed.',
    confirm: 'Confirm',
    hint: 'The six digits the app shows now.',
    later: 'Not now',
    presentCode: 'Of the app you use now',
    presentHint: 'The six digits it shows now, or a recovery code; a used one is not accepted.',
  },
  proof: {
    title: 'Is it you?',
    text: 'Second factors, administrators and keys are changed only soon after a sign-in. Type the password again.',
    confirm: 'Continue',
    provider: 'Sign in again',
    providerText:
      'Second factors, administrators and keys are changed only soon after a sign-in. The identity provider asks you again and leads back to this page.',
  },
} as const

/** The texts of the sign-in. */
export const loginTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Entrar',
    email: 'E-mail',
    password: 'Senha',
    signIn: 'Entrar',
    codeTitle: 'Código do aplicativo autenticador',
    factorTitle: 'Seu segundo fator',
    codeText: 'Abra o aplicativo no celular e digite os seis dígitos que ele mostra para {{email}}.',
    code: 'Código',
    back: 'Voltar',
    or: 'ou',
    oidc: 'Entrar com {{title}}',
    codeHint: 'Os seis dígitos que o aplicativo mostra agora. Sem o celular, um código de recuperação.',
    factor: {
      title: 'Configurar um aplicativo autenticador',
      required:
        'Administradores entram com senha e código. Configure o aplicativo agora; antes disso nada mais funciona.',
      another: 'O aplicativo em uso continua valendo até que um código do novo seja confirmado.',
      confirm: 'Confirmar',
      hint: 'Os seis dígitos que o aplicativo mostra agora.',
      later: 'Agora não',
      presentCode: 'Do aplicativo em uso',
      presentHint: 'Os seis dígitos que ele mostra agora, ou um código de recuperação; um já usado não é aceito.',
    },
    proof: {
      title: 'É você?',
      text: 'Segundo fator, administradores e chaves só mudam logo depois de entrar. Digite a senha outra vez.',
      confirm: 'Continuar',
      provider: 'Entrar de novo',
      providerText:
        'Segundo fator, administradores e chaves só mudam logo depois de entrar. O provedor de identidade pergunta de novo e traz você de volta a esta página.',
    },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'console-login': typeof english
  }
}
