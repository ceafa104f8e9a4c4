import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Sign in',
  email: 'E-mail',
  password: 'Password',
  showPassword: 'Show or hide the password',
  signIn: 'Sign in',
  code: 'Code of the authenticator app',
  invitation: {
    title: 'Invitation',
    isNew: 'Choose a password. With it and your e-mail address you sign in here from now on.',
    hasAccount: 'If your address signs in here already, enter the password of that account.',
    hint: 'At least {{count}} characters.',
    tooShort: 'The password has fewer than {{count}} characters.',
    accept: 'Accept the invitation',
  },
  over: {
    title: 'This invitation can no longer be used',
    why: 'It was accepted or withdrawn, it has expired, or its address is not complete.',
    accepted: 'If you accepted it, sign in with your e-mail address and the password you chose.',
    otherwise: 'Otherwise ask an administrator of the organization for another one.',
  },
  factor: {
    title: 'Authenticator app',
    required: 'A second factor is required here. Set the app up now; nothing else works before.',
    another: 'The app you use now stays in force until a code of the new one is confirmed.',
    hint: 'The six digits the app shows now.',
    confirm: 'Confirm',
    later: 'Not now',
    presentCode: 'Of the app you use now',
    presentHint: 'The six digits it shows now; a code that was used already is not accepted.',
  },
  proof: {
    title: 'Is it you?',
    text: 'The authenticator app, people and keys are changed only soon after a sign-in. Type the password again.',
    confirm: 'Continue',
  },
  account: {
    title: 'Your account',
    name: 'Name',
    places: 'Organizations',
    passwordLead: 'A change signs you out everywhere else.',
    present: 'Present password',
    new: 'New password',
    newHint: 'At least {{count}} characters.',
    change: 'Change the password',
    changed: 'The password was changed, and your other sessions have ended.',
    factor: 'Authenticator app',
    factorText: {
      on: 'Signing in asks for its code. Change it when you get another phone.',
      off: 'Not set up. With it, a stolen password alone opens nothing.',
      'to-enrol': 'Required here; set it up now.',
    },
    setUp: 'Set up an app',
    another: 'Set up another app',
  },
} as const

/** The texts of the sign-in, of invitations and of one’s own account. */
export const loginTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Entrar',
    email: 'E-mail',
    password: 'Senha',
    showPassword: 'Mostrar ou ocultar a senha',
    signIn: 'Entrar',
    code: 'Código do aplicativo autenticador',
    invitation: {
      title: 'Convite',
      isNew: 'Escolha uma senha. Com ela e o seu e-mail você passa a entrar aqui.',
      hasAccount: 'Se o seu e-mail já entra aqui, digite a senha dessa conta.',
      hint: 'Pelo menos {{count}} caracteres.',
      tooShort: 'A senha tem menos de {{count}} caracteres.',
      accept: 'Aceitar o convite',
    },
    over: {
      title: 'Este convite não pode mais ser usado',
      why: 'Ele foi aceito ou retirado, expirou, ou o endereço está incompleto.',
      accepted: 'Se você o aceitou, entre com o seu e-mail e a senha que escolheu.',
      otherwise: 'Senão, peça outro a um administrador da organização.',
    },
    factor: {
      title: 'Aplicativo autenticador',
      required: 'Aqui é exigido um segundo fator. Configure o aplicativo agora; antes disso nada mais funciona.',
      another: 'O aplicativo em uso continua valendo até que um código do novo seja confirmado.',
      hint: 'Os seis dígitos que o aplicativo mostra agora.',
      confirm: 'Confirmar',
      later: 'Agora não',
      presentCode: 'Do aplicativo em uso',
      presentHint: 'Os seis dígitos que ele mostra agora; um código já usado não é aceito.',
    },
    proof: {
      title: 'É você?',
      text: 'Aplicativo autenticador, pessoas e chaves só mudam logo depois de entrar. Digite a senha outra vez.',
      confirm: 'Continuar',
    },
    account: {
      title: 'Sua conta',
      name: 'Nome',
      places: 'Organizações',
      passwordLead: 'A troca desconecta você em todos os outros lugares.',
      present: 'Senha atual',
      new: 'Nova senha',
      newHint: 'Pelo menos {{count}} caracteres.',
      change: 'Trocar a senha',
      changed: 'A senha foi trocada, e as suas outras sessões foram encerradas.',
      factor: 'Aplicativo autenticador',
      factorText: {
        on: 'Para entrar, o código dele é pedido. Troque-o quando mudar de celular.',
        off: 'Não configurado. Com ele, uma senha roubada sozinha não abre nada.',
        'to-enrol': 'Exigido aqui; configure agora.',
      },
      setUp: 'Configurar um aplicativo',
      another: 'Configurar outro aplicativo',
    },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'credentials-login': typeof english
  }
}
