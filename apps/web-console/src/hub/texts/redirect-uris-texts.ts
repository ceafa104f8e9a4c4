import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Redirect URIs',
  of: 'Redirect URIs of {{name}}',
  none: 'None: no session can be made with this key.',
  change: 'Change',
  changeOf: 'Change the redirect URIs of {{name}}',
  onePerLine: 'One per line.',
  rule: 'Absolute and https (http on this machine only). Scheme, host, port and path must be the same in a call; its query is free.',
  another: 'Another redirect URI',
  add: 'Add',
  added: '{{uri}} was added.',
  removeOf: 'Remove {{uri}}',
  removed: 'The redirect URI was removed.',
  done: 'Done',
} as const

/** The texts about the redirect URIs of a key. */
export const redirectUrisTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'URIs de retorno',
    of: 'URIs de retorno de {{name}}',
    none: 'Nenhuma: não é possível criar sessões com esta chave.',
    change: 'Alterar',
    changeOf: 'Alterar as URIs de retorno de {{name}}',
    onePerLine: 'Uma por linha.',
    rule: 'Absoluta e https (http só nesta máquina). Esquema, host, porta e caminho devem ser os mesmos na chamada; a query é livre.',
    another: 'Outra URI de retorno',
    add: 'Adicionar',
    added: '{{uri}} foi adicionada.',
    removeOf: 'Remover {{uri}}',
    removed: 'A URI de retorno foi removida.',
    done: 'Pronto',
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'hub-redirect-uris': typeof english
  }
}
