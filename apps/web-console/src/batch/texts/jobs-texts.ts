import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Jobs',
  list: 'List of jobs',
  upload: 'Upload files',
  export: 'Export to Excel',
  columns: {
    file: 'File',
    status: 'Status',
    format: 'Format',
    profile: 'Profile',
    source: 'Source',
    updated: 'Updated',
    actions: 'Actions',
  },
  filters: {
    label: 'Filters',
    any: 'Any',
    fileName: 'File name contains',
    from: 'Created from (UTC)',
    to: 'Created until (UTC)',
    clear: 'Clear filters',
  },
  tickAll: 'Select all on this page',
  tick: 'Select {{name}}',
  downloadOf: 'Download the output of {{name}}',
  deleteOf: 'Delete the job of {{name}}',
  none: 'No job yet',
  noneText:
    'Drop files into a watched folder, or upload some here. Each becomes a job that you can follow on this page.',
  noMatch: 'No job fits these filters',
  noMatchText: 'Widen the dates or clear the filters to see more.',
  bulk: {
    label: 'Selected jobs',
    selected_one: '{{count}} selected',
    selected_other: '{{count}} selected',
    zip: 'Download ZIP ({{count}})',
    retry: 'Retry ({{count}})',
    cancel: 'Cancel ({{count}})',
    delete: 'Delete ({{count}})',
    retryTitle_one: 'Retry {{count}} job?',
    retryTitle_other: 'Retry {{count}} jobs?',
    retryText: 'Each failed job gets a new job with the same input and profile. The failed ones stay in the list.',
    cancelTitle_one: 'Cancel {{count}} job?',
    cancelTitle_other: 'Cancel {{count}} jobs?',
    cancelText: 'Their files stay where they are and are not taken up again by themselves.',
    deleteTitle_one: 'Delete {{count}} job?',
    deleteTitle_other: 'Delete {{count}} jobs?',
    deleteText:
      'Their history, their staged files and their outputs are removed. Waiting jobs are canceled first. This cannot be undone.',
    done: '{{done}} of {{all}} done.',
    failuresTitle_one: '{{count}} job was left alone',
    failuresTitle_other: '{{count}} jobs were left alone',
  },
} as const

/** The texts of the list of jobs. */
export const jobsTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Jobs',
    list: 'Lista de jobs',
    upload: 'Enviar arquivos',
    export: 'Exportar para Excel',
    columns: {
      file: 'Arquivo',
      status: 'Status',
      format: 'Formato',
      profile: 'Perfil',
      source: 'Origem',
      updated: 'Atualizado',
      actions: 'Ações',
    },
    filters: {
      label: 'Filtros',
      any: 'Qualquer',
      fileName: 'Nome do arquivo contém',
      from: 'Criado desde (UTC)',
      to: 'Criado até (UTC)',
      clear: 'Limpar filtros',
    },
    tickAll: 'Selecionar todos desta página',
    tick: 'Selecionar {{name}}',
    downloadOf: 'Baixar a saída de {{name}}',
    deleteOf: 'Excluir o job de {{name}}',
    none: 'Nenhum job ainda',
    noneText:
      'Coloque arquivos em uma pasta monitorada ou envie alguns aqui. Cada um vira um job que você acompanha nesta página.',
    noMatch: 'Nenhum job corresponde aos filtros',
    noMatchText: 'Amplie as datas ou limpe os filtros para ver mais.',
    bulk: {
      label: 'Jobs selecionados',
      selected_one: '{{count}} selecionado',
      selected_other: '{{count}} selecionados',
      zip: 'Baixar ZIP ({{count}})',
      retry: 'Reprocessar ({{count}})',
      cancel: 'Cancelar ({{count}})',
      delete: 'Excluir ({{count}})',
      retryTitle_one: 'Reprocessar {{count}} job?',
      retryTitle_other: 'Reprocessar {{count}} jobs?',
      retryText:
        'Cada job com falha ganha um novo job com a mesma entrada e o mesmo perfil. Os que falharam continuam na lista.',
      cancelTitle_one: 'Cancelar {{count}} job?',
      cancelTitle_other: 'Cancelar {{count}} jobs?',
      cancelText: 'Os arquivos ficam onde estão e não são retomados sozinhos.',
      deleteTitle_one: 'Excluir {{count}} job?',
      deleteTitle_other: 'Excluir {{count}} jobs?',
      deleteText:
        'Histórico, cópias de trabalho e saídas são removidos. Os que aguardam são cancelados antes. Não há como desfazer.',
      done: '{{done}} de {{all}} feitos.',
      failuresTitle_one: '{{count}} job ficou como estava',
      failuresTitle_other: '{{count}} jobs ficaram como estavam',
    },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'batch-jobs': typeof english
  }
}
