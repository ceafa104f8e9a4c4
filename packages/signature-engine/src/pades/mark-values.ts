// What the fields of a mark's text are filled in with.
import type { Certificate } from '../x509/certificate.ts'
import { formattedCnpj } from '../x509/cnpj.ts'
import { formattedCpf } from '../x509/cpf.ts'
import { signerReport } from '../x509/signer-report.ts'
import { refusePades } from './errors.ts'

export type MarkLanguage = 'pt-BR' | 'en-US'

/** What is known of a signature before it is made. */
export interface MarkValues {
  readonly certificate: Certificate
  /** The signer's time. */
  readonly now: Date
  readonly reason?: string | undefined
  readonly location?: string | undefined
}

interface Telling {
  readonly language?: MarkLanguage
  readonly timeZone?: string
}

type Field = (values: MarkValues, telling: Telling) => string | null | undefined

/** `{name}` in a text is replaced by what the field says; nothing where there is nothing to say. */
const fields: Readonly<Record<string, Field>> = {
  name: ({ certificate }) => signerReport(certificate).name,
  cpf: ({ certificate }) => formatted(signerReport(certificate).cpf, formattedCpf),
  maskedCpf: ({ certificate }) => formatted(signerReport(certificate).cpf, masked),
  cnpj: ({ certificate }) => formatted(signerReport(certificate).cnpj, formattedCnpj),
  issuer: ({ certificate }) => signerReport(certificate).issuer,
  serialNumber: ({ certificate }) => signerReport(certificate).serialNumber,
  time: ({ now }, telling) => timeText(now, telling),
  reason: ({ reason }) => reason,
  location: ({ location }) => location,
}

export const markFields: readonly string[] = Object.keys(fields)

const formatted = (number: string | null, format: (number: string) => string) => number && format(number)

const masked = (cpf: string): string => `***.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-**`

export const FIELD = /\{(\w+)\}/g

function fieldOf(name: string): Field {
  if (Object.hasOwn(fields, name)) return fields[name]!
  throw refusePades('pades.mark-template', {
    member: `{${name}}`,
    reason: `is no field; there are: ${markFields.join(', ')}`,
  })
}

/** The text with its fields; undefined where it has fields, and all of them are empty: `CPF {cpf}` of a company. */
export function textIn(text: string, values: MarkValues, telling: Telling = {}): string | undefined {
  const said = [...text.matchAll(FIELD)].map(([, field]) => fieldOf(field!)(values, telling) ?? '')
  if (said.length > 0 && said.every((value) => value === '')) return undefined
  return text.replaceAll(FIELD, () => said.shift()!).replaceAll(/\s+/g, ' ')
}

export const filledText = (text: string, values: MarkValues): string => textIn(text, values) ?? ''

/** Such as `17/11/2026 19:08:23 -03:00`: the offset is a part of what is said. */
function timeText(moment: Date, { language = 'pt-BR', timeZone = 'America/Sao_Paulo' }: Telling): string {
  const style = { timeZone, dateStyle: 'short', timeStyle: 'medium' } as const
  // Years first, as in Sweden: what is unmistakable in English.
  const said = new Intl.DateTimeFormat(language === 'pt-BR' ? 'pt-BR' : 'sv-SE', style).format(moment)
  const offset = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(moment)
    .find(({ type }) => type === 'timeZoneName')!
    .value.replace(/^GMT/, '')
  return `${said.replace(',', '')} ${offset || '+00:00'}`
}
