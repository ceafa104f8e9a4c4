import type { Catalogue } from './catalogue.ts'

const english = {
  skipToContent: 'Skip to content',
  language: 'Language',
  colorScheme: { light: 'Use light colours', dark: 'Use dark colours' },
  copy: {
    action: 'Copy {{what}}',
    done: 'Copied: {{what}}',
    failed: 'The browser refused to copy {{what}}. Select the text and copy it yourself.',
  },
  secret: { show: 'Show {{what}}', hide: 'Hide {{what}}', hidden: 'hidden' },
  failure: {
    title: 'No data from the server',
    unreachable: 'Nothing answers at {{origin}}. Is it still running?',
    refused: 'The server answered with status {{status}}.',
    unreadable: 'The server answered something that is not JSON.',
    retrying: 'Trying again every few seconds.',
    retry: 'Try now',
  },
  crash: {
    title: 'This page broke',
    text: 'The fault is ours, not yours. Loading it again usually helps; the details are in the browser’s console.',
    reload: 'Load again',
  },
  loading: 'Loading…',
  nav: { label: 'Pages', menu: 'Menu' },
  paging: { label: 'Pages of the list', previous: 'Previous', next: 'Next' },
  dialog: {
    close: 'Close',
    dismiss: 'Dismiss the notice',
    back: 'Go back',
    reason: 'Reason',
    reasonHint: 'Optional; the events keep it.',
    typeWord: 'Type {{word}} to confirm',
  },
  problem: {
    code: 'Code',
    request: 'Request',
    field: 'Field',
    retry: 'Try again',
    unreachable: 'Nothing answers at {{origin}}. Is the service still running?',
    unreadable: 'The server answered something that is not JSON.',
    passkey: {
      none: 'The browser gave no passkey: it was cancelled, took too long, or there is none for this site.',
      known: 'This device has a passkey of yours for this site already.',
    },
    unknown: 'The service refused with the code {{code}}.',
  },
  authenticator: {
    scan: 'Scan this with an authenticator app on your phone:',
    qrCode: 'QR code for the authenticator app; the same secret stands below as text',
    type: 'Or type this secret into the app:',
    secret: 'secret of the authenticator app',
  },
  sessions: {
    title: 'Where you are signed in',
    lead: 'End a session that you do not know, and change the password.',
    browser: 'Browser',
    from: 'Address',
    since: 'Since',
    last: 'Last used',
    actions: 'Actions',
    here: 'this one',
    unknown: 'unknown',
    end: 'End',
    endOf: 'End the session from {{from}}',
    endOfWho: 'End the session of {{who}} from {{from}}',
    endOthers: 'End all others',
    ended: 'Sessions ended: {{count}}.',
  },
  keyState: { valid: 'Valid', revoked: 'Revoked', expired: 'Expired' },
  file: { choose: 'Choose file', chooseMany: 'Choose files', none: 'No file chosen' },
  notFound: {
    title: 'No such page',
    text: 'Nothing lives at {{path}}. The pages are in the menu.',
    home: 'To the first page',
  },
} as const

/** The texts of the parts that every bundle shares. */
export const sharedTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    skipToContent: 'Ir para o conteúdo',
    language: 'Idioma',
    colorScheme: { light: 'Usar cores claras', dark: 'Usar cores escuras' },
    copy: {
      action: 'Copiar {{what}}',
      done: 'Copiado: {{what}}',
      failed: 'O navegador não deixou copiar {{what}}. Selecione o texto e copie.',
    },
    secret: { show: 'Mostrar {{what}}', hide: 'Ocultar {{what}}', hidden: 'oculto' },
    failure: {
      title: 'Sem dados do servidor',
      unreachable: 'Nada responde em {{origin}}. Ele ainda está em execução?',
      refused: 'O servidor respondeu com o status {{status}}.',
      unreadable: 'O servidor respondeu algo que não é JSON.',
      retrying: 'Nova tentativa a cada poucos segundos.',
      retry: 'Tentar agora',
    },
    crash: {
      title: 'Esta página falhou',
      text: 'A falha é nossa. Recarregar costuma resolver; os detalhes estão no console do navegador.',
      reload: 'Recarregar',
    },
    loading: 'Carregando…',
    nav: { label: 'Páginas', menu: 'Menu' },
    paging: { label: 'Páginas da lista', previous: 'Anterior', next: 'Próxima' },
    dialog: {
      close: 'Fechar',
      dismiss: 'Dispensar o aviso',
      back: 'Voltar',
      reason: 'Motivo',
      reasonHint: 'Opcional; fica registrado nos eventos.',
      typeWord: 'Digite {{word}} para confirmar',
    },
    problem: {
      code: 'Código',
      request: 'Requisição',
      field: 'Campo',
      retry: 'Tentar de novo',
      unreachable: 'Nada responde em {{origin}}. O serviço ainda está em execução?',
      unreadable: 'O servidor respondeu algo que não é JSON.',
      passkey: {
        none: 'O navegador não entregou uma chave de acesso: foi cancelado, demorou ou não há nenhuma para este site.',
        known: 'Este dispositivo já tem uma chave de acesso sua para este site.',
      },
      unknown: 'O serviço recusou com o código {{code}}.',
    },
    authenticator: {
      scan: 'Leia isto com um aplicativo autenticador no celular:',
      qrCode: 'Código QR para o aplicativo autenticador; o mesmo segredo está abaixo como texto',
      type: 'Ou digite este segredo no aplicativo:',
      secret: 'segredo do aplicativo autenticador',
    },
    sessions: {
      title: 'Onde você está conectado',
      lead: 'Encerre uma sessão que você não conhece, e troque a senha.',
      browser: 'Navegador',
      from: 'Endereço',
      since: 'Desde',
      last: 'Último uso',
      actions: 'Ações',
      here: 'esta',
      unknown: 'desconhecido',
      end: 'Encerrar',
      endOf: 'Encerrar a sessão de {{from}}',
      endOfWho: 'Encerrar a sessão de {{who}}, de {{from}}',
      endOthers: 'Encerrar todas as outras',
      ended: 'Sessões encerradas: {{count}}.',
    },
    keyState: { valid: 'Válida', revoked: 'Revogada', expired: 'Expirada' },
    file: { choose: 'Escolher arquivo', chooseMany: 'Escolher arquivos', none: 'Nenhum arquivo escolhido' },
    notFound: {
      title: 'Página inexistente',
      text: 'Não há nada em {{path}}. As páginas estão no menu.',
      home: 'Ir para a primeira página',
    },
  },
}

declare module './catalogue.ts' {
  interface Namespaces {
    shared: typeof english
  }
}
