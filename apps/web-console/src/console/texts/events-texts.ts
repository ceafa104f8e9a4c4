import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Events',
  lead: 'What administrators did and what the server found, newest first.',
  caption: 'Events',
  filters: 'Filter the events',
  empty: 'No event yet',
  emptyText: 'Whatever is changed here is written down.',
  type: 'What happened',
  q: 'Contains',
  columns: { time: 'Time', type: 'What happened', text: 'In detail', subject: 'About', actor: 'By' },
  from: 'from {{address}}',
  download: { csv: 'Download as CSV', jsonl: 'Download as JSON' },
  agent: 'a workstation agent',
  application: 'the application {{name}}',
  operator: 'somebody at the server',
  server: 'the server itself',
} as const

/** The texts of the page of events. */
export const eventsTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Eventos',
    lead: 'O que os administradores fizeram e o que o servidor encontrou, o mais recente primeiro.',
    caption: 'Eventos',
    filters: 'Filtrar os eventos',
    empty: 'Nenhum evento ainda',
    emptyText: 'Tudo o que se altera aqui é anotado.',
    type: 'O que houve',
    q: 'Contém',
    columns: { time: 'Hora', type: 'O que houve', text: 'Em detalhe', subject: 'Sobre', actor: 'Por' },
    from: 'de {{address}}',
    download: { csv: 'Baixar como CSV', jsonl: 'Baixar como JSON' },
    agent: 'um agente de estação',
    application: 'a aplicação {{name}}',
    operator: 'alguém no servidor',
    server: 'o próprio servidor',
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'console-events': typeof english
  }
}
