import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Statistics',
  lead: 'The charts cover the chosen range; the counts cover every job the service still keeps.',
  range: 'Range',
  presets: { day: '24 hours', week: '7 days', month: '30 days' },
  from: 'From day',
  to: 'Until day',
  perBucket: 'How many, and how they ended',
  durations: 'Durations',
  byStatus: 'By status',
  bySource: 'By source',
  byFormat: 'By format',
  byProfile: 'By profile',
  none: 'No job yet.',
  remittances: {
    title: 'Signed remittances in reais',
    lead: 'They pay {{total}} in the chosen days.',
    day: 'Day',
    bank: 'Bank',
    company: 'Company',
    files: 'Files',
    payments: 'Payments',
    total: 'Total',
  },
} as const

/** The texts of the statistics. */
export const statisticsTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Estatísticas',
    lead: 'Os gráficos cobrem o período escolhido; as contagens, todos os jobs que o serviço ainda guarda.',
    range: 'Período',
    presets: { day: '24 horas', week: '7 dias', month: '30 dias' },
    from: 'Desde o dia',
    to: 'Até o dia',
    perBucket: 'Quantos, e como terminaram',
    durations: 'Durações',
    byStatus: 'Por status',
    bySource: 'Por origem',
    byFormat: 'Por formato',
    byProfile: 'Por perfil',
    none: 'Nenhum job ainda.',
    remittances: {
      title: 'Remessas assinadas, em reais',
      lead: 'Elas pagam {{total}} nos dias escolhidos.',
      day: 'Dia',
      bank: 'Banco',
      company: 'Empresa',
      files: 'Arquivos',
      payments: 'Pagamentos',
      total: 'Total',
    },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'batch-statistics': typeof english
  }
}
