// The page behind the QR code of a document: what is public of it, and whether it is valid, without a script.
import { escapeHtml, scriptlessPage } from '@chancela/service-kernel/http'
import { createCatalogue, INTERFACE_LANGUAGES, type InterfaceLanguage } from '@chancela/service-kernel/i18n'
import type { PublicRecord } from '../contract/public.ts'

const texts = createCatalogue(INTERFACE_LANGUAGES, {
  title: { 'pt-BR': 'Verificação de documento acadêmico', 'en-US': 'Verification of an academic document' },
  unknown: {
    'pt-BR': 'Nenhum documento tem este código. Confira se ele foi digitado por inteiro.',
    'en-US': 'No document has this code. Check that all of it was typed.',
  },
  Degree: { 'pt-BR': 'Diploma digital', 'en-US': 'Digital degree' },
  AcademicTranscript: { 'pt-BR': 'Histórico escolar digital', 'en-US': 'Digital academic transcript' },
  Curriculum: { 'pt-BR': 'Currículo escolar digital', 'en-US': 'Digital curriculum' },
  Valid: { 'pt-BR': 'Válido', 'en-US': 'Valid' },
  Suspended: { 'pt-BR': 'Suspenso', 'en-US': 'Suspended' },
  Annulled: { 'pt-BR': 'Anulado', 'en-US': 'Annulled' },
  status: { 'pt-BR': 'Situação', 'en-US': 'Status' },
  since: { 'pt-BR': 'Desde', 'en-US': 'Since' },
  until: { 'pt-BR': 'Volta a valer em', 'en-US': 'Valid again from' },
  reason: { 'pt-BR': 'Motivo', 'en-US': 'Reason' },
  code: { 'pt-BR': 'Código de validação', 'en-US': 'Verification code' },
  student: { 'pt-BR': 'Nome', 'en-US': 'Name' },
  cpf: { 'pt-BR': 'CPF', 'en-US': 'CPF' },
  course: { 'pt-BR': 'Curso', 'en-US': 'Course' },
  issuer: { 'pt-BR': 'Instituição emissora', 'en-US': 'Issuing institution' },
  registrar: { 'pt-BR': 'Instituição registradora', 'en-US': 'Registering institution' },
  admission: { 'pt-BR': 'Ingresso no curso', 'en-US': 'Admission' },
  conclusion: { 'pt-BR': 'Conclusão do curso', 'en-US': 'Conclusion' },
  expedition: { 'pt-BR': 'Expedição do diploma', 'en-US': 'Expedition' },
  registration: { 'pt-BR': 'Registro do diploma', 'en-US': 'Registration' },
  expeditionNumber: { 'pt-BR': 'Número da expedição', 'en-US': 'Number of the expedition' },
  registrationNumber: { 'pt-BR': 'Número do registro', 'en-US': 'Number of the registration' },
  hash: { 'pt-BR': 'SHA-256 do XML', 'en-US': 'SHA-256 of the XML' },
  xml: { 'pt-BR': 'Baixar o XML assinado', 'en-US': 'Download the signed XML' },
  rvdd: { 'pt-BR': 'Representação visual (PDF)', 'en-US': 'Visual representation (PDF)' },
  legal: {
    'pt-BR': 'O documento com valor legal é o XML assinado.',
    'en-US': 'The legal document is the signed XML.',
  },
})

type Word = Parameters<ReturnType<typeof texts.translator>>[0]

const STYLE = [
  'body{font:1.0625rem/1.5 system-ui,sans-serif;margin:6vh auto;max-width:44rem;padding:0 1.5rem}',
  'h1{font-size:1.5rem;line-height:1.25}',
  '.status{border-left:.5rem solid;padding:.5rem 1rem;font-size:1.25rem;font-weight:600}',
  '.Valid{border-color:#15803d}.Suspended{border-color:#b45309}.Annulled{border-color:#b91c1c}',
  'dl{display:grid;grid-template-columns:minmax(8rem,14rem) 1fr;gap:.25rem 1rem}dt{font-weight:600}dd{margin:0;overflow-wrap:anywhere}',
  '@media(max-width:32rem){dl{display:block}dd{margin-bottom:.5rem}}',
].join('')

const framed = (language: InterfaceLanguage, title: string, content: string) =>
  scriptlessPage({
    language,
    title,
    style: STYLE,
    content: `<main>\n<h1>${escapeHtml(title)}</h1>\n${content}\n</main>`,
  })

export function unknownPage(language: InterfaceLanguage) {
  const say = texts.translator(language)
  return framed(language, say('title'), `<p>${escapeHtml(say('unknown'))}</p>`)
}

export function recordPage(record: PublicRecord, language: InterfaceLanguage) {
  const say = texts.translator(language)
  const rows = factsOf(record, language).flatMap(([word, value]) =>
    value ? [`<dt>${escapeHtml(say(word))}</dt><dd>${escapeHtml(value)}</dd>`] : [],
  )
  return framed(
    language,
    say(record.kind),
    [
      `<p class="status ${record.status}">${escapeHtml(`${say('status')}: ${say(record.status)}`)}</p>`,
      `<dl>\n${rows.join('\n')}\n</dl>`,
      `<p>${escapeHtml(say('legal'))} ${links(record, say)}</p>`,
    ].join('\n'),
  )
}

/** Relative: an institution serves the page below an address of its own. */
function links({ code, hasRepresentation }: PublicRecord, say: (word: Word) => string): string {
  const link = (address: string, word: Word) => `<a href="./${escapeHtml(address)}">${escapeHtml(say(word))}</a>`
  return [link(`${code}.xml`, 'xml'), ...(hasRepresentation ? [link(`${code}/rvdd`, 'rvdd')] : [])].join(' · ')
}

function factsOf(record: PublicRecord, language: InterfaceLanguage): readonly (readonly [Word, string | null])[] {
  const day = (text: string | null): string | null => text && dayIn(language, text)
  const institution = (ies: PublicRecord['registeringIes']) => ies && `${ies.name} (e-MEC ${ies.code})`
  const course = [record.course, record.courseCode && `(e-MEC ${record.courseCode})`].filter(Boolean).join(' ')
  return [
    ['since', day(record.statusDate)],
    ['until', day(record.statusUntil)],
    ['reason', record.statusReason],
    ['student', record.studentName],
    ['cpf', record.studentCpf],
    ['course', course],
    ['issuer', institution(record.issuingIes)],
    ['registrar', institution(record.registeringIes)],
    ['admission', day(record.admissionDate)],
    ['conclusion', day(record.conclusionDate)],
    ['expedition', day(record.expeditionDate)],
    ['registration', day(record.registrationDate)],
    ['expeditionNumber', record.expeditionNumber],
    ['registrationNumber', record.registrationNumber],
    ['code', record.code],
    ['hash', record.sha256],
  ]
}

/** Moments are shown as the day they were in Brasília; days as they are. */
const dayIn = (language: InterfaceLanguage, text: string): string =>
  new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeZone: text.length === 10 ? 'UTC' : 'America/Sao_Paulo',
  }).format(new Date(text))
