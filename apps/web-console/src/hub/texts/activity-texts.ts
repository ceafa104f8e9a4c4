import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  gone: 'removed',
  search: { identifier: 'CPF or CNPJ', application: 'Application', from: 'From', to: 'To' },
  sessions: {
    title: 'Sessions',
    lead: 'Newest first. Their values and tokens are shown to nobody.',
    filters: 'Filter the sessions',
    empty: 'No session yet',
    emptyText: 'Applications create one for each provider their users may choose.',
    state: 'State',
    columns: {
      provider: 'Provider',
      state: 'State',
      holder: 'Holder',
      application: 'Application',
      created: 'Created',
      until: 'Until',
    },
    uses: 'Uses',
    end: 'End',
    endOf: 'End the session of {{application}} at {{provider}}',
    endText: 'Its token is forgotten at once; the application must create another one, and the holder agree again.',
    ended: 'The session was ended.',
  },
  uses: {
    title: 'Uses',
    lead: 'What was done under sessions. Neither hashes nor signatures are kept.',
    filters: 'Filter the uses',
    empty: 'No use yet',
    emptyText: 'Each authorization, certificate read and signature is written down here.',
    action: 'What was done',
    outcome: 'Outcome',
    outcomes: { well: 'Succeeded', failed: 'Failed' },
    session: 'Session',
    hashes_one: '{{count}} hash',
    hashes_other: '{{count}} hashes',
    columns: {
      action: 'What was done',
      outcome: 'Outcome',
      provider: 'Provider',
      holder: 'Holder',
      application: 'Application',
      at: 'Time',
      took: 'Took',
      request: 'Request',
    },
    requestId: 'request id',
  },
} as const

/** The texts of the activity pages. */
export const activityTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    gone: 'removido',
    search: { identifier: 'CPF ou CNPJ', application: 'Aplicação', from: 'De', to: 'Até' },
    sessions: {
      title: 'Sessões',
      lead: 'A mais recente primeiro. Valores e tokens não são mostrados a ninguém.',
      filters: 'Filtrar as sessões',
      empty: 'Nenhuma sessão ainda',
      emptyText: 'As aplicações criam uma para cada provedor que os usuários podem escolher.',
      state: 'Situação',
      columns: {
        provider: 'Provedor',
        state: 'Situação',
        holder: 'Titular',
        application: 'Aplicação',
        created: 'Criada',
        until: 'Até',
      },
      uses: 'Usos',
      end: 'Encerrar',
      endOf: 'Encerrar a sessão de {{application}} em {{provider}}',
      endText: 'O token é esquecido na hora; a aplicação precisa criar outra, e o titular concordar de novo.',
      ended: 'A sessão foi encerrada.',
    },
    uses: {
      title: 'Usos',
      lead: 'O que foi feito nas sessões. Nem hashes nem assinaturas são guardados.',
      filters: 'Filtrar os usos',
      empty: 'Nenhum uso ainda',
      emptyText: 'Cada autorização, leitura de certificado e assinatura é anotada aqui.',
      action: 'O que foi feito',
      outcome: 'Resultado',
      outcomes: { well: 'Sucesso', failed: 'Falha' },
      session: 'Sessão',
      hashes_one: '{{count}} hash',
      hashes_other: '{{count}} hashes',
      columns: {
        action: 'O que foi feito',
        outcome: 'Resultado',
        provider: 'Provedor',
        holder: 'Titular',
        application: 'Aplicação',
        at: 'Hora',
        took: 'Levou',
        request: 'Requisição',
      },
      requestId: 'id da requisição',
    },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'hub-activity': typeof english
  }
}
