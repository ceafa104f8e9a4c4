import { formatDate, formatReais } from './brazilian-forms.ts'
import { formOfEntryName, type ReportLocale } from './entry-codes.ts'
import { type Finding, findingSentence } from './findings.ts'
import type { AcceptedRemittance, Payment, RefusedRemittance, RemittanceReading } from './remittance.ts'

/** Payments a report lists; the rest is one line with their number. */
const PAYMENTS_REPORTED = 50

const texts = {
  'en-US': {
    compliant: 'Compliant CNAB240 remittance.',
    refused: (count: number) => `Not a compliant CNAB240 remittance: ${count} violation(s).`,
    bank: 'Bank',
    payer: 'Payer',
    sequence: 'File sequence',
    total: 'Total',
    payments: (payments: number, batches: number) => `${payments} payment(s) in ${batches} batch(es)`,
    cancellations: 'Exclusions of earlier payments (not netted)',
    dates: 'Payment dates',
    noDates: 'none',
    largest: 'Largest payment',
    sha256: 'SHA-256',
    record: (record: number, columns: string | null) =>
      columns === null
        ? `Record ${record}`
        : `Record ${record}, ${columns.includes('-') ? 'columns' : 'column'} ${columns.replace('-', ' to ')}`,
    wholeFile: 'File',
    violations: 'Violations',
    warnings: 'Warnings',
    cut: 'The list is cut: there are more.',
    list: 'Payments',
    more: (count: number) => `… and ${count} more.`,
    exclusion: 'exclusion',
    unnamed: '(no name)',
  },
  'pt-BR': {
    compliant: 'Remessa CNAB240 em conformidade.',
    refused: (count: number) => `Não é uma remessa CNAB240 em conformidade: ${count} violação(ões).`,
    bank: 'Banco',
    payer: 'Pagador',
    sequence: 'Sequência do arquivo',
    total: 'Total',
    payments: (payments: number, batches: number) => `${payments} pagamento(s) em ${batches} lote(s)`,
    cancellations: 'Exclusões de pagamentos anteriores (não abatidas)',
    dates: 'Datas de pagamento',
    noDates: 'nenhuma',
    largest: 'Maior pagamento',
    sha256: 'SHA-256',
    record: (record: number, columns: string | null) =>
      columns === null
        ? `Registro ${record}`
        : `Registro ${record}, ${columns.includes('-') ? 'colunas' : 'coluna'} ${columns.replace('-', ' a ')}`,
    wholeFile: 'Arquivo',
    violations: 'Violações',
    warnings: 'Avisos',
    cut: 'A lista foi cortada: há mais.',
    list: 'Pagamentos',
    more: (count: number) => `… e mais ${count}.`,
    exclusion: 'exclusão',
    unnamed: '(sem nome)',
  },
} as const

/** The reading for a person: what the file pays, or what is wrong, where, and what was expected. */
export function remittanceReportText(reading: RemittanceReading, { locale }: { locale: ReportLocale }): string {
  const opening = reading.ok ? acceptedLines(reading, locale) : refusedLines(reading, locale)
  return [...opening, ...warningLines(reading, locale)].join('\n')
}

function acceptedLines(reading: AcceptedRemittance, locale: ReportLocale): string[] {
  const { summary } = reading
  const text = texts[locale]
  return [
    text.compliant,
    `${text.bank}: ${bankText(summary)}`,
    `${text.payer}: ${[summary.payerName || text.unnamed, summary.payerId].filter(Boolean).join(', ')}`,
    ...(summary.fileSequence === null ? [] : [`${text.sequence}: ${summary.fileSequence}`]),
    `${text.total}: ${summary.totalFormatted}, ${text.payments(summary.paymentCount, summary.batches)}`,
    `${text.largest}: ${formatReais(summary.largestCentavos)}`,
    `${text.cancellations}: ${summary.cancellationCount}`,
    `${text.dates}: ${datesText(summary.earliestPaymentDate, summary.latestPaymentDate) ?? text.noDates}`,
    `${text.sha256}: ${summary.contentSha256}`,
    '',
    `${text.list}:`,
    ...paymentLines(reading, locale),
  ]
}

function paymentLines({ payments, summary }: AcceptedRemittance, locale: ReportLocale): string[] {
  const reported = payments.slice(0, PAYMENTS_REPORTED).map((payment) => paymentLine(payment, locale))
  const more = summary.paymentCount + summary.cancellationCount - reported.length
  return more === 0 ? reported : [...reported, `  ${texts[locale].more(more)}`]
}

function paymentLine(payment: Payment, locale: ReportLocale): string {
  const text = texts[locale]
  const parts = [
    payment.movement === 'exclusion' ? text.exclusion : null,
    formatReais(payment.amountCentavos),
    payment.paymentDate && formatDate(payment.paymentDate),
    payment.payeeName ?? text.unnamed,
    payment.payeeId,
    accountText(payment),
    payment.barcode,
    formOfEntryName(payment.form.code, locale) ?? payment.form.code,
  ]
  return `  ${text.record(payment.record, null)}: ${parts.filter(Boolean).join(', ')}`
}

const accountText = ({ payeeBank, payeeBranch, payeeAccount }: Payment): string | null =>
  payeeAccount === null
    ? null
    : [payeeBank, payeeBranch, payeeAccount].map((part) => part?.replace(/^0+(?=\w)/, '') ?? '-').join(' / ')

function refusedLines({ violations, cut, violationCount }: RefusedRemittance, locale: ReportLocale): string[] {
  const text = texts[locale]
  const lines = violations.map((finding) => `  ${findingWithPlace(finding, locale)}`)
  return [text.refused(violationCount), '', `${text.violations}:`, ...lines, ...(cut ? [`  ${text.cut}`] : [])]
}

function warningLines({ warnings, warningsCut }: RemittanceReading, locale: ReportLocale): string[] {
  if (warnings.length === 0) return []
  const text = texts[locale]
  const lines = warnings.map((finding) => `  ${findingWithPlace(finding, locale)}`)
  return ['', `${text.warnings}:`, ...lines, ...(warningsCut ? [`  ${text.cut}`] : [])]
}

/** A finding with its place: `Record 5, columns 18 to 23: …`. */
export function findingWithPlace(
  finding: Pick<Finding, 'code' | 'facts' | 'record' | 'columns'>,
  locale: ReportLocale,
): string {
  const text = texts[locale]
  const where = finding.record === null ? text.wholeFile : text.record(finding.record, finding.columns)
  return `${where}: ${findingSentence(finding, locale)}`
}

export const bankText = ({ bankCode, bankName }: AcceptedRemittance['summary']): string =>
  bankName === null ? bankCode : `${bankCode} ${bankName}`

export function datesText(earliest: string | null, latest: string | null): string | null {
  if (earliest === null || latest === null) return null
  return earliest === latest ? formatDate(earliest) : `${formatDate(earliest)} – ${formatDate(latest)}`
}
