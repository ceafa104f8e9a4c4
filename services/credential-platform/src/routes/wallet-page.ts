// The page behind a student's link: what is offered, and the button that hands it over.
import { escapeHtml, scriptlessPage } from '@chancela/service-kernel/http'
import { createCatalogue, INTERFACE_LANGUAGES, type InterfaceLanguage } from '@chancela/service-kernel/i18n'
import type { WalletOfferView } from '../contract/wallet-offers.ts'

const texts = createCatalogue(INTERFACE_LANGUAGES, {
  Degree: { 'pt-BR': 'Seu diploma para a carteira digital', 'en-US': 'Your degree for a digital wallet' },
  AcademicTranscript: {
    'pt-BR': 'Seu histórico escolar para a carteira digital',
    'en-US': 'Your academic transcript for a digital wallet',
  },
  none: { 'pt-BR': 'Link sem validade', 'en-US': 'This link is over' },
  noneWhy: {
    'pt-BR': 'O link já foi usado, terminou ou não existe. Peça outro à sua instituição.',
    'en-US': 'The link was used, is over, or never was. Ask your institution for another one.',
  },
  student: { 'pt-BR': 'Nome', 'en-US': 'Name' },
  course: { 'pt-BR': 'Curso', 'en-US': 'Course' },
  issuer: { 'pt-BR': 'Instituição', 'en-US': 'Institution' },
  until: { 'pt-BR': 'O link vale até', 'en-US': 'The link holds until' },
  once: {
    'pt-BR':
      'O arquivo é uma credencial Open Badges 3.0 assinada pela instituição: abra-o na sua carteira digital. Este link funciona uma única vez.',
    'en-US':
      'The file is an Open Badges 3.0 credential signed by the institution: open it in your digital wallet. This link works once.',
  },
  care: {
    'pt-BR':
      'Guarde o arquivo com cuidado: ele contém o resumo do seu CPF. O documento com valor legal é o XML assinado.',
    'en-US': 'Keep the file with care: it holds a digest of your CPF. The legal document is the signed XML.',
  },
  download: { 'pt-BR': 'Baixar a credencial', 'en-US': 'Download the credential' },
})

const STYLE = [
  'body{font:1.0625rem/1.5 system-ui,sans-serif;margin:6vh auto;max-width:40rem;padding:0 1.5rem}',
  'h1{font-size:1.5rem;line-height:1.25}',
  'dl{display:grid;grid-template-columns:minmax(7rem,11rem) 1fr;gap:.25rem 1rem}dt{font-weight:600}dd{margin:0;overflow-wrap:anywhere}',
  '@media(max-width:32rem){dl{display:block}dd{margin-bottom:.5rem}}',
  'button{font:inherit;font-weight:600;padding:.75rem 1.5rem;border:0;border-radius:.5rem;background:#1d4ed8;color:#fff;cursor:pointer}',
  'button:focus-visible{outline:3px solid #f59e0b;outline-offset:2px}',
].join('')

const framed = (language: InterfaceLanguage, title: string, content: string) =>
  scriptlessPage({
    language,
    title,
    style: STYLE,
    sendsForms: true,
    content: `<main>\n<h1>${escapeHtml(title)}</h1>\n${content}\n</main>`,
  })

export function noOfferPage(language: InterfaceLanguage) {
  const say = texts.translator(language)
  return framed(language, say('none'), `<p>${escapeHtml(say('noneWhy'))}</p>`)
}

export function offerPage(offer: WalletOfferView, language: InterfaceLanguage) {
  const say = texts.translator(language)
  const until = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'America/Sao_Paulo',
  }).format(new Date(offer.expirationDate))
  const facts = [
    ['student', offer.studentName],
    ['course', offer.course],
    ['issuer', offer.issuingIes],
    ['until', until],
  ] as const
  const rows = facts.map(([word, value]) => `<dt>${escapeHtml(say(word))}</dt><dd>${escapeHtml(value)}</dd>`)
  return framed(
    language,
    say(offer.kind),
    [
      `<dl>\n${rows.join('\n')}\n</dl>`,
      `<p>${escapeHtml(say('once'))}</p>`,
      // Without an address: it is sent to where the page is.
      `<form method="post"><button>${escapeHtml(say('download'))}</button></form>`,
      `<p>${escapeHtml(say('care'))}</p>`,
    ].join('\n'),
  )
}
