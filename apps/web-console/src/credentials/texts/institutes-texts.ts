import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'Institutions',
  one: 'Institution',
  new: 'New institution',
  lead: 'Who issues and registers degrees, with the data that their documents show.',
  empty: 'No institution yet',
  emptyText: 'An administrator registers the first one, with its data at the e-MEC.',
  kind: {
    IssuerAndRegistrar: 'Issues and registers',
    Issuer: 'Issues',
    Registrar: 'Registers',
  },
  columns: {
    name: 'Name',
    kind: 'Kind',
    code: 'e-MEC code',
    cnpj: 'CNPJ',
    place: 'Place',
  },
  saved: '{{name}} was saved.',
  identity: {
    title: 'Identification',
    lead: 'As registered at the e-MEC.',
    publicUrlHint: 'An https address: the codes of documents follow it.',
    federal: 'Belongs to the federal education system',
  },
  address: {
    title: 'Where it is',
    lead: 'As it stands in the documents.',
  },
  acts: {
    title: 'Regulatory acts',
    lead: 'Each is published, or under way at the e-MEC.',
  },
  maintainer: {
    title: 'Maintainer',
    required: 'The layout of degrees asks registrars for it.',
    optional: 'Leave it empty if there is none to show.',
  },
  delete: {
    title: 'Delete {{name}}',
    text: 'Only an institution that has issued and registered nothing can be deleted.',
    done: '{{name}} was deleted.',
  },
  facts: {
    title: 'Overview',
    id: 'Id, for partners',
  },
  webhook: {
    title: 'Webhook of the institution',
    lead: 'Tells of its lists of annulled degrees and of its inspection files.',
  },
} as const

/** The texts of the pages of institutions. */
export const institutesTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'Instituições',
    one: 'Instituição',
    new: 'Nova instituição',
    lead: 'Quem emite e registra diplomas, com os dados que os documentos mostram.',
    empty: 'Nenhuma instituição ainda',
    emptyText: 'Um administrador cadastra a primeira, com os dados do e-MEC.',
    kind: {
      IssuerAndRegistrar: 'Emite e registra',
      Issuer: 'Emite',
      Registrar: 'Registra',
    },
    columns: {
      name: 'Nome',
      kind: 'Tipo',
      code: 'Código e-MEC',
      cnpj: 'CNPJ',
      place: 'Local',
    },
    saved: '{{name}} foi salva.',
    identity: {
      title: 'Identificação',
      lead: 'Conforme o cadastro no e-MEC.',
      publicUrlHint: 'Um endereço https: os códigos dos documentos vêm depois dele.',
      federal: 'Pertence ao sistema federal de ensino',
    },
    address: {
      title: 'Onde fica',
      lead: 'Como consta nos documentos.',
    },
    acts: {
      title: 'Atos regulatórios',
      lead: 'Cada um está publicado, ou em tramitação no e-MEC.',
    },
    maintainer: {
      title: 'Mantenedora',
      required: 'O leiaute do diploma a exige de registradoras.',
      optional: 'Deixe em branco se não houver o que mostrar.',
    },
    delete: {
      title: 'Excluir {{name}}',
      text: 'Só pode ser excluída uma instituição que nada emitiu nem registrou.',
      done: '{{name}} foi excluída.',
    },
    facts: {
      title: 'Visão geral',
      id: 'Identificador, para parceiras',
    },
    webhook: {
      title: 'Webhook da instituição',
      lead: 'Avisa das listas de diplomas anulados e dos arquivos de fiscalização desta instituição.',
    },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'credentials-institutes': typeof english
  }
}
