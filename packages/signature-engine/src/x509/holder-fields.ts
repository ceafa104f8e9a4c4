import type { DerValue } from '../der/der-value.ts'
import { tags } from '../der/tags.ts'
import { EngineError } from '../errors/engine-error.ts'
import type { Certificate } from './certificate.ts'

/** First and last position of a field in the text, counted from one, as DOC-ICP-04 §7.1.2.3 counts. */
type Span = readonly [first: number, last: number]

const TO_THE_END = 1_000

/** The same for a natural person and for the person responsible for a company or an equipment. */
const personalData = {
  birthDate: [1, 8],
  cpf: [9, 19],
  nis: [20, 30],
  rg: [31, 45],
  // Only the characters used: ten at most, six in older documents.
  rgIssuer: [46, 55],
} as const satisfies Record<string, Span>

/** The otherName fields of ICP-Brasil: the position of each value (DOC-ICP-04 §7.1.2.3). */
const otherNameLayouts = {
  person: { oid: '2.16.76.1.3.1', fields: personalData },
  responsibleName: { oid: '2.16.76.1.3.2', fields: { name: [1, TO_THE_END] } },
  company: { oid: '2.16.76.1.3.3', fields: { cnpj: [1, 14] } },
  responsible: { oid: '2.16.76.1.3.4', fields: personalData },
  voter: { oid: '2.16.76.1.3.5', fields: { number: [1, 12], zone: [13, 15], section: [16, 19], town: [20, 41] } },
  personCei: { oid: '2.16.76.1.3.6', fields: { cei: [1, 12] } },
  companyCei: { oid: '2.16.76.1.3.7', fields: { cei: [1, 12] } },
  equipment: { oid: '2.16.76.1.3.8', fields: { companyName: [1, TO_THE_END] } },
  civilIdentity: { oid: '2.16.76.1.3.9', fields: { ric: [1, 11] } },
  taxDevice: {
    oid: '2.16.76.1.3.10',
    fields: { serial: [1, 10], stateRegistration: [11, 24], townRegistration: [25, 38] },
  },
  publicServant: { oid: '2.16.76.1.3.11', fields: { sigepe: [1, 10] } },
  metrologicalObject: { oid: '2.16.76.1.3.12', fields: { manufactured: [1, 8], identification: [9, TO_THE_END] } },
  registrationAuthority: { oid: '2.16.76.1.4.5.1', fields: { cnpj: [1, 14] } },
  /** Not of ICP-Brasil: the user's name on Windows. */
  principalName: { oid: '1.3.6.1.4.1.311.20.2.3', fields: { upn: [1, TO_THE_END] } },
} as const satisfies Record<string, { oid: string; fields: Readonly<Record<string, Span>> }>

type Layouts = typeof otherNameLayouts
type OtherNameKind = keyof Layouts

/** The fields of one otherName: null where the text ends before it or has only zeros there. */
type OtherNameFields<Kind extends OtherNameKind> = Readonly<
  Record<keyof Layouts[Kind]['fields'] & string, string | null>
>

/** The fields of the certificate's otherName of this kind; all null when it has none. */
export function otherNameFields<Kind extends OtherNameKind>(
  certificate: Certificate,
  kind: Kind,
): OtherNameFields<Kind> {
  const { oid, fields } = otherNameLayouts[kind]
  const text = otherNameText(certificate, oid) ?? ''
  const values = Object.entries(fields as Record<string, Span>).map(([name, span]) => [name, fieldAt(text, span)])
  return Object.fromEntries(values) as OtherNameFields<Kind>
}

/** Entities of the professions, by the arc under 2.16.76.1.4.2. */
const councils: Readonly<Record<string, string>> = {
  '1': 'OAB',
  '2': 'CRM',
  '3': 'CRF',
}

const PROFESSIONAL_ARC = '2.16.76.1.4.2.'

/** A registration with a professional council, as the certificate contains it. */
export interface ProfessionalRegistration {
  readonly oid: string
  /** OAB, CRM, CRF; null for an unknown council. */
  readonly council: string | null
  readonly value: string
}

export function professionalRegistrations(certificate: Certificate): ProfessionalRegistration[] {
  return certificate.extensions.otherNames.flatMap(({ oid, value }) => {
    const text = oid.startsWith(PROFESSIONAL_ARC) ? textOf(value) : undefined
    if (!text) return []
    const [council = ''] = oid.slice(PROFESSIONAL_ARC.length).split('.')
    return [{ oid, council: councils[council] ?? null, value: text }]
  })
}

function otherNameText(certificate: Certificate, oid: string): string | undefined {
  const found = certificate.extensions.otherNames.find((name) => name.oid === oid)
  return found && textOf(found.value)
}

// Zeros mean "no value" (DOC-ICP-04 §7.1.2.4).
function fieldAt(text: string, [first, last]: Span): string | null {
  const value = text.slice(first - 1, last).trim()
  return value === '' || /^0+$/.test(value) ? null : value
}

/** Real certificates have one tag too many, but not two. */
const MAX_WRAPPERS = 4

/**
 * The text of any type: §7.1.2.4 allows OCTET STRING and PrintableString, real certificates have UTF8String, IA5String
 * and a second explicit tag too. Undefined without text: a malformed field is ignored.
 */
function textOf(value: DerValue): string | undefined {
  try {
    let inner = value
    for (let depth = 0; depth < MAX_WRAPPERS && (inner.tag & 0x20) !== 0; depth++) inner = inner.unwrap()
    if (inner.isText()) return inner.text()
    return inner.tag === tags.octetString ? inner.content.toString('utf8') : undefined
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return undefined
  }
}
