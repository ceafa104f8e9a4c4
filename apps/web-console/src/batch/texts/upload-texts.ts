import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Upload files',
  profile: 'Profile',
  defaultProfile: 'default',
  format: 'Format',
  autoFormat: 'As the profile says, or by extension',
  drop: 'Drop files here',
  choose: 'Choose files',
  limits: 'Up to {{max}} files, sent one after the other. Each becomes a job.',
  tooMany: 'More than {{max}} files at once. Choose fewer, or put them into a watched folder.',
  files: 'Files of this upload',
  progress: '{{done}} of {{all}} files sent…',
  result: '{{accepted}} accepted, {{refused}} refused, {{stopped}} not sent.',
  stop: 'Stop',
  more: 'Upload more',
  close: 'Close',
  delayed_one: 'The service wants fewer requests; sent again in {{count}} second.',
  delayed_other: 'The service wants fewer requests; sent again in {{count}} seconds.',
  state: {
    waiting: 'Waiting',
    sending: 'Sending',
    delayed: 'Delayed',
    accepted: 'Accepted',
    refused: 'Refused',
    stopped: 'Not sent',
  },
} as const

/** The texts of the upload. */
export const uploadTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Enviar arquivos',
    profile: 'Perfil',
    defaultProfile: 'default',
    format: 'Formato',
    autoFormat: 'Conforme o perfil, ou pela extensão',
    drop: 'Solte os arquivos aqui',
    choose: 'Escolher arquivos',
    limits: 'Até {{max}} arquivos, enviados um após o outro. Cada um vira um job.',
    tooMany: 'Mais de {{max}} arquivos de uma vez. Escolha menos, ou coloque-os em uma pasta monitorada.',
    files: 'Arquivos deste envio',
    progress: '{{done}} de {{all}} arquivos enviados…',
    result: '{{accepted}} aceitos, {{refused}} recusados, {{stopped}} não enviados.',
    stop: 'Parar',
    more: 'Enviar mais',
    close: 'Fechar',
    delayed_one: 'O serviço pede menos requisições; novo envio em {{count}} segundo.',
    delayed_other: 'O serviço pede menos requisições; novo envio em {{count}} segundos.',
    state: {
      waiting: 'Aguardando',
      sending: 'Enviando',
      delayed: 'Adiado',
      accepted: 'Aceito',
      refused: 'Recusado',
      stopped: 'Não enviado',
    },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'batch-upload': typeof english
  }
}
