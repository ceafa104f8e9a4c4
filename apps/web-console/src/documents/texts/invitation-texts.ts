import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Invitation',
  lead: '{{name}}, {{organization}} invites you to be a user of the organization.',
  isNew: 'Choose a password. With it and your e-mail address you sign in here from now on.',
  hasAccount: 'This address signs in here already. Enter the password of that account to accept.',
  email: 'E-mail',
  password: 'Enter your password',
  showPassword: 'Show or hide the password',
  accept: 'Accept the invitation',
  over: {
    title: 'This invitation can no longer be used',
    why: 'It was accepted or withdrawn, it has expired, or its address is not complete.',
    accepted: 'If you accepted it, sign in with your e-mail address and the password you chose.',
    otherwise:
      'Otherwise ask an administrator of the organization to send it again, and open the link of the new e-mail.',
    signIn: 'Sign in',
  },
} as const

/** The texts of the page of an invitation. */
export const invitationTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Convite',
    lead: '{{name}}, {{organization}} convida você a ser usuário da organização.',
    isNew: 'Escolha uma senha. Com ela e o seu e-mail você passa a entrar aqui.',
    hasAccount: 'Este e-mail já entra aqui. Digite a senha dessa conta para aceitar.',
    email: 'E-mail',
    password: 'Digite a sua senha',
    showPassword: 'Mostrar ou ocultar a senha',
    accept: 'Aceitar o convite',
    over: {
      title: 'Este convite não pode mais ser usado',
      why: 'Ele foi aceito ou retirado, expirou, ou o endereço está incompleto.',
      accepted: 'Se você o aceitou, entre com o seu e-mail e a senha que escolheu.',
      otherwise: 'Senão, peça a um administrador da organização que o envie de novo, e abra o link do novo e-mail.',
      signIn: 'Entrar',
    },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'documents-invitation': typeof english
  }
}
