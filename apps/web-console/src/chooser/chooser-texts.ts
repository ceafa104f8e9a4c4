import type { Catalogue } from '../shared/i18n/catalogue.ts'

const english = {
  product: 'Certificates in the cloud',
  language: 'Language',
  title: 'Choose your certificate provider',
  asks: '{{application}} asks you to sign with a certificate in the cloud.',
  lead: 'Choose who keeps your certificate. You sign in there, and come back afterwards.',
  list: {
    title: 'See what you will sign',
    asks: {
      one: '{{application}} asks you to sign one document with a certificate in the cloud.',
      other: '{{application}} asks you to sign {{count}} documents with a certificate in the cloud.',
    },
    documents: 'Documents',
    bound: 'Only these are signed, each of them once. What you allow there is good for nothing else.',
    lead: 'If these are what you mean to sign, go on to the provider that keeps your certificate.',
    none: 'Sign nothing',
  },
  providers: 'Providers',
  loading: 'Looking for providers…',
  silent: 'Not answering',
  silentHint: 'It did not answer lately; you may try all the same.',
  goodFor: { one: 'This page is good for one minute more.', other: 'This page is good for {{minutes}} minutes more.' },
  none: 'None of these',
  back: 'Back to {{application}}',
  gone: {
    title: 'This page is no longer good',
    text: 'Its time is over, or its address is not complete. Begin anew where you came from.',
  },
  empty: {
    title: 'No certificate in the cloud was found',
    text: 'No provider says that it keeps a certificate for you, or you have chosen already. Go back, and choose another way to sign.',
  },
  failed: { title: 'The providers cannot be shown now', text: 'Nothing is lost. Try again in a moment.' },
  retry: 'Try again',
} as const

/** The texts of the page. */
export const chooserTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    product: 'Certificados em nuvem',
    language: 'Idioma',
    title: 'Escolha o provedor do seu certificado',
    asks: '{{application}} pede que você assine com um certificado em nuvem.',
    lead: 'Escolha quem guarda o seu certificado. Você entra lá e volta em seguida.',
    list: {
      title: 'Veja o que você vai assinar',
      asks: {
        one: '{{application}} pede que você assine um documento com um certificado em nuvem.',
        other: '{{application}} pede que você assine {{count}} documentos com um certificado em nuvem.',
      },
      documents: 'Documentos',
      bound: 'Só estes são assinados, cada um uma única vez. O que você autoriza lá não vale para mais nada.',
      lead: 'Se é isto que você quer assinar, siga para o provedor que guarda o seu certificado.',
      none: 'Não assinar nada',
    },
    providers: 'Provedores',
    loading: 'Procurando provedores…',
    silent: 'Sem resposta',
    silentHint: 'Não respondeu nas últimas tentativas; você pode tentar mesmo assim.',
    goodFor: {
      one: 'Esta página vale por mais um minuto.',
      other: 'Esta página vale por mais {{minutes}} minutos.',
    },
    none: 'Nenhum destes',
    back: 'Voltar para {{application}}',
    gone: {
      title: 'Esta página não vale mais',
      text: 'O tempo acabou ou o endereço está incompleto. Comece de novo no lugar de onde você veio.',
    },
    empty: {
      title: 'Nenhum certificado em nuvem encontrado',
      text: 'Nenhum provedor diz guardar um certificado seu, ou você já escolheu. Volte e escolha outra forma de assinar.',
    },
    failed: {
      title: 'Os provedores não podem ser mostrados agora',
      text: 'Nada se perdeu. Tente de novo em um momento.',
    },
    retry: 'Tentar de novo',
  },
}
