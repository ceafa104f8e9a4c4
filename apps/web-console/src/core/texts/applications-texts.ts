import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Applications',
  one: 'Application',
  lead: 'Programs that call the API. What their keys open is what their roles allow, in each subscription.',
  filters: 'Filter the applications',
  empty: 'No application yet',
  emptyText: 'Add one and make a key for it; then it can call the API.',
  add: 'New application',
  created: 'The application {{name}} was made.',
  instance: 'whole instance',
  noRoles: 'no role: it may do nothing',
  rolesThere: 'Roles in the subscription',
  rolesInInstance: 'Roles in the whole instance',
  rolesOf: 'Roles of {{name}}',
  rootRolesOf: 'Roles of {{name}} in the instance',
  rolesChanged: '{{name}} has other roles now.',
  changeRoles: 'Change roles in a subscription',
  changeRootRoles: 'Change roles in the instance',
  madeIn: 'Made in',
  keys: 'Keys',
  newKey: 'New key',
  noKeys: 'No key yet.',
  expires: 'Expires',
  lastUsed: 'Last used',
  never: 'never',
  deleteOf: 'Delete {{name}}',
  deleteText: 'Its keys are refused from now on, and its name is free. Nobody can take that back.',
  deleted: '{{name}} was deleted.',
  columns: {
    name: 'Application',
    state: 'State',
    roles: 'Roles',
    created: 'Made',
  },
} as const

/** The texts of the pages of applications. */
export const applicationsTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Aplicações',
    one: 'Aplicação',
    lead: 'Programas que chamam a API. O que as chaves abrem é o que os papéis permitem, em cada conta.',
    filters: 'Filtrar as aplicações',
    empty: 'Nenhuma aplicação ainda',
    emptyText: 'Crie uma e faça uma chave para ela; então ela pode chamar a API.',
    add: 'Nova aplicação',
    created: 'A aplicação {{name}} foi criada.',
    instance: 'toda a instância',
    noRoles: 'sem papel: não pode fazer nada',
    rolesThere: 'Papéis na conta',
    rolesInInstance: 'Papéis em toda a instância',
    rolesOf: 'Papéis de {{name}}',
    rootRolesOf: 'Papéis de {{name}} na instância',
    rolesChanged: '{{name}} agora tem outros papéis.',
    changeRoles: 'Alterar papéis em uma conta',
    changeRootRoles: 'Alterar papéis na instância',
    madeIn: 'Criada em',
    keys: 'Chaves',
    newKey: 'Nova chave',
    noKeys: 'Nenhuma chave ainda.',
    expires: 'Expira',
    lastUsed: 'Último uso',
    never: 'nunca',
    deleteOf: 'Excluir {{name}}',
    deleteText: 'As chaves são recusadas a partir de agora, e o nome fica livre. Ninguém pode desfazer isso.',
    deleted: '{{name}} foi excluída.',
    columns: {
      name: 'Aplicação',
      state: 'Situação',
      roles: 'Papéis',
      created: 'Criada',
    },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'core-applications': typeof english
  }
}
