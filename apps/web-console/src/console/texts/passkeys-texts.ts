import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Passkeys',
  lead: 'Finger, face or PIN of your phone, your computer or a security key in place of password and code. No other site can ask for it.',
  notHere: 'Passkeys need a current browser, and this server by its name and over TLS.',
  none: 'None yet.',
  columns: { name: 'Name', created: 'Since', used: 'Last used' },
  never: 'never',
  add: 'Add passkey',
  addTitle: 'Add a passkey',
  addText: 'The browser then asks for your finger, your face or a PIN. You are signed out everywhere else.',
  create: 'Continue',
  name: 'Name of the passkey',
  nameHint: 'To tell it from others: work laptop, phone.',
  added: 'The passkey {{name}} is set up.',
  rename: 'Rename',
  renameOf: 'Rename {{name}}',
  renamed: 'The passkey is now called {{name}}.',
  remove: 'Remove',
  removeOf: 'Remove {{name}}',
  removeText: 'It signs in here no more, and you are signed out everywhere else. Delete it on the device, too.',
  removed: 'The passkey {{name}} was removed.',
  signIn: 'Sign in with a passkey',
  use: 'Use a passkey',
  instead: 'Without an app: a passkey is your finger, your face or a PIN on this device or a security key.',
  orRecovery: 'Without the passkey, type a recovery code for {{email}}.',
} as const

/** The texts of passkeys. */
export const passkeysTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Chaves de acesso',
    lead: 'Digital, rosto ou PIN do celular, do computador ou de uma chave de segurança no lugar de senha e código. Nenhum outro site consegue pedi-la.',
    notHere: 'Chaves de acesso exigem um navegador atual e este servidor pelo nome e com TLS.',
    none: 'Nenhuma ainda.',
    columns: { name: 'Nome', created: 'Desde', used: 'Último uso' },
    never: 'nunca',
    add: 'Adicionar chave de acesso',
    addTitle: 'Adicionar uma chave de acesso',
    addText: 'O navegador pede então a digital, o rosto ou um PIN. Você é desconectado em todos os outros lugares.',
    create: 'Continuar',
    name: 'Nome da chave de acesso',
    nameHint: 'Para distingui-la de outras: notebook do trabalho, celular.',
    added: 'A chave de acesso {{name}} está configurada.',
    rename: 'Renomear',
    renameOf: 'Renomear {{name}}',
    renamed: 'A chave de acesso agora se chama {{name}}.',
    remove: 'Remover',
    removeOf: 'Remover {{name}}',
    removeText:
      'Ela não serve mais para entrar aqui, e você é desconectado em todos os outros lugares. Apague-a também no dispositivo.',
    removed: 'A chave de acesso {{name}} foi removida.',
    signIn: 'Entrar com chave de acesso',
    use: 'Usar uma chave de acesso',
    instead:
      'Sem aplicativo: uma chave de acesso é a digital, o rosto ou um PIN neste dispositivo ou em uma chave de segurança.',
    orRecovery: 'Sem a chave de acesso, digite um código de recuperação de {{email}}.',
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'console-passkeys': typeof english
  }
}
