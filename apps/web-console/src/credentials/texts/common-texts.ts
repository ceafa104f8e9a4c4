import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  product: 'Credentials',
  nav: {
    signatures: 'To sign',
    degrees: 'Degrees',
    emissions: 'Emissions',
    registrations: 'Registration desk',
    transcripts: 'Transcripts',
    curriculums: 'Curriculums',
    institutes: 'Institutions',
    partnerships: 'Partnerships',
    courses: 'Courses',
    flows: 'Signing flows',
    templates: 'Templates',
    organization: 'Organization',
    events: 'Audit events',
  },
  signedInAs: 'Signed in as {{name}}',
  account: 'Your account',
  actingFor: 'Acting for',
  signOut: 'Sign out',
  role: {
    Administrador: 'Administrator',
    Gerente: 'Manager',
  },
  nowhere: {
    title: 'No organization',
    none: 'You belong to no organization that is active',
    text: 'Ask whoever invited you. An organization may have removed you, or be disabled.',
  },
  save: 'Save',
  change: 'Change',
  remove: 'Delete',
  search: 'Search',
  clear: 'Clear filters',
  actions: 'Actions',
  all: 'All',
  range: '{{from}}–{{to}}',
  rangeOf: '{{from}}–{{to}} of {{total}}',
  noneFound: 'Nothing matches',
  noneFoundText: 'Change or clear the filters.',
  restricted: 'Only an administrator changes this.',
  searchText: 'Search for',
  institute: 'Institution',
  anyInstitute: 'All institutions',
  created: 'Created',
  updated: 'Last change',
} as const

/** The texts of the frame and of what several pages share. */
export const commonTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    product: 'Credenciais',
    nav: {
      signatures: 'A assinar',
      degrees: 'Diplomas',
      emissions: 'Emissões',
      registrations: 'Mesa de registro',
      transcripts: 'Históricos',
      curriculums: 'Currículos',
      institutes: 'Instituições',
      partnerships: 'Parcerias',
      courses: 'Cursos',
      flows: 'Fluxos de assinatura',
      templates: 'Modelos',
      organization: 'Organização',
      events: 'Eventos de auditoria',
    },
    signedInAs: 'Conectado como {{name}}',
    account: 'Sua conta',
    actingFor: 'Agindo por',
    signOut: 'Sair',
    role: {
      Administrador: 'Administrador',
      Gerente: 'Gerente',
    },
    nowhere: {
      title: 'Nenhuma organização',
      none: 'Você não pertence a nenhuma organização ativa',
      text: 'Fale com quem convidou você. A organização pode ter removido você ou estar desativada.',
    },
    save: 'Salvar',
    change: 'Alterar',
    remove: 'Excluir',
    search: 'Buscar',
    clear: 'Limpar filtros',
    actions: 'Ações',
    all: 'Todas',
    range: '{{from}}–{{to}}',
    rangeOf: '{{from}}–{{to}} de {{total}}',
    noneFound: 'Nada corresponde',
    noneFoundText: 'Altere ou limpe os filtros.',
    restricted: 'Somente um administrador altera isto.',
    searchText: 'Buscar por',
    institute: 'Instituição',
    anyInstitute: 'Todas as instituições',
    created: 'Criação',
    updated: 'Última alteração',
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    credentials: typeof english
  }
}
