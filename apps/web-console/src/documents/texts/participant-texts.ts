import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  asked: {
    Signer: '{{name}}, you are asked to sign this document.',
    SignRule: '{{name}}, you are asked to sign this document.',
    Approver: '{{name}}, you are asked to approve this document.',
    ApproverRule: '{{name}}, you are asked to approve this document.',
  },
  sentBy: 'Sent by {{name}}',
  sentByOf: 'Sent by {{name}}, {{organization}}',
  until: 'You can act until {{date}}.',
  linkUntil: 'This link works until {{date}}.',
  capacity: 'In the capacity of {{title}}',
  others: 'Participants',
  attachments: 'Attachments',
  download: 'Download the document',
  closed: {
    Completed: { title: 'You have acted already', text: 'Nothing more is asked of you.' },
    Created: { title: 'It is not your turn yet', text: 'You will be told when others have acted.' },
    Refused: { title: 'You refused this document', text: 'Nothing more is asked of you.' },
    Pending: { title: 'Nothing to do now', text: 'This document waits for somebody else.' },
  },
  ended: { title: 'This document has ended', text: 'Its status is: {{status}}.' },
  invalid: 'This address cannot be used',
  expired: {
    title: 'This link has expired, or is not complete',
    text: 'A new one can be sent to the address that the sender of the document has of you.',
    send: 'Send me a new link',
    sent: 'A new link is on its way to {{to}}.',
  },
  how: {
    electronic: 'With a code by e-mail',
    simple: 'Without a certificate',
  },
  code: {
    hint: 'A code is sent to {{email}}. With it you sign without a certificate of your own.',
    simpleHint: 'You sign without a certificate of your own. Who, when and from where is recorded.',
    confirms: 'A code sent to your e-mail address confirms that it is you.',
    send: 'Send me the code',
    sent: 'The code was sent to {{to}}.',
    again: 'Send another code',
    code: 'Code',
    sign: 'Sign',
  },
  cloud: {
    elsewhere: {
      title: 'Nothing was signed',
      text: 'The signature was begun in another browser, or too long ago. Open the link of your invitation and begin again.',
    },
  },
  mark: {
    title: 'Place of your signature',
    add: 'Show it on page {{page}}',
    move: 'Drag the mark on the page to where your signature shall be seen.',
    remove: 'Do not show it',
    fixed: 'The sender has chosen where your signature is seen.',
  },
  approve: 'Approve',
  refuse: 'Refuse',
  refuseTitle: 'Refuse the document',
  refuseText: 'Who sent it is told the reason.',
  refuseReason: 'Reason',
  done: {
    documentSigned: 'You signed the document',
    documentApproved: 'You approved the document',
    documentRefused: 'You refused the document',
    text: 'Who sent it is told, and so are you when everybody has acted.',
    refusedText: 'Who sent it is told the reason.',
    download: 'Download the signed document',
    validate: 'Validation page of the document',
    key: 'Verification code',
  },
} as const

/** The texts of the participant's page. */
export const participantTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    asked: {
      Signer: '{{name}}, pedem a sua assinatura neste documento.',
      SignRule: '{{name}}, pedem a sua assinatura neste documento.',
      Approver: '{{name}}, pedem a sua aprovação deste documento.',
      ApproverRule: '{{name}}, pedem a sua aprovação deste documento.',
    },
    sentBy: 'Enviado por {{name}}',
    sentByOf: 'Enviado por {{name}}, {{organization}}',
    until: 'Você pode agir até {{date}}.',
    linkUntil: 'Este link funciona até {{date}}.',
    capacity: 'Na qualidade de {{title}}',
    others: 'Participantes',
    attachments: 'Anexos',
    download: 'Baixar o documento',
    closed: {
      Completed: { title: 'Você já agiu', text: 'Nada mais é pedido a você.' },
      Created: { title: 'Ainda não é a sua vez', text: 'Você será avisado quando os outros tiverem agido.' },
      Refused: { title: 'Você recusou este documento', text: 'Nada mais é pedido a você.' },
      Pending: { title: 'Nada a fazer agora', text: 'Este documento espera por outra pessoa.' },
    },
    ended: { title: 'Este documento foi encerrado', text: 'Situação: {{status}}.' },
    invalid: 'Este endereço não pode ser usado',
    expired: {
      title: 'Este link expirou ou está incompleto',
      text: 'Um novo pode ser enviado ao endereço que o remetente do documento tem de você.',
      send: 'Enviar um novo link',
      sent: 'Um novo link está a caminho de {{to}}.',
    },
    how: {
      electronic: 'Com um código por e-mail',
      simple: 'Sem certificado',
    },
    code: {
      hint: 'Um código é enviado para {{email}}. Com ele você assina sem certificado próprio.',
      simpleHint: 'Você assina sem certificado próprio. Fica registrado quem, quando e de onde.',
      confirms: 'Um código enviado ao seu e-mail confirma que é você.',
      send: 'Enviar o código',
      sent: 'O código foi enviado para {{to}}.',
      again: 'Enviar outro código',
      code: 'Código',
      sign: 'Assinar',
    },
    cloud: {
      elsewhere: {
        title: 'Nada foi assinado',
        text: 'A assinatura foi iniciada em outro navegador, ou há muito tempo. Abra o link do seu convite e comece de novo.',
      },
    },
    mark: {
      title: 'Lugar da sua assinatura',
      add: 'Mostrar na página {{page}}',
      move: 'Arraste a marca na página para onde a sua assinatura deve aparecer.',
      remove: 'Não mostrar',
      fixed: 'Quem enviou escolheu onde a sua assinatura aparece.',
    },
    approve: 'Aprovar',
    refuse: 'Recusar',
    refuseTitle: 'Recusar o documento',
    refuseText: 'Quem o enviou fica sabendo o motivo.',
    refuseReason: 'Motivo',
    done: {
      documentSigned: 'Você assinou o documento',
      documentApproved: 'Você aprovou o documento',
      documentRefused: 'Você recusou o documento',
      text: 'Quem o enviou é avisado, e você também quando todos tiverem agido.',
      refusedText: 'Quem o enviou fica sabendo o motivo.',
      download: 'Baixar o documento assinado',
      validate: 'Página de validação do documento',
      key: 'Código de verificação',
    },
  },
}

declare module '../../shared/i18n/catalogue.ts' {
  interface Namespaces {
    'documents-participant': typeof english
  }
}
