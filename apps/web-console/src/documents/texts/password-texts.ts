import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  email: 'E-mail',
  signIn: 'Sign in',
  newPassword: 'Choose a password',
  newPasswordHint: 'At least {{count}} characters.',
  again: 'The same password again',
  showPassword: 'Show or hide the password',
  tooShort: 'The password has fewer than {{count}} characters.',
  different: 'The two passwords differ.',
  forgot: {
    title: 'A new password',
    lead: 'Type the e-mail address you sign in with. A link to choose a new password is sent to it.',
    send: 'Send the link',
    sent: 'If this address signs in here, a link is on its way to it. It is valid for one hour.',
  },
  reset: {
    title: 'Choose a new password',
    save: 'Save the password',
    doneTitle: 'The password was changed',
    done: 'Every session of the account has ended. Sign in with the new password.',
    overTitle: 'This link can no longer be used',
    over: 'It was used, it has expired, or its address is not complete.',
    again: 'Ask for another link',
  },
} as const

/** The texts of new passwords. */
export const passwordTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    email: 'E-mail',
    signIn: 'Entrar',
    newPassword: 'Escolha uma senha',
    newPasswordHint: 'Pelo menos {{count}} caracteres.',
    again: 'A mesma senha de novo',
    showPassword: 'Mostrar ou ocultar a senha',
    tooShort: 'A senha tem menos de {{count}} caracteres.',
    different: 'As duas senhas são diferentes.',
    forgot: {
      title: 'Nova senha',
      lead: 'Digite o e-mail com que você entra. Um link para escolher uma nova senha será enviado a ele.',
      send: 'Enviar o link',
      sent: 'Se este e-mail entra aqui, um link está a caminho dele. Ele vale por uma hora.',
    },
    reset: {
      title: 'Escolha uma nova senha',
      save: 'Salvar a senha',
      doneTitle: 'A senha foi trocada',
      done: 'Todas as sessões da conta foram encerradas. Entre com a nova senha.',
      overTitle: 'Este link não pode mais ser usado',
      over: 'Ele já foi usado, expirou, ou o endereço está incompleto.',
      again: 'Pedir outro link',
    },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'documents-password': typeof english
  }
}
