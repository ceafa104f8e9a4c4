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
  },
}

declare module './catalogue.ts' {
  interface Namespaces {
    shared: typeof english
  }
}
