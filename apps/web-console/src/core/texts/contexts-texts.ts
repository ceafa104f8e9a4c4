import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Security contexts',
  lead: 'Whom a subscription trusts. Those of the instance are the same for all.',
  add: 'New security context',
  noSubscription: 'No subscription yet',
  noSubscriptionText: 'Security contexts belong to a subscription; add one first.',
  builtIn: 'of the instance',
  default: 'default',
  fetched: 'fetched when first needed',
  moreRoots_one: 'and {{count}} more',
  moreRoots_other: 'and {{count}} more',
  intermediates_one: '{{count}} intermediate',
  intermediates_other: '{{count}} intermediates',
  choose: 'Make default',
  chooseOf: 'Make default: {{name}}',
  chosen: '{{name}} is the default now.',
  change: 'Change',
  changeOf: 'Change {{name}}',
  changed: '{{name}} was changed.',
  created: '{{name}} was made.',
  deleteOf: 'Delete {{name}}',
  deleteText: 'Requests that name it are refused from now on.',
  deleted: '{{name}} was deleted.',
  roots: 'Trusted roots (PEM)',
  rootsHint_one: '{{count}} certificate found',
  rootsHint_other: '{{count}} certificates found',
  intermediatesField: 'Intermediates (PEM)',
  intermediatesHint: 'Optional: authorities that are known, but not trusted by themselves.',
  revocationField: 'Unknown revocation status',
  policies: 'Accepted certificate policies',
  policiesHint: 'Optional: OIDs; a certificate has one at or under one of these.',
  revocation: {
    Required: 'is an error',
    IgnoreUnknown: 'is a warning',
  },
  columns: {
    name: 'Security context',
    id: 'Id',
    roots: 'Trusts',
    rules: 'Unknown revocation status',
  },
} as const

/** The texts of the page of security contexts. */
export const contextsTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Contextos de segurança',
    lead: 'Em quem uma conta confia. Os da instância são os mesmos para todas.',
    add: 'Novo contexto de segurança',
    noSubscription: 'Nenhuma conta ainda',
    noSubscriptionText: 'Contextos de segurança pertencem a uma conta; crie uma antes.',
    builtIn: 'da instância',
    default: 'padrão',
    fetched: 'buscadas no primeiro uso',
    moreRoots_one: 'e mais {{count}}',
    moreRoots_other: 'e mais {{count}}',
    intermediates_one: '{{count}} intermediária',
    intermediates_other: '{{count}} intermediárias',
    choose: 'Tornar padrão',
    chooseOf: 'Tornar padrão: {{name}}',
    chosen: '{{name}} agora é o padrão.',
    change: 'Alterar',
    changeOf: 'Alterar {{name}}',
    changed: '{{name}} foi alterado.',
    created: '{{name}} foi criado.',
    deleteOf: 'Excluir {{name}}',
    deleteText: 'Pedidos que o nomeiam são recusados a partir de agora.',
    deleted: '{{name}} foi excluído.',
    roots: 'Raízes confiáveis (PEM)',
    rootsHint_one: '{{count}} certificado encontrado',
    rootsHint_other: '{{count}} certificados encontrados',
    intermediatesField: 'Intermediárias (PEM)',
    intermediatesHint: 'Opcional: autoridades conhecidas, mas não confiáveis por si.',
    revocationField: 'Revogação desconhecida',
    policies: 'Políticas de certificado aceitas',
    policiesHint: 'Opcional: OIDs; o certificado tem uma igual ou abaixo de uma destas.',
    revocation: {
      Required: 'é um erro',
      IgnoreUnknown: 'é um aviso',
    },
    columns: {
      name: 'Contexto de segurança',
      id: 'Id',
      roots: 'Confia em',
      rules: 'Revogação desconhecida',
    },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'core-contexts': typeof english
  }
}
