import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Biometric subjects',
  lead: 'Persons who agreed that their faces are kept. Identifiers are masked; search for the whole of one to find a person.',
  filters: 'Filter the biometric subjects',
  identifier: 'Whole identifier',
  empty: 'No biometric subject yet',
  emptyText: 'Persons who enroll their faces are listed here.',
  nobody: 'removed',
  version: 'text {{version}}',
  deleteOf: 'Delete the biometric data of {{name}}',
  deleteText:
    'Template, pictures and identifier are deleted for good. The person has to enroll again to be recognized; the row stays, without them.',
  wasDeleted: 'The biometric data were deleted.',
  state: {
    enrolled: 'Enrolled',
    deleted: 'Deleted',
  },
  columns: {
    subject: 'Person',
    state: 'State',
    consent: 'Consent',
    enrolled: 'Enrolled',
    deleted: 'Deleted',
  },
} as const

/** The texts of the page of biometric subjects. */
export const subjectsTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Pessoas com biometria',
    lead: 'Pessoas que concordaram em ter a face guardada. Os identificadores são mascarados; busque pelo identificador inteiro para achar uma pessoa.',
    filters: 'Filtrar as pessoas com biometria',
    identifier: 'Identificador inteiro',
    empty: 'Nenhuma pessoa com biometria ainda',
    emptyText: 'As pessoas que cadastram a face aparecem aqui.',
    nobody: 'removido',
    version: 'texto {{version}}',
    deleteOf: 'Excluir os dados biométricos de {{name}}',
    deleteText:
      'O modelo, as imagens e o identificador são excluídos para sempre. A pessoa precisa se cadastrar de novo para ser reconhecida; a linha fica, sem eles.',
    wasDeleted: 'Os dados biométricos foram excluídos.',
    state: {
      enrolled: 'Cadastrada',
      deleted: 'Excluída',
    },
    columns: {
      subject: 'Pessoa',
      state: 'Situação',
      consent: 'Consentimento',
      enrolled: 'Cadastro',
      deleted: 'Exclusão',
    },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'core-subjects': typeof english
  }
}
