import { createCatalogue, LANGUAGES } from '@chancela/service-kernel/i18n'

/** All texts of the mails; text written by users is inserted unchanged. */
export const mailTexts = createCatalogue(LANGUAGES, {
  hello: { 'pt-BR': 'Olá, {{name}},', 'en-US': 'Hello {{name}},', es: 'Hola, {{name}}:' },
  'hello.nobody': { 'pt-BR': 'Olá,', 'en-US': 'Hello,', es: 'Hola:' },
  'documents.more': {
    'pt-BR': { one: '{{first}} e mais 1 documento', other: '{{first}} e mais {{count}} documentos' },
    'en-US': { one: '{{first}} and 1 more document', other: '{{first}} and {{count}} more documents' },
    es: { one: '{{first}} y 1 documento más', other: '{{first}} y {{count}} documentos más' },
  },
  footer: {
    'pt-BR': 'Mensagem automática em nome de {{organization}}. Não é preciso responder.',
    'en-US': 'Automatic message on behalf of {{organization}}. There is no need to answer.',
    es: 'Mensaje automático en nombre de {{organization}}. No es necesario responder.',
  },
  'footer.nobody': {
    'pt-BR': 'Mensagem automática. Não é preciso responder.',
    'en-US': 'Automatic message. There is no need to answer.',
    es: 'Mensaje automático. No es necesario responder.',
  },
  'link.copy': {
    'pt-BR': 'Se o botão não funcionar, copie este endereço para o navegador:',
    'en-US': 'If the button does not work, copy this address to your browser:',
    es: 'Si el botón no funciona, copie esta dirección en el navegador:',
  },
  'link.validity': {
    'pt-BR': {
      one: 'O link vale por 1 hora. Depois disso, a página dele envia um novo a este endereço.',
      other: 'O link vale por {{count}} horas. Depois disso, a página dele envia um novo a este endereço.',
    },
    'en-US': {
      one: 'The link is valid for 1 hour. After that, its page sends a new one to this address.',
      other: 'The link is valid for {{count}} hours. After that, its page sends a new one to this address.',
    },
    es: {
      one: 'El enlace vale por 1 hora. Después, su página envía uno nuevo a esta dirección.',
      other: 'El enlace vale por {{count}} horas. Después, su página envía uno nuevo a esta dirección.',
    },
  },
  'link.personal': {
    'pt-BR': 'O link é pessoal e age em seu nome: não o encaminhe.',
    'en-US': 'The link is personal and acts on your behalf: do not forward it.',
    es: 'El enlace es personal y actúa en su nombre: no lo reenvíe.',
  },

  'label.organization': { 'pt-BR': 'Organização', 'en-US': 'Organization', es: 'Organización' },
  'label.document': { 'pt-BR': 'Documento', 'en-US': 'Document', es: 'Documento' },
  'label.documents': { 'pt-BR': 'Documentos', 'en-US': 'Documents', es: 'Documentos' },
  'label.sender': { 'pt-BR': 'Solicitante', 'en-US': 'Requested by', es: 'Solicitante' },
  'label.deadline': { 'pt-BR': 'Prazo', 'en-US': 'Deadline', es: 'Plazo' },
  'label.message': { 'pt-BR': 'Mensagem', 'en-US': 'Message', es: 'Mensaje' },
  'label.reason': { 'pt-BR': 'Motivo', 'en-US': 'Reason', es: 'Motivo' },
  'label.refused-by': { 'pt-BR': 'Recusado por', 'en-US': 'Refused by', es: 'Rechazado por' },
  'label.canceled-by': { 'pt-BR': 'Cancelado por', 'en-US': 'Canceled by', es: 'Cancelado por' },
  'label.key': { 'pt-BR': 'Chave de verificação', 'en-US': 'Verification key', es: 'Clave de verificación' },
  'label.endpoint': { 'pt-BR': 'Endereço', 'en-US': 'Endpoint', es: 'Dirección' },

  'open.sign': { 'pt-BR': 'Ler e assinar', 'en-US': 'Read and sign', es: 'Leer y firmar' },
  'open.approve': { 'pt-BR': 'Ler e aprovar', 'en-US': 'Read and approve', es: 'Leer y aprobar' },
  'open.document': { 'pt-BR': 'Abrir o documento', 'en-US': 'Open the document', es: 'Abrir el documento' },
  'open.download': { 'pt-BR': 'Baixar o documento', 'en-US': 'Download the document', es: 'Descargar el documento' },
  'open.validation': {
    'pt-BR': 'Verificar as assinaturas',
    'en-US': 'Verify the signatures',
    es: 'Verificar las firmas',
  },
  'open.invitation': { 'pt-BR': 'Aceitar o convite', 'en-US': 'Accept the invitation', es: 'Aceptar la invitación' },
  'open.password-reset': {
    'pt-BR': 'Escolher uma nova senha',
    'en-US': 'Choose a new password',
    es: 'Elegir una contraseña nueva',
  },
  'open.webhooks': { 'pt-BR': 'Abrir os webhooks', 'en-US': 'Open the webhooks', es: 'Abrir los webhooks' },

  'invitation.subject': {
    'pt-BR': 'Convite: {{organization}}',
    'en-US': 'Invitation: {{organization}}',
    es: 'Invitación: {{organization}}',
  },
  'invitation.intro': {
    'pt-BR': '{{organization}} convidou você para a sua área de documentos. Aceite o convite para entrar.',
    'en-US': '{{organization}} invites you to its documents. Accept the invitation to sign in.',
    es: '{{organization}} le invita a sus documentos. Acepte la invitación para entrar.',
  },
  'invitation.validity': {
    'pt-BR': { one: 'O link vale por 1 hora.', other: 'O link vale por {{count}} horas.' },
    'en-US': { one: 'The link is valid for 1 hour.', other: 'The link is valid for {{count}} hours.' },
    es: { one: 'El enlace vale por 1 hora.', other: 'El enlace vale por {{count}} horas.' },
  },

  'password-reset.subject': {
    'pt-BR': 'Nova senha',
    'en-US': 'New password',
    es: 'Contraseña nueva',
  },
  'password-reset.intro': {
    'pt-BR': 'Alguém pediu uma nova senha para este endereço. Escolha-a para voltar a entrar.',
    'en-US': 'Somebody asked for a new password for this address. Choose it to sign in again.',
    es: 'Alguien pidió una contraseña nueva para esta dirección. Elíjala para volver a entrar.',
  },
  'password-reset.validity': {
    'pt-BR': {
      one: 'O link vale por 1 minuto e uma única vez.',
      other: 'O link vale por {{count}} minutos e uma única vez.',
    },
    'en-US': {
      one: 'The link is valid for 1 minute, and once.',
      other: 'The link is valid for {{count}} minutes, and once.',
    },
    es: {
      one: 'El enlace vale durante 1 minuto y una sola vez.',
      other: 'El enlace vale durante {{count}} minutos y una sola vez.',
    },
  },
  'password-reset.warning': {
    'pt-BR': 'Se você não pediu isto, ignore a mensagem: a sua senha continua a mesma.',
    'en-US': 'If it was not you who asked, ignore this message: your password stays as it is.',
    es: 'Si no fue usted quien lo pidió, ignore este mensaje: su contraseña sigue siendo la misma.',
  },

  'pending-action.sign.subject': {
    'pt-BR': 'Assinatura pendente: {{title}}',
    'en-US': 'Your signature is requested: {{title}}',
    es: 'Firma pendiente: {{title}}',
  },
  'pending-action.sign.intro': {
    'pt-BR': '{{sender}} pede a sua assinatura.',
    'en-US': '{{sender}} asks for your signature.',
    es: '{{sender}} solicita su firma.',
  },
  'pending-action.approve.subject': {
    'pt-BR': 'Aprovação pendente: {{title}}',
    'en-US': 'Your approval is requested: {{title}}',
    es: 'Aprobación pendiente: {{title}}',
  },
  'pending-action.approve.intro': {
    'pt-BR': '{{sender}} pede a sua aprovação.',
    'en-US': '{{sender}} asks for your approval.',
    es: '{{sender}} solicita su aprobación.',
  },
  'reminder.sign.subject': {
    'pt-BR': 'Lembrete: falta a sua assinatura em {{title}}',
    'en-US': 'Reminder: your signature is missing on {{title}}',
    es: 'Recordatorio: falta su firma en {{title}}',
  },
  'reminder.sign.intro': {
    'pt-BR': '{{sender}} ainda aguarda a sua assinatura.',
    'en-US': '{{sender}} is still waiting for your signature.',
    es: '{{sender}} todavía espera su firma.',
  },
  'reminder.approve.subject': {
    'pt-BR': 'Lembrete: falta a sua aprovação em {{title}}',
    'en-US': 'Reminder: your approval is missing on {{title}}',
    es: 'Recordatorio: falta su aprobación en {{title}}',
  },
  'reminder.approve.intro': {
    'pt-BR': '{{sender}} ainda aguarda a sua aprovação.',
    'en-US': '{{sender}} is still waiting for your approval.',
    es: '{{sender}} todavía espera su aprobación.',
  },

  'authentication-code.subject': {
    'pt-BR': 'Seu código para assinar: {{title}}',
    'en-US': 'Your code to sign: {{title}}',
    es: 'Su código para firmar: {{title}}',
  },
  'authentication-code.intro': {
    'pt-BR': 'Informe este código na página do documento para confirmar que é você:',
    'en-US': 'Enter this code on the page of the document to confirm that it is you:',
    es: 'Introduzca este código en la página del documento para confirmar que es usted:',
  },
  'authentication-code.validity': {
    'pt-BR': {
      one: 'Ele vale por 1 minuto e uma única vez.',
      other: 'Ele vale por {{count}} minutos e uma única vez.',
    },
    'en-US': { one: 'It is valid for 1 minute, and once.', other: 'It is valid for {{count}} minutes, and once.' },
    es: { one: 'Vale durante 1 minuto y una sola vez.', other: 'Vale durante {{count}} minutos y una sola vez.' },
  },
  'authentication-code.warning': {
    'pt-BR': 'Não o informe a ninguém. Se você não pediu um código, ignore esta mensagem.',
    'en-US': 'Tell it to nobody. If you did not ask for a code, ignore this message.',
    es: 'No lo comunique a nadie. Si no pidió un código, ignore este mensaje.',
  },

  'refused.subject': { 'pt-BR': 'Recusado: {{title}}', 'en-US': 'Refused: {{title}}', es: 'Rechazado: {{title}}' },
  'refused.intro': {
    'pt-BR': '{{refusedBy}} recusou o documento.',
    'en-US': '{{refusedBy}} has refused the document.',
    es: '{{refusedBy}} rechazó el documento.',
  },
  'concluded.subject': { 'pt-BR': 'Concluído: {{title}}', 'en-US': 'Concluded: {{title}}', es: 'Concluido: {{title}}' },
  'concluded.intro': {
    'pt-BR': 'Todos os participantes concluíram a sua parte.',
    'en-US': 'All participants have done their part.',
    es: 'Todos los participantes completaron su parte.',
  },
  'concluded.validation': {
    'pt-BR': 'Qualquer pessoa com a chave de verificação pode conferir as assinaturas em {{url}}',
    'en-US': 'Anybody who has the verification key can check the signatures at {{url}}',
    es: 'Cualquier persona con la clave de verificación puede comprobar las firmas en {{url}}',
  },
  'canceled.subject': { 'pt-BR': 'Cancelado: {{title}}', 'en-US': 'Canceled: {{title}}', es: 'Cancelado: {{title}}' },
  'canceled.intro': {
    'pt-BR': '{{canceledBy}} cancelou o documento. Nenhuma ação é mais necessária.',
    'en-US': '{{canceledBy}} has canceled the document. Nothing more needs to be done.',
    es: '{{canceledBy}} canceló el documento. Ya no se necesita ninguna acción.',
  },
  'expired.subject': {
    'pt-BR': 'Prazo encerrado: {{title}}',
    'en-US': 'Expired: {{title}}',
    es: 'Plazo vencido: {{title}}',
  },
  'expired.intro': {
    'pt-BR': 'O prazo terminou antes que todos os participantes concluíssem a sua parte.',
    'en-US': 'The deadline has passed before all participants had done their part.',
    es: 'El plazo terminó antes de que todos los participantes completaran su parte.',
  },
  'webhook-disabled.subject': {
    'pt-BR': 'Webhook desativado: {{endpoint}}',
    'en-US': 'Webhook disabled: {{endpoint}}',
    es: 'Webhook desactivado: {{endpoint}}',
  },
  'webhook-disabled.intro': {
    'pt-BR': 'Este webhook foi desativado e não recebe mais eventos. Corrija o destino e ative-o de novo.',
    'en-US': 'This webhook was disabled and receives no more events. Mend its receiver and enable it again.',
    es: 'Este webhook fue desactivado y ya no recibe eventos. Corrija el destino y actívelo de nuevo.',
  },
  'pending-summary.subject': {
    'pt-BR': { one: '1 documento aguarda você', other: '{{count}} documentos aguardam você' },
    'en-US': { one: '1 document is waiting for you', other: '{{count}} documents are waiting for you' },
    es: { one: '1 documento espera por usted', other: '{{count}} documentos esperan por usted' },
  },
  'pending-summary.intro': {
    'pt-BR': 'Estes documentos aguardam a sua ação:',
    'en-US': 'These documents are waiting for you:',
    es: 'Estos documentos esperan su acción:',
  },
})
