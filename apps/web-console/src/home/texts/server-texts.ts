import type { ServiceView } from '@chancela/demo/contract'
import type { Language } from '../../shared/i18n/languages.ts'

/** What the server says of a service in words. */
type ServiceText = Pick<ServiceView, 'title' | 'summary' | 'specification'>

interface ServerTexts {
  /** By the service's name. */
  services: Record<string, ServiceText>
  /** Title of a command by its English title. */
  commands: Record<string, string>
}

/** The server speaks English; what it says in the other languages. A text missing here is shown in English. */
const translations: Record<Exclude<Language, 'en-US'>, ServerTexts> = {
  'pt-BR': {
    services: {
      'session-server': {
        title: 'Servidor de sessões de assinatura',
        summary: 'O cliente abre uma sessão com CPF e PIN e assina PDFs dentro dela.',
        specification: 'documento 1, parte A',
      },
      'cloud-hub': {
        title: 'Hub de certificados em nuvem',
        summary: 'Uma só API diante de todos os provedores de certificado em nuvem.',
        specification: 'documento 1, parte B',
      },
      'pki-core': {
        title: 'Núcleo de PKI',
        summary: 'Autenticação por certificado, sessões biométricas e sessões de assinatura.',
        specification: 'documento 1, parte C',
      },
      'batch-signer': {
        title: 'Assinador em lote',
        summary: 'Pastas vigiadas e envios viram arquivos assinados, com aprovações.',
        specification: 'documento 2, superfície completa',
      },
      'batch-signer-compact': {
        title: 'Assinador em lote, variante compacta',
        summary: 'A face REST menor dos mesmos trabalhos.',
        specification: 'documento 2, variante compacta',
      },
      'document-platform': {
        title: 'Plataforma de assinatura de documentos',
        summary: 'Documentos com fluxos de assinatura, pastas, organizações e webhooks.',
        specification: 'documento 3, parte A',
      },
      'credential-platform': {
        title: 'Plataforma de emissão de credenciais',
        summary: 'Credenciais acadêmicas: emitir, registrar, anular, notificar.',
        specification: 'documento 3, parte B',
      },
      'demo-pki': {
        title: 'PKI de demonstração',
        summary: 'AC, LCR, OCSP e carimbo do tempo no formato da ICP-Brasil, com falhas a pedido.',
        specification: 'só na demonstração',
      },
      'demo-cloud': {
        title: 'Nuvem de demonstração',
        summary:
          'Chaves dos titulares da demonstração em uma nuvem, pelos protocolos PSC e CSC, com manias e falhas a pedido.',
        specification: 'só na demonstração',
      },
      home: {
        title: 'Página inicial',
        summary: 'Links, chaves e uma visita guiada pela suíte em execução.',
        specification: 'só na demonstração',
      },
    },
    commands: {
      'Is it alive?': 'Está no ar?',
      'Can it work?': 'Está pronto para trabalhar?',
      'Fetch the trust anchors': 'Buscar as âncoras de confiança',
      'Read a revocation list': 'Ler uma lista de certificados revogados',
      'Stamp a file with the time': 'Carimbar um arquivo com o tempo',
      'List the certificates it has issued': 'Listar os certificados emitidos',
      'Issue a certificate to a new person': 'Emitir um certificado para uma nova pessoa',
      'Make the OCSP responder late, once': 'Atrasar o respondedor OCSP, uma vez',
      'Have a file signed by dropping it into the watched folder': 'Assinar um arquivo deixando-o na pasta vigiada',
      'Have a file signed by sending it': 'Assinar um arquivo enviando-o',
      'See what became of the files': 'Ver o que foi feito dos arquivos',
      'Pause the pipeline': 'Pausar a esteira',
      'Resume the pipeline': 'Retomar a esteira',
      'Have a file signed and encrypted': 'Assinar e cifrar um arquivo',
      'Count the jobs': 'Contar os trabalhos',
      'Send a file in': 'Enviar um arquivo',
      'List the documents': 'Listar os documentos',
      'See what events there are': 'Ver os eventos que existem',
      'Ask for a session, then open its authUrl in a browser and log in with CPF and PIN of a holder':
        'Pedir uma sessão, depois abrir sua authUrl em um navegador e entrar com CPF e PIN de um titular',
      'See which providers hold a certificate of a holder': 'Ver quais provedores têm um certificado de um titular',
      'See the certificate of the session': 'Ver o certificado da sessão',
      'Sign the hash of a file under it': 'Assinar o resumo de um arquivo com ela',
      'Make it drop the next signature after making it': 'Fazer com que perca a próxima assinatura depois de feita',
      'Make it like other providers: hashes in hexadecimal, short lifetimes':
        'Torná-la parecida com outros provedores: resumos em hexadecimal, validades curtas',
      'Make it well again': 'Torná-la sadia de novo',
      'The e-mails the suite has sent': 'Os e-mails que a suíte enviou',
      'Everything this page shows': 'Tudo o que esta página mostra',
    },
  },
}

/** A service's words in the visitor's language. */
export function serviceText(service: ServiceView, language: Language): ServiceText {
  return translationsFor(language)?.services[service.name] ?? service
}

/** Title of a command in the visitor's language. */
export function commandTitle(title: string, language: Language): string {
  return translationsFor(language)?.commands[title] ?? title
}

const translationsFor = (language: Language) => (language === 'en-US' ? undefined : translations[language])
