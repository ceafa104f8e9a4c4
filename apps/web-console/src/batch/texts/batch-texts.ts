import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  product: 'Batch signer',
  nav: {
    overview: 'Overview',
    jobs: 'Jobs',
    folders: 'Folders',
    profiles: 'Profiles',
    events: 'Events',
    statistics: 'Statistics',
    system: 'System',
  },
  logo: 'Logo of the house',
  operator: 'Signed in as {{name}}',
  signOut: 'Sign out',
  version: 'version {{version}}',
  contact: {
    connecting: 'Connecting…',
    live: 'Live',
    polling: 'Every few seconds',
    lost: 'No answer',
    liveHint: 'The service tells of changes at once.',
    pollingHint: 'The live connection is broken; the page asks every few seconds.',
    lostHint: 'Nothing answers at {{origin}}. Shown is what it said at {{time}}. The page keeps trying.',
    lostNever: 'Nothing answers at {{origin}}. The page keeps trying.',
    refresh: 'Refresh now',
    refreshed: 'Refreshed',
    back: 'The service answers again.',
  },
  status: {
    Queued: 'Queued',
    Processing: 'Signing',
    Verifying: 'Verifying',
    AwaitingApproval: 'Awaiting approval',
    AwaitingSigner: 'Awaiting signer',
    Completed: 'Completed',
    Failed: 'Failed',
    Canceled: 'Canceled',
  },
  approval: {
    needed_one: '{{count}} more needed',
    needed_other: '{{count}} more needed',
    met: 'Quorum met',
    rejected: 'Rejected',
    ended: '{{approved}} of {{required}} approved',
  },
  source: {
    Watcher: 'Folder',
    Upload: 'Upload',
    Retry: 'Retry',
    Rescan: 'Rescan',
    SignerFolder: 'Signer folder',
  },
  format: { Pades: 'PAdES', Cades: 'CAdES', Xades: 'XAdES', auto: 'By extension' },
  paging: { range: '{{from}}–{{to}} of {{total}}' },
  yes: 'Yes',
  no: 'No',
  none: 'none',
} as const

/** The texts of the frame and of what all pages of the dashboard share. */
export const batchTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    product: 'Assinador em lote',
    nav: {
      overview: 'Visão geral',
      jobs: 'Jobs',
      folders: 'Pastas',
      profiles: 'Perfis',
      events: 'Eventos',
      statistics: 'Estatísticas',
      system: 'Sistema',
    },
    logo: 'Logotipo da casa',
    operator: 'Conectado como {{name}}',
    signOut: 'Sair',
    version: 'versão {{version}}',
    contact: {
      connecting: 'Conectando…',
      live: 'Ao vivo',
      polling: 'A cada poucos segundos',
      lost: 'Sem resposta',
      liveHint: 'O serviço avisa das mudanças na hora.',
      pollingHint: 'A conexão ao vivo caiu; a página pergunta a cada poucos segundos.',
      lostHint: 'Nada responde em {{origin}}. O que se vê é de {{time}}. A página continua tentando.',
      lostNever: 'Nada responde em {{origin}}. A página continua tentando.',
      refresh: 'Atualizar agora',
      refreshed: 'Atualizado',
      back: 'O serviço voltou a responder.',
    },
    status: {
      Queued: 'Na fila',
      Processing: 'Assinando',
      Verifying: 'Verificando',
      AwaitingApproval: 'Aguardando aprovação',
      AwaitingSigner: 'Aguardando signatário',
      Completed: 'Concluído',
      Failed: 'Falhou',
      Canceled: 'Cancelado',
    },
    approval: {
      needed_one: 'falta {{count}}',
      needed_other: 'faltam {{count}}',
      met: 'Quórum atingido',
      rejected: 'Rejeitado',
      ended: '{{approved}} de {{required}} aprovaram',
    },
    source: {
      Watcher: 'Pasta',
      Upload: 'Envio',
      Retry: 'Reprocessamento',
      Rescan: 'Nova varredura',
      SignerFolder: 'Pasta do signatário',
    },
    format: { Pades: 'PAdES', Cades: 'CAdES', Xades: 'XAdES', auto: 'Pela extensão' },
    paging: { range: '{{from}}–{{to}} de {{total}}' },
    yes: 'Sim',
    no: 'Não',
    none: 'nenhum',
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    batch: typeof english
  }
}
