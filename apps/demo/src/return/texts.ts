import { createCatalogue, LANGUAGES } from '@chancela/service-kernel/i18n'

export const returnTexts = createCatalogue(LANGUAGES, {
  title: { 'pt-BR': 'De volta do provedor', 'en-US': 'Back from the provider', es: 'De vuelta del proveedor' },
  home: { 'pt-BR': 'Página inicial', 'en-US': 'Home page', es: 'Página inicial' },
  granted: {
    'pt-BR': 'O titular autorizou. Um aplicativo receberia aqui esta sessão do hub:',
    'en-US': 'The holder has approved. An application would get this session of the hub here:',
    es: 'El titular autorizó. Una aplicación recibiría aquí esta sesión del hub:',
  },
  refused: {
    'pt-BR': 'Nada foi autorizado ({{error}}). A sessão que vem junto já não vale:',
    'en-US': 'Nothing was authorized ({{error}}). The session that came along is void already:',
    es: 'No se autorizó nada ({{error}}). La sesión que vino ya no vale:',
  },
  none: {
    'pt-BR':
      'Aqui chegam os titulares que um provedor de certificados em nuvem manda de volta. Comece na visita guiada.',
    'en-US': 'Holders arrive here when a provider of cloud certificates sends them back. Begin with the tour.',
    es: 'Aquí llegan los titulares que un proveedor de certificados en la nube envía de vuelta. Comience por la visita.',
  },
  next: {
    'pt-BR': 'O que ele faria em seguida, para colar em um terminal:',
    'en-US': 'What it would do next, to paste into a terminal:',
    es: 'Lo que haría después, para pegar en una terminal:',
  },
})
