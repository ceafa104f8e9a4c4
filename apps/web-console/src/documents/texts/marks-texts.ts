import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Places of signatures',
  lead: 'Put marks where signatures shall be seen, then save.',
  file: 'File',
  add: 'Mark for {{name}} on page {{page}}',
  anybody: 'a signature',
  list: 'Marks',
  none: 'No mark on this file yet.',
  on: '{{name}}, page {{page}}',
  remove: 'Remove the mark of {{name}}',
  save: 'Save',
  saved: 'The places were saved. You can close this page.',
  expired: 'This page can no longer be used',
} as const

/** The texts of the page of a marks session. */
export const marksTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Lugares das assinaturas',
    lead: 'Ponha as marcas onde as assinaturas devem aparecer e salve.',
    file: 'Arquivo',
    add: 'Marca de {{name}} na página {{page}}',
    anybody: 'uma assinatura',
    list: 'Marcas',
    none: 'Nenhuma marca neste arquivo ainda.',
    on: '{{name}}, página {{page}}',
    remove: 'Remover a marca de {{name}}',
    save: 'Salvar',
    saved: 'Os lugares foram salvos. Você pode fechar esta página.',
    expired: 'Esta página não pode mais ser usada',
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'documents-marks': typeof english
  }
}
