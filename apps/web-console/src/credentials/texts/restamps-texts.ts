import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Archive renewals',
  lead: 'Archive timestamps of signed documents are renewed by themselves before they end.',
  document: 'Document',
  documents: {
    AcademicDocumentation: 'Academic documentation',
    Degree: 'Degree',
    AcademicTranscript: 'Academic transcript',
    Curriculum: 'Curriculum',
  },
  expires: 'Archive holds until',
  date: 'Renewal',
  state: 'State',
  status: { Scheduled: 'Planned', Applied: 'Renewed', ApplyingError: 'Failed' },
  retry: 'Try again',
  retried: 'It is tried again now.',
  empty: 'No renewal yet',
  emptyText: 'They are planned when the archive timestamp of a document comes near its end.',
} as const

/** The texts of the renewals of archives. */
export const restampsTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Renovações de arquivamento',
    lead: 'Os carimbos de arquivamento dos documentos assinados são renovados antes do fim.',
    document: 'Documento',
    documents: {
      AcademicDocumentation: 'Documentação acadêmica',
      Degree: 'Diploma',
      AcademicTranscript: 'Histórico escolar',
      Curriculum: 'Currículo',
    },
    expires: 'Arquivamento vale até',
    date: 'Renovação',
    state: 'Situação',
    status: { Scheduled: 'Prevista', Applied: 'Renovado', ApplyingError: 'Com falha' },
    retry: 'Tentar de novo',
    retried: 'Está sendo tentada de novo.',
    empty: 'Nenhuma renovação ainda',
    emptyText: 'São previstas quando o carimbo de arquivamento de um documento se aproxima do fim.',
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'credentials-restamps': typeof english
  }
}
