import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Your account',
  name: 'Name',
  email: 'E-mail',
  password: {
    title: 'Password',
    lead: 'A change signs you out everywhere else.',
    none: 'You sign in at the identity provider and have no password here.',
    present: 'Present password',
    change: 'Change the password',
    changed: 'The password was changed, and your other sessions have ended.',
    send: 'Send me a link to choose one',
    sent: 'A link is on its way to {{email}}. It is valid for one hour.',
  },
  factor: {
    title: 'Authenticator app',
    isOn: 'Set up',
    provider: 'The identity provider you sign in at looks after the second factor.',
    text: {
      on: 'Signing in asks for its code. Change it when you get another phone.',
      off: 'Not set up. With it, a stolen password alone opens nothing.',
      'to-enrol': 'Your organization asks for a second factor. Set the app up now; nothing else works before.',
    },
    setUp: 'Set up an app',
    another: 'Set up another app',
    proofText: 'An app on your phone shows a code that changes every 30 seconds. First, prove that it is you.',
    anotherText: 'The app you use now stays in force until a code of the new one is confirmed.',
    next: 'Next',
    scanTitle: 'Add the account to the app',
    code: 'Code',
    codeHint: 'The six digits the app shows now.',
    confirm: 'Confirm',
    newCodes: 'New recovery codes',
    newCodesText: 'The codes you have now stop working.',
    makeCodes: 'Make new codes',
    remove: 'Remove the app',
    removeText: 'After that, the password alone signs you in. The recovery codes stop working as well.',
    removeNow: 'Remove',
    removed: 'The authenticator app was removed.',
  },
  codes: {
    title: 'Keep these recovery codes',
    text: 'Each signs you in once when you do not have the phone. They are shown only now: print them, or keep them with your passwords.',
    what: 'recovery codes',
    taken: 'I have saved them',
  },
  organizationOfSession: 'For',
} as const

/** The texts of the page of one's own account. */
export const accountTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Sua conta',
    name: 'Nome',
    email: 'E-mail',
    password: {
      title: 'Senha',
      lead: 'A troca desconecta você em todos os outros lugares.',
      none: 'Você entra pelo provedor de identidade e não tem senha aqui.',
      present: 'Senha atual',
      change: 'Trocar a senha',
      changed: 'A senha foi trocada, e as suas outras sessões foram encerradas.',
      send: 'Enviar um link para escolher uma',
      sent: 'Um link está a caminho de {{email}}. Ele vale por uma hora.',
    },
    factor: {
      title: 'Aplicativo autenticador',
      isOn: 'Configurado',
      provider: 'O provedor de identidade em que você entra cuida do segundo fator.',
      text: {
        on: 'Para entrar, o código dele é pedido. Troque-o quando mudar de celular.',
        off: 'Não configurado. Com ele, uma senha roubada sozinha não abre nada.',
        'to-enrol':
          'A sua organização pede um segundo fator. Configure o aplicativo agora; antes disso nada mais funciona.',
      },
      setUp: 'Configurar um aplicativo',
      another: 'Configurar outro aplicativo',
      proofText: 'Um aplicativo no celular mostra um código que muda a cada 30 segundos. Antes, prove que é você.',
      anotherText: 'O aplicativo em uso continua valendo até que um código do novo seja confirmado.',
      next: 'Continuar',
      scanTitle: 'Adicione a conta ao aplicativo',
      code: 'Código',
      codeHint: 'Os seis dígitos que o aplicativo mostra agora.',
      confirm: 'Confirmar',
      newCodes: 'Novos códigos de recuperação',
      newCodesText: 'Os códigos que você tem agora deixam de valer.',
      makeCodes: 'Gerar novos códigos',
      remove: 'Remover o aplicativo',
      removeText: 'Depois disso, a senha sozinha basta para entrar. Os códigos de recuperação também deixam de valer.',
      removeNow: 'Remover',
      removed: 'O aplicativo autenticador foi removido.',
    },
    codes: {
      title: 'Guarde estes códigos de recuperação',
      text: 'Cada um serve para entrar uma vez quando você estiver sem o celular. Eles só aparecem agora: imprima-os ou guarde-os com as suas senhas.',
      what: 'códigos de recuperação',
      taken: 'Já guardei',
    },
    organizationOfSession: 'Por',
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'documents-account': typeof english
  }
}
