import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  title: 'To sign',
  lead: 'Documents of all institutions of the organization that wait for your signature.',
  whoTitle: 'As whom you sign',
  who: 'Your CPF shows what waits for you, and whose certificate is asked for. Who signs, the certificate proves.',
  cpf: 'CPF',
  cpfForWays: 'To sign with a cloud certificate or a token, say your CPF first.',
  signsAs: 'You sign as CPF {{cpf}}.',
  document: 'Document',
  awaits: 'Waits for',
  you: 'You',
  anybody: 'A person of the organization',
  since: 'Since',
  all: 'All on this page',
  one: 'Choose {{title}}',
  chosen: 'Chosen: {{count}}',
  sign: 'Sign the chosen ones',
  signOne: 'Sign the document',
  signMany: 'Sign {{count}} documents',
  signedOne: 'Signed.',
  signedMany: '{{count}} documents are signed.',
  notSigned: 'Not signed: {{count}}. All others are.',
  empty: 'Nothing waits for you',
  emptyText: 'Documents that wait for your signature appear here.',
  elsewhere:
    'This browser did not begin a signature, or too long ago. Nothing was signed. Begin again here if it was you.',
  result: {
    title: 'Your last signatures',
    column: 'Result',
    count: '{{signed}} of {{total}} are signed.',
    signing: 'The key is signing.',
    interrupted: 'The signature was interrupted before it was kept. Nothing was signed; sign again.',
    state: { signed: 'Signed', 'not-signed': 'Not signed', open: 'Being signed' },
  },
} as const

/** The texts of what waits for a person's signature. */
export const signaturesTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    title: 'A assinar',
    lead: 'Documentos de todas as instituições da organização que aguardam a sua assinatura.',
    whoTitle: 'Como você assina',
    who: 'O seu CPF mostra o que aguarda você e de quem é o certificado pedido. Quem assina, o certificado comprova.',
    cpf: 'CPF',
    cpfForWays: 'Para assinar com certificado em nuvem ou token, informe primeiro o seu CPF.',
    signsAs: 'Você assina com o CPF {{cpf}}.',
    document: 'Documento',
    awaits: 'Aguarda',
    you: 'Você',
    anybody: 'Uma pessoa da organização',
    since: 'Desde',
    all: 'Todos desta página',
    one: 'Escolher {{title}}',
    chosen: 'Escolhidos: {{count}}',
    sign: 'Assinar os escolhidos',
    signOne: 'Assinar o documento',
    signMany: 'Assinar {{count}} documentos',
    signedOne: 'Assinado.',
    signedMany: '{{count}} documentos foram assinados.',
    notSigned: 'Não assinados: {{count}}. Todos os outros foram.',
    empty: 'Nada aguarda você',
    emptyText: 'Documentos que aguardam a sua assinatura aparecem aqui.',
    elsewhere:
      'Este navegador não iniciou uma assinatura, ou faz tempo demais. Nada foi assinado. Se foi você, comece de novo aqui.',
    result: {
      title: 'Suas últimas assinaturas',
      column: 'Resultado',
      count: '{{signed}} de {{total}} assinados.',
      signing: 'A chave está assinando.',
      interrupted: 'A assinatura foi interrompida antes de ser guardada. Nada foi assinado; assine de novo.',
      state: { signed: 'Assinado', 'not-signed': 'Não assinado', open: 'Em assinatura' },
    },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'credentials-signatures': typeof english
  }
}
