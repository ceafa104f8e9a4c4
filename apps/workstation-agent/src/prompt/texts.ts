import { createCatalogue } from '@chancela/service-kernel/i18n'

const texts = {
  title: { 'pt-BR': 'Assinar com o seu certificado', 'en-US': 'Sign with your certificate' },
  asks: {
    'pt-BR': '{{application}} quer assinar documentos com o seu certificado.',
    'en-US': '{{application}} wants to sign documents with your certificate.',
  },
  application: { 'pt-BR': 'Aplicação', 'en-US': 'Application' },
  house: { 'pt-BR': 'Instituição', 'en-US': 'Organization' },
  server: { 'pt-BR': 'Servidor', 'en-US': 'Server' },
  'all-documents': {
    'pt-BR': 'Todos os que a aplicação enviar enquanto a sessão durar',
    'en-US': 'All that the application sends while the session lasts',
  },
  'some-documents': {
    'pt-BR': {
      one: 'Os de 1 pedido de assinatura da aplicação',
      other: 'Os de {{count}} pedidos de assinatura da aplicação',
    },
    'en-US': {
      one: 'Those of 1 request of the application',
      other: 'Those of {{count}} requests of the application',
    },
  },
  lasts: { 'pt-BR': 'Duração', 'en-US': 'Lasts' },
  idle: {
    'pt-BR': 'Até a aplicação encerrar a sessão, ou {{time}} sem assinatura',
    'en-US': 'Until the application ends the session, or {{time}} without a signature',
  },
  holder: { 'pt-BR': 'Titular', 'en-US': 'Holder' },
  cpf: { 'pt-BR': 'CPF', 'en-US': 'CPF' },
  place: { 'pt-BR': 'Token ou arquivo', 'en-US': 'Token or file' },
  until: { 'pt-BR': 'Responda até', 'en-US': 'Answer until' },
  certificate: { 'pt-BR': 'Certificado', 'en-US': 'Certificate' },
  pin: { 'pt-BR': 'PIN', 'en-US': 'PIN' },
  stays: {
    'pt-BR': 'O PIN fica na memória deste computador até a sessão ser encerrada; ele não é enviado a ninguém.',
    'en-US': 'The PIN stays in the memory of this computer until the session ends; it is sent to nobody.',
  },
  continue: { 'pt-BR': 'Continuar', 'en-US': 'Continue' },
  decline: { 'pt-BR': 'Recusar', 'en-US': 'Decline' },
  wrong: {
    'pt-BR': 'O PIN não foi aceito. Confira e digite de novo.',
    'en-US': 'The PIN was not accepted. Check it and type it again.',
  },
  'count-low': {
    'pt-BR': 'Um PIN errado foi digitado antes. Depois de alguns seguidos o token bloqueia.',
    'en-US': 'A wrong PIN was typed before. After some in a row the token locks.',
  },
  'final-try': {
    'pt-BR': 'Esta é a última tentativa: mais um PIN errado bloqueia o token.',
    'en-US': 'This is the last try: one more wrong PIN locks the token.',
  },
  'final-try-yes': { 'pt-BR': 'Entendo e quero tentar.', 'en-US': 'I understand and want to try.' },
  locked: {
    'pt-BR': 'O PIN do token está bloqueado. Desbloqueie-o com o programa do fabricante.',
    'en-US': 'The PIN of the token is locked. Unlock it with its maker’s program.',
  },
  gone: { 'pt-BR': 'O token ou o arquivo não está mais aqui.', 'en-US': 'The token or the file is not here any more.' },
  failed: { 'pt-BR': 'Não foi possível: {{reason}}', 'en-US': 'It did not work: {{reason}}' },
  accepted: { 'pt-BR': 'PIN aceito.', 'en-US': 'PIN accepted.' },
  'accepted-more': {
    'pt-BR': 'Você pode fechar esta página. Se a aplicação informou outro PIN, ela será recusada.',
    'en-US': 'You may close this page. If the application gave another PIN, it is refused.',
  },
  approved: { 'pt-BR': 'Assinatura aprovada.', 'en-US': 'Signature approved.' },
  'approved-more': {
    'pt-BR': 'Volte à página que pediu a assinatura: ela diz quando estiver pronta. Você pode fechar esta janela.',
    'en-US': 'Go back to the page that asked for the signature: it says when it is done. You may close this window.',
  },
  'approve-title': { 'pt-BR': 'Aprovar uma assinatura', 'en-US': 'Approve a signature' },
  'approve-test-title': { 'pt-BR': 'Testar este computador', 'en-US': 'Test this computer' },
  'approve-asks': {
    'pt-BR': {
      one: '{{site}} pede a sua assinatura em 1 documento.',
      other: '{{site}} pede a sua assinatura em {{count}} documentos.',
    },
    'en-US': {
      one: '{{site}} asks for your signature on 1 document.',
      other: '{{site}} asks for your signature on {{count}} documents.',
    },
  },
  'approve-test-asks': {
    'pt-BR': '{{site}} quer testar se este computador assina. Nenhum documento é assinado.',
    'en-US': '{{site}} wants to test whether this computer signs. No document is signed.',
  },
  'approve-code': {
    'pt-BR': 'Continue só se a página mostrar este mesmo código:',
    'en-US': 'Continue only if the page shows this same code:',
  },
  site: { 'pt-BR': 'Site', 'en-US': 'Site' },
  requester: { 'pt-BR': 'Em nome de', 'en-US': 'On behalf of' },
  documents: { 'pt-BR': 'Documentos', 'en-US': 'Documents' },
  'certificate-valid': { 'pt-BR': 'válido até {{date}}', 'en-US': 'valid until {{date}}' },
  'certificate-expired': { 'pt-BR': 'vencido em {{date}}', 'en-US': 'expired on {{date}}' },
  'approve-stays': {
    'pt-BR': 'O PIN não sai deste computador e é esquecido depois desta assinatura.',
    'en-US': 'The PIN does not leave this computer and is forgotten after this signature.',
  },
  sign: { 'pt-BR': 'Assinar', 'en-US': 'Sign' },
  test: { 'pt-BR': 'Testar', 'en-US': 'Test' },
  'code-title': { 'pt-BR': 'Ligar a uma página', 'en-US': 'Join a page' },
  'code-hint': {
    'pt-BR': 'Digite o código que a página de assinatura mostra.',
    'en-US': 'Type the code that the signing page shows.',
  },
  code: { 'pt-BR': 'Código', 'en-US': 'Code' },
  'code-not-a-code': {
    'pt-BR': 'Um código tem oito letras e números.',
    'en-US': 'A code has eight letters and digits.',
  },
  'code-not-found': {
    'pt-BR': 'Nenhuma página espera por este código. Ele vale uma vez e por poucos minutos: peça outro na página.',
    'en-US': 'No page waits for this code. It is good once and for some minutes: get another on the page.',
  },
  'code-too-many': {
    'pt-BR': 'Códigos errados demais. Espere cinco minutos.',
    'en-US': 'Too many wrong codes. Wait five minutes.',
  },
  'code-offline': {
    'pt-BR': 'O servidor não pode ser alcançado agora. Confira a conexão e tente de novo.',
    'en-US': 'The server cannot be reached now. Check the connection and try again.',
  },
  'code-no-certificate': {
    'pt-BR': 'Nenhum certificado está neste computador agora. Insira o token e peça outro código na página.',
    'en-US': 'No certificate is on this computer now. Insert the token and get another code on the page.',
  },
  declined: { 'pt-BR': 'Pedido recusado.', 'en-US': 'Request declined.' },
  over: { 'pt-BR': 'Este pedido já terminou.', 'en-US': 'This request is over.' },
  'over-answered': {
    'pt-BR': 'Este pedido já foi respondido.',
    'en-US': 'This request was answered already.',
  },
  'over-declined': { 'pt-BR': 'Este pedido foi recusado.', 'en-US': 'This request was declined.' },
  'over-timed-out': {
    'pt-BR': 'O tempo para responder a este pedido acabou. Nada foi assinado.',
    'en-US': 'The time to answer this request is over. Nothing was signed.',
  },
  'over-taken-back': {
    'pt-BR': 'Este pedido foi retirado: ele foi respondido em outro lugar, ou a aplicação não espera mais.',
    'en-US': 'This request was taken back: it was answered elsewhere, or the application waits no more.',
  },
  'over-disconnected': {
    'pt-BR': 'A conexão com o servidor caiu, e este pedido com ela. Peça de novo na aplicação.',
    'en-US': 'The connection to the server was lost, and this request with it. Ask again in the application.',
  },
  'over-stopped': {
    'pt-BR': 'O programa deste computador foi encerrado, e este pedido com ele.',
    'en-US': 'The program on this computer was stopped, and this request with it.',
  },
  close: { 'pt-BR': 'Você pode fechar esta página.', 'en-US': 'You may close this page.' },
  'terminal-pin': {
    'pt-BR': 'PIN de {{place}} (vazio para recusar): ',
    'en-US': 'PIN of {{place}} (empty to decline): ',
  },
  'terminal-choice': {
    'pt-BR': 'Número do certificado (vazio para recusar): ',
    'en-US': 'Number of the certificate (empty to decline): ',
  },
  'terminal-final-try': {
    'pt-BR': 'Digite SIM para tentar assim mesmo: ',
    'en-US': 'Type YES to try all the same: ',
  },
} as const

/** What the holder reads. */
export const promptTexts = createCatalogue(['pt-BR', 'en-US'], texts)

export type PromptLanguage = (typeof promptTexts.languages)[number]
export type Say = ReturnType<typeof promptTexts.translator>
