import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  product: 'Documents',
  nav: { documents: 'Documents', new: 'New document', webhooks: 'Webhooks', organization: 'Organization' },
  signedInAs: 'Signed in as {{name}}',
  account: 'Your account',
  actingFor: 'Acting for',
  personal: '{{name}} (personal)',
  signOut: 'Sign out',
  notAllowed: {
    title: 'Your role does not allow this',
    text: 'Administrators of the organization give roles to its users.',
    rights: 'Who may do what',
  },
  code: 'Code of the authenticator app',
  codeHint: 'Or one of your recovery codes.',
  status: {
    Pending: 'Pending',
    FlowConcluded: 'Finishing',
    Concluded: 'Concluded',
    Refused: 'Refused',
    Canceled: 'Canceled',
    Expired: 'Expired',
  },
  didNotAct: 'Did not act',
  actionStatus: { Created: 'Not yet', Pending: 'Waiting', Completed: 'Done', Refused: 'Refused' },
  actionType: {
    Signer: 'Signer',
    Approver: 'Approver',
    SignRule: 'Signers by rule',
    ApproverRule: 'Approvers by rule',
  },
  content: {
    Signatures: 'Signed document',
    Original: 'Original',
    PrinterFriendlyVersion: 'Version to print',
    SignaturesManifest: 'Signature manifest',
    OriginalWithMarks: 'Original with marks',
    SignatureMarks: 'Marks alone',
    SigningTags: 'Signing tags',
  },
  language: { Pt: 'Portuguese', En: 'English', Es: 'Spanish' },
  pdf: {
    label: 'Pages of the document',
    page: 'Page {{page}} of {{pages}}',
    smaller: 'Smaller',
    larger: 'Larger',
    unreadable: 'This PDF cannot be shown here.',
    noPreview: 'Files of this type are not shown here. Download it to read it.',
    mark: 'Signature mark of {{name}} on page {{page}}',
    markHint:
      'Arrow keys move the mark, with Shift they change its size, with Alt in small steps. Delete removes it where that is allowed.',
  },
} as const

/** The texts of the frame and of what several pages share. */
export const commonTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    product: 'Documentos',
    nav: { documents: 'Documentos', new: 'Novo documento', webhooks: 'Webhooks', organization: 'Organização' },
    signedInAs: 'Conectado como {{name}}',
    account: 'Sua conta',
    actingFor: 'Agindo por',
    personal: '{{name}} (pessoal)',
    signOut: 'Sair',
    notAllowed: {
      title: 'O seu papel não permite isso',
      text: 'Administradores da organização dão papéis aos usuários.',
      rights: 'Quem pode o quê',
    },
    code: 'Código do aplicativo autenticador',
    codeHint: 'Ou um dos seus códigos de recuperação.',
    status: {
      Pending: 'Pendente',
      FlowConcluded: 'Finalizando',
      Concluded: 'Concluído',
      Refused: 'Recusado',
      Canceled: 'Cancelado',
      Expired: 'Expirado',
    },
    didNotAct: 'Não agiu',
    actionStatus: { Created: 'Ainda não', Pending: 'Aguardando', Completed: 'Feito', Refused: 'Recusado' },
    actionType: {
      Signer: 'Signatário',
      Approver: 'Aprovador',
      SignRule: 'Signatários por regra',
      ApproverRule: 'Aprovadores por regra',
    },
    content: {
      Signatures: 'Documento assinado',
      Original: 'Original',
      PrinterFriendlyVersion: 'Versão para impressão',
      SignaturesManifest: 'Manifesto de assinaturas',
      OriginalWithMarks: 'Original com marcas',
      SignatureMarks: 'Somente as marcas',
      SigningTags: 'Etiquetas de assinatura',
    },
    language: { Pt: 'Português', En: 'Inglês', Es: 'Espanhol' },
    pdf: {
      label: 'Páginas do documento',
      page: 'Página {{page}} de {{pages}}',
      smaller: 'Diminuir',
      larger: 'Aumentar',
      unreadable: 'Este PDF não pode ser mostrado aqui.',
      noPreview: 'Arquivos deste tipo não são mostrados aqui. Baixe-o para ler.',
      mark: 'Marca de assinatura de {{name}} na página {{page}}',
      markHint:
        'As setas movem a marca; com Shift mudam o tamanho; com Alt, em passos pequenos. Delete remove onde é permitido.',
    },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    documents: typeof english
  }
}
