import { createCatalogue } from '@chancela/service-kernel/i18n'

const texts = {
  title: { 'pt-BR': 'Este computador', 'en-US': 'This computer' },
  connection: { 'pt-BR': 'Conexão', 'en-US': 'Connection' },
  server: { 'pt-BR': 'Servidor', 'en-US': 'Server' },
  workstation: { 'pt-BR': 'Estação', 'en-US': 'Workstation' },
  state: { 'pt-BR': 'Situação', 'en-US': 'State' },
  connecting: { 'pt-BR': 'Conectando…', 'en-US': 'Connecting…' },
  connected: { 'pt-BR': 'Conectado desde {{at}}', 'en-US': 'Connected since {{at}}' },
  waiting: { 'pt-BR': 'Sem conexão. Próxima tentativa: {{at}}', 'en-US': 'Not connected. Next attempt: {{at}}' },
  problem: { 'pt-BR': 'Última falha', 'en-US': 'Last failure' },
  certificates: { 'pt-BR': 'Certificados', 'en-US': 'Certificates' },
  'valid-until': { 'pt-BR': 'válido até {{date}}', 'en-US': 'valid until {{date}}' },
  expires: {
    'pt-BR': { one: 'Vence em 1 dia: renove-o.', other: 'Vence em {{count}} dias: renove-o.' },
    'en-US': { one: 'Expires in 1 day: renew it.', other: 'Expires in {{count}} days: renew it.' },
  },
  expired: { 'pt-BR': 'Vencido: não assina mais.', 'en-US': 'Expired: it signs no more.' },
  'not-yet': { 'pt-BR': 'Ainda não é válido.', 'en-US': 'Not valid yet.' },
  'pin-in-use': { 'pt-BR': 'PIN em uso', 'en-US': 'PIN in use' },
  'missing-source': {
    'pt-BR': 'Nenhum token ou arquivo foi adicionado. No terminal: chancela-agent add-token',
    'en-US': 'No token or file was added. In a terminal: chancela-agent add-token',
  },
  'missing-driver': {
    'pt-BR': 'O programa do fabricante do token não pôde ser usado.',
    'en-US': 'The software of the token’s maker could not be used.',
  },
  'missing-token': {
    'pt-BR': 'Nenhum token ou arquivo está aqui agora. Insira o token.',
    'en-US': 'No token or file is here now. Insert the token.',
  },
  'missing-certificate': {
    'pt-BR': 'O token que está aqui não tem certificado que assine.',
    'en-US': 'The token that is here has no certificate that signs.',
  },
  software: { 'pt-BR': 'Programas que faltam', 'en-US': 'Missing software' },
  install: {
    'pt-BR':
      '{{card}}, em {{reader}}: instale {{software}}, de {{vendor}}. A autoridade que vendeu o certificado também o oferece.',
    'en-US':
      '{{card}}, in {{reader}}: install {{software}}, of {{vendor}}. The authority that sold the certificate also offers it.',
  },
  journal: { 'pt-BR': 'Últimos acontecimentos', 'en-US': 'Last events' },
  nothing: { 'pt-BR': 'Nada ainda.', 'en-US': 'Nothing yet.' },
  'update-title': { 'pt-BR': 'Versão nova', 'en-US': 'New version' },
  'update-there': {
    'pt-BR': 'A versão {{offered}} está disponível; esta é a {{running}}.',
    'en-US': 'Version {{offered}} is available; this is {{running}}.',
  },
  'update-sources': {
    'pt-BR': 'Este programa roda dos fontes: atualize-os.',
    'en-US': 'This program runs from its sources: update them.',
  },
  'update-elsewhere': {
    'pt-BR': 'O servidor não a oferece para este sistema.',
    'en-US': 'The server does not offer it for this system.',
  },
  update: { 'pt-BR': 'Instalar agora', 'en-US': 'Install now' },
  'update-done': {
    'pt-BR': 'A versão {{version}} foi instalada. Ela vale quando o programa for iniciado de novo.',
    'en-US': 'Version {{version}} is installed. It runs when the program is started again.',
  },
  'update-failed': { 'pt-BR': 'A versão não foi instalada.', 'en-US': 'The version was not installed.' },
  version: { 'pt-BR': 'Versão {{version}}', 'en-US': 'Version {{version}}' },
  refresh: { 'pt-BR': 'Atualizar', 'en-US': 'Refresh' },
  back: { 'pt-BR': 'Voltar', 'en-US': 'Back' },
  'test-link': { 'pt-BR': 'Assinar um teste', 'en-US': 'Sign a test' },
  'test-hint': {
    'pt-BR':
      'Bytes aleatórios são assinados, e a assinatura é conferida com o certificado. Nenhum documento é assinado.',
    'en-US': 'Random bytes are signed, and the signature is verified by the certificate. No document is signed.',
  },
  'test-stays': {
    'pt-BR': 'O PIN não sai deste computador e é esquecido depois do teste.',
    'en-US': 'The PIN does not leave this computer and is forgotten after the test.',
  },
  'test-signed': { 'pt-BR': 'O teste foi assinado.', 'en-US': 'The test was signed.' },
  'test-verified': {
    'pt-BR': 'A assinatura confere com o certificado de {{name}}.',
    'en-US': 'The signature is that of the certificate of {{name}}.',
  },
  'pin-forgotten': { 'pt-BR': 'O PIN foi esquecido.', 'en-US': 'The PIN was forgotten.' },
  'pin-kept': {
    'pt-BR': 'O PIN continua em uso pela sessão de uma aplicação.',
    'en-US': 'The PIN stays in use by the session of an application.',
  },
  'not-of-certificate': {
    'pt-BR': 'A assinatura não confere com o certificado: o token não serve para assinar.',
    'en-US': 'The signature is not that of the certificate: the token cannot be used to sign.',
  },
  'no-session': {
    'pt-BR': 'Esta janela foi fechada. Abra-a de novo: chancela-agent open',
    'en-US': 'This window was closed. Open it again: chancela-agent open',
  },
  'not-found': { 'pt-BR': 'Esta página não existe.', 'en-US': 'There is no such page.' },
  'not-from-here': {
    'pt-BR': 'Este pedido não veio desta janela, e nada foi feito.',
    'en-US': 'This request did not come from this window, and nothing was done.',
  },
} as const

/** What a holder reads in the agent's window. */
export const windowTexts = createCatalogue(['pt-BR', 'en-US'], texts)

export type SayWindow = ReturnType<typeof windowTexts.translator>
