import { createCatalogue, LANGUAGES } from '@chancela/service-kernel/i18n'

export const mailboxTexts = createCatalogue(LANGUAGES, {
  title: {
    'pt-BR': 'Caixa de entrada da demonstração',
    'en-US': 'Inbox of the demo',
    es: 'Bandeja de la demostración',
  },
  intro: {
    'pt-BR': 'Todo e-mail da suíte chega aqui, para quem quer que seja: nada sai desta máquina.',
    'en-US': 'Every e-mail of the suite arrives here, whoever it is to: nothing leaves this machine.',
    es: 'Todo correo de la suite llega aquí, sea para quien sea: nada sale de esta máquina.',
  },
  empty: { 'pt-BR': 'Ainda não chegou nada.', 'en-US': 'Nothing has arrived yet.', es: 'Todavía no llegó nada.' },
  back: { 'pt-BR': 'Voltar à lista', 'en-US': 'Back to the list', es: 'Volver a la lista' },
  home: { 'pt-BR': 'Página inicial', 'en-US': 'Home page', es: 'Página inicial' },
  from: { 'pt-BR': 'De', 'en-US': 'From', es: 'De' },
  to: { 'pt-BR': 'Para', 'en-US': 'To', es: 'Para' },
  date: { 'pt-BR': 'Data', 'en-US': 'Date', es: 'Fecha' },
  text: { 'pt-BR': 'O mesmo como texto', 'en-US': 'The same as text', es: 'Lo mismo como texto' },
  html: { 'pt-BR': 'O e-mail', 'en-US': 'The e-mail', es: 'El correo' },
})
