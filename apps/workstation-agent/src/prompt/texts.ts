import { createCatalogue } from '@chancela/service-kernel/i18n'

const texts = {
  title: { 'pt-BR': 'Assinar com o seu certificado', 'en-US': 'Sign with your certificate' },
  asks: {
    'pt-BR': '{{application}} quer assinar documentos com o seu certificado.',
    'en-US': '{{application}} wants to sign documents with your certificate.',
  },
  application: { 'pt-BR': 'Aplicação', 'en-US': 'Application' },
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
    'pt-BR': 'Um PIN errado foi digitado antes. Poucas tentativas restam antes de o token bloquear.',
    'en-US': 'A wrong PIN was typed before. Few tries are left before the token locks.',
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
  declined: { 'pt-BR': 'Pedido recusado.', 'en-US': 'Request declined.' },
  over: { 'pt-BR': 'Este pedido já terminou.', 'en-US': 'This request is over.' },
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
