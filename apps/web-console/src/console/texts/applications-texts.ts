import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Applications',
  lead: 'Programs that open sessions and sign. Any key of an application opens the whole API.',
  empty: 'No application yet',
  emptyText: 'Add one and make a key for it; then it can call the API.',
  add: 'New application',
  name: 'Name',
  create: 'Create',
  created: 'The application {{name}} was made.',
  since: 'since {{date}}',
  disabled: 'Disabled',
  disable: 'Disable',
  disableOf: 'Disable {{name}}',
  disableText: 'None of its keys is accepted until it is enabled again. Sessions it opened stay until they end.',
  wasDisabled: '{{name}} is disabled.',
  enable: 'Enable',
  enableOf: 'Enable {{name}}',
  wasEnabled: '{{name}} is enabled.',
  keys: 'Keys of {{name}}',
  noKeys: 'No key yet.',
  columns: { description: 'Key', created: 'Made', lastUse: 'Last used', expires: 'Expires', state: 'State' },
  never: 'never',
  newKey: 'New key',
  newKeyOf: 'New key of {{name}}',
  description: 'What it is for',
  expiry: 'Last day',
  expiryHint: 'Optional; without one the key is good until it is revoked.',
  keyMade: 'The key was made.',
  keyText: 'Keep it in a safe place: it is shown this once. Calls carry it in the header X-API-Key.',
  keyWhat: 'API key',
  revoke: 'Revoke',
  revokeOf: 'Revoke the key {{name}}',
  revokeText: 'Calls with it are refused from now on. Nobody can take that back.',
  revoked: 'The key {{name}} was revoked.',
} as const

/** The texts of the page of client applications. */
export const applicationsTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Aplicações',
    lead: 'Programas que abrem sessões e assinam. Qualquer chave de uma aplicação abre toda a API.',
    empty: 'Nenhuma aplicação ainda',
    emptyText: 'Adicione uma e crie uma chave para ela; então ela pode chamar a API.',
    add: 'Nova aplicação',
    name: 'Nome',
    create: 'Criar',
    created: 'A aplicação {{name}} foi criada.',
    since: 'desde {{date}}',
    disabled: 'Desativada',
    disable: 'Desativar',
    disableOf: 'Desativar {{name}}',
    disableText:
      'Nenhuma das suas chaves é aceita até que seja reativada. As sessões que ela abriu ficam até terminarem.',
    wasDisabled: '{{name}} está desativada.',
    enable: 'Ativar',
    enableOf: 'Ativar {{name}}',
    wasEnabled: '{{name}} está ativa.',
    keys: 'Chaves de {{name}}',
    noKeys: 'Nenhuma chave ainda.',
    columns: { description: 'Chave', created: 'Criada', lastUse: 'Último uso', expires: 'Expira', state: 'Situação' },
    never: 'nunca',
    newKey: 'Nova chave',
    newKeyOf: 'Nova chave de {{name}}',
    description: 'Para que serve',
    expiry: 'Último dia',
    expiryHint: 'Opcional; sem ele a chave vale até ser revogada.',
    keyMade: 'A chave foi criada.',
    keyText: 'Guarde-a em lugar seguro: ela é mostrada só desta vez. As chamadas a levam no cabeçalho X-API-Key.',
    keyWhat: 'chave de API',
    revoke: 'Revogar',
    revokeOf: 'Revogar a chave {{name}}',
    revokeText: 'Chamadas com ela passam a ser recusadas. Não há como voltar atrás.',
    revoked: 'A chave {{name}} foi revogada.',
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'console-applications': typeof english
  }
}
