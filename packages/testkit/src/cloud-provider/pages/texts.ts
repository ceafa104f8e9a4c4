import { createCatalogue } from '@chancela/service-kernel/i18n'

/** The texts of the provider's pages. */
export const pageTexts = createCatalogue(['pt-BR', 'en-US'], {
  'login.title': { 'pt-BR': 'Entrar', 'en-US': 'Sign in' },
  'login.lead': {
    'pt-BR': '{{client}} pede acesso ao seu certificado na nuvem.',
    'en-US': '{{client}} asks for access to your cloud certificate.',
  },
  'login.identifier': { 'pt-BR': 'CPF ou CNPJ', 'en-US': 'CPF or CNPJ' },
  'login.pin': { 'pt-BR': 'PIN', 'en-US': 'PIN' },
  'login.submit': { 'pt-BR': 'Continuar', 'en-US': 'Continue' },
  'login.cancel': { 'pt-BR': 'Cancelar', 'en-US': 'Cancel' },
  'login.wrong': { 'pt-BR': 'CPF, CNPJ ou PIN não confere.', 'en-US': 'CPF, CNPJ or PIN is wrong.' },
  'login.tries-left': {
    'pt-BR': { one: 'Resta {{count}} tentativa.', other: 'Restam {{count}} tentativas.' },
    'en-US': { one: '{{count}} try is left.', other: '{{count}} tries are left.' },
  },
  'login.locked': {
    'pt-BR': 'Esta conta está bloqueada: o PIN foi digitado errado três vezes.',
    'en-US': 'This account is locked: the PIN was wrong three times.',
  },
  'consent.title': { 'pt-BR': 'Autorizar', 'en-US': 'Authorize' },
  'consent.greeting': { 'pt-BR': 'Olá, {{name}}.', 'en-US': 'Hello, {{name}}.' },
  'consent.lead': { 'pt-BR': '{{client}} pede autorização para:', 'en-US': '{{client}} asks you to permit:' },
  'permits.identity': {
    'pt-BR': 'Confirmar quem você é e ler seu certificado. Nada será assinado.',
    'en-US': 'Confirming who you are and reading your certificate. Nothing will be signed.',
  },
  'permits.one-signature': { 'pt-BR': 'Fazer uma assinatura.', 'en-US': 'Making one signature.' },
  'permits.several-signatures': {
    'pt-BR': 'Fazer várias assinaturas, de uma só vez.',
    'en-US': 'Making several signatures, all at once.',
  },
  'permits.signing-session': {
    'pt-BR': 'Fazer assinaturas, quantas forem necessárias, enquanto a autorização valer.',
    'en-US': 'Making signatures, as many as needed, while the authorization lasts.',
  },
  'permits.count': {
    'pt-BR': { one: 'No máximo {{count}} assinatura.', other: 'No máximo {{count}} assinaturas.' },
    'en-US': { one: 'At most {{count}} signature.', other: 'At most {{count}} signatures.' },
  },
  'permits.hashes': { 'pt-BR': 'Somente estes resumos:', 'en-US': 'These hashes only:' },
  'permits.seconds': {
    'pt-BR': { one: 'Válida por {{count}} segundo.', other: 'Válida por {{count}} segundos.' },
    'en-US': { one: 'It lasts {{count}} second.', other: 'It lasts {{count}} seconds.' },
  },
  'permits.minutes': {
    'pt-BR': { one: 'Válida por {{count}} minuto.', other: 'Válida por {{count}} minutos.' },
    'en-US': { one: 'It lasts {{count}} minute.', other: 'It lasts {{count}} minutes.' },
  },
  'permits.hours': {
    'pt-BR': { one: 'Válida por {{count}} hora.', other: 'Válida por {{count}} horas.' },
    'en-US': { one: 'It lasts {{count}} hour.', other: 'It lasts {{count}} hours.' },
  },
  'permits.days': {
    'pt-BR': { one: 'Válida por {{count}} dia.', other: 'Válida por {{count}} dias.' },
    'en-US': { one: 'It lasts {{count}} day.', other: 'It lasts {{count}} days.' },
  },
  'certificate.choose': { 'pt-BR': 'Certificado', 'en-US': 'Certificate' },
  'certificate.until': { 'pt-BR': 'válido até {{date}}', 'en-US': 'valid until {{date}}' },
  'certificate.expired': { 'pt-BR': 'expirado em {{date}}', 'en-US': 'expired on {{date}}' },
  'consent.approve': { 'pt-BR': 'Autorizar', 'en-US': 'Approve' },
  'consent.deny': { 'pt-BR': 'Recusar', 'en-US': 'Deny' },
  'push.title': { 'pt-BR': 'Celular dos titulares', 'en-US': 'Phones of the holders' },
  'push.none': { 'pt-BR': 'Nenhum pedido à espera.', 'en-US': 'No request is waiting.' },
  'push.asks': {
    'pt-BR': '{{client}} pede autorização a {{name}} para:',
    'en-US': '{{client}} asks {{name}} to permit:',
  },
  'push.nothing-for-you': {
    'pt-BR': 'Não há pedido à espera deste titular.',
    'en-US': 'No request is waiting for this holder.',
  },
  'over.title': { 'pt-BR': 'Página encerrada', 'en-US': 'This page is over' },
  'over.text': {
    'pt-BR': 'Esta autorização já foi decidida, expirou ou foi aberta em outro navegador. Volte e comece de novo.',
    'en-US': 'This authorization was decided, has expired or was opened in another browser. Go back and begin again.',
  },
  'bad-request.title': { 'pt-BR': 'Pedido recusado', 'en-US': 'Request refused' },
  'bad-request.text': {
    'pt-BR': 'O aplicativo que enviou você até aqui fez um pedido que não pode ser atendido.',
    'en-US': 'The application that sent you here made a request that cannot be met.',
  },
  'footer.demo': {
    'pt-BR': 'Provedor de demonstração. Seus certificados não têm valor jurídico.',
    'en-US': 'A provider for demonstration. Its certificates have no legal value.',
  },
})

export type PageLanguage = (typeof pageTexts.languages)[number]
