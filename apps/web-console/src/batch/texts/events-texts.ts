import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Events',
  lead: 'What operators and the service itself did, newest first.',
  list: 'Event log',
  filters: 'Filters',
  contains: 'Text contains',
  from: 'From day',
  to: 'Until day',
  clear: 'Clear filters',
  types: 'Types of events',
  typesChosen_one: '{{count}} type chosen',
  typesChosen_other: '{{count}} types chosen',
  none: 'No event fits',
  noneText:
    'Pauses, profile edits, deletions, cleanups and backups leave an event here. Widen the filters to see more.',
  columns: { time: 'Time', type: 'Type', message: 'What happened', actor: 'By' },
} as const

/** The texts of the event log. */
export const eventsTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Eventos',
    lead: 'O que operadores e o próprio serviço fizeram, do mais novo ao mais antigo.',
    list: 'Registro de eventos',
    filters: 'Filtros',
    contains: 'Texto contém',
    from: 'Desde o dia',
    to: 'Até o dia',
    clear: 'Limpar filtros',
    types: 'Tipos de evento',
    typesChosen_one: '{{count}} tipo escolhido',
    typesChosen_other: '{{count}} tipos escolhidos',
    none: 'Nenhum evento corresponde',
    noneText:
      'Pausas, edições de perfil, exclusões, limpezas e backups deixam um evento aqui. Amplie os filtros para ver mais.',
    columns: { time: 'Horário', type: 'Tipo', message: 'O que houve', actor: 'Por' },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'batch-events': typeof english
  }
}
