// The holder's names in a certificate, in the layouts of DOC-ICP-04 §7.1.2.3 and §7.1.2.4.
import {
  type Der,
  explicit,
  ia5String,
  implicit,
  octetString,
  oid,
  printableString,
  sequence,
  setOf,
  utf8String,
} from '@chancela/signature-engine/der'

/** A natural person. Missing data is written as ICP-Brasil does: zeros, or nothing. */
export interface Person {
  readonly kind: 'person'
  readonly name: string
  /** Eleven digits; check digits are not checked here, so that a test can have a certificate with wrong ones. */
  readonly cpf?: string
  /** YYYY-MM-DD. */
  readonly born?: string
  /** PIS/PASEP/NIS, eleven digits. */
  readonly nis?: string
  readonly rg?: string
  /** Issuing body and state of the RG, such as SSPSP; written only when there is an RG. */
  readonly rgIssuer?: string
  readonly voter?: {
    readonly number: string
    readonly zone: string
    readonly section: string
    readonly town: string
    readonly state: string
  }
  readonly cei?: string
  readonly email?: string
}

/** A company; without a responsible person it is the holder of an electronic seal (SE-S). */
export interface Company {
  readonly kind: 'company'
  readonly name: string
  /** Fourteen characters, numeric or alphanumeric. */
  readonly cnpj: string
  readonly responsible?: Person
  readonly cei?: string
  readonly email?: string
}

/** A machine of a company, named by its host name. */
export interface Equipment {
  readonly kind: 'equipment'
  readonly name: string
  readonly company: Company
  readonly email?: string
}

export type Holder = Person | Company | Equipment

/** Where a certificate states the CPF or CNPJ. */
const profiles = {
  /** The certificates of the last twenty years: ICP-Brasil's otherName fields, and the number after the name. */
  classic: { otherNames: true, commonNameSuffix: true, serialNumber: false },
  /** Resolution 211: no otherName for the person; the number is the subject's serialNumber. */
  'serial-number': { otherNames: false, commonNameSuffix: false, serialNumber: true },
  /** The fallback of a reader: the number is only after the common name. */
  'common-name': { otherNames: false, commonNameSuffix: true, serialNumber: false },
} as const

export type Profile = keyof typeof profiles

/** How the text of an otherName is wrapped; issuers differ, and a reader must accept them all. */
const otherNameForms = {
  PrintableString: printableString,
  'OCTET STRING': (text: string) => octetString(Buffer.from(text, 'latin1')),
  UTF8String: utf8String,
  IA5String: ia5String,
  'doubled explicit tag': (text: string) => explicit(0, printableString(text)),
} as const satisfies Record<string, (text: string) => Der>

export type OtherNameForm = keyof typeof otherNameForms

const attributeTypes = {
  country: '2.5.4.6',
  state: '2.5.4.8',
  locality: '2.5.4.7',
  organization: '2.5.4.10',
  organizationalUnit: '2.5.4.11',
  commonName: '2.5.4.3',
  serialNumber: '2.5.4.5',
} as const

type NamePart = readonly [keyof typeof attributeTypes, string]

// RFC 5280 A.1: these two are PrintableString by definition.
const printableParts: readonly string[] = ['country', 'serialNumber']

/** Not ICP-Brasil's own name: a demo certificate must not look like a real one. */
const ORGANIZATION = 'ICP-Brasil Demo'

/** A subject or issuer of our hierarchy: country and organization, then the parts given, in order. */
export const distinguishedName = (...parts: NamePart[]): Der =>
  sequence(...[['country', 'BR'] as const, ['organization', ORGANIZATION] as const, ...parts].map(relativeName))

const relativeName = ([type, text]: NamePart): Der =>
  setOf(sequence(oid(attributeTypes[type]), printableParts.includes(type) ? printableString(text) : utf8String(text)))

/** The subject of a holder's certificate, such as CN=ANA BEATRIZ SOUZA:52998224725 under OU=e-CPF A1. */
export function holderName(holder: Holder, terms: { profile: Profile; policy: string; issuerName: string }): Der {
  const profile = profiles[terms.profile]
  const number = numberOf(holder)
  return distinguishedName(
    ['organizationalUnit', terms.issuerName],
    ['organizationalUnit', `${titleOf[holder.kind]} ${terms.policy}`],
    ['commonName', profile.commonNameSuffix && number ? withNumber(holder.name, number) : holder.name],
    ...(profile.serialNumber && number ? [['serialNumber', number] as const] : []),
  )
}

const titleOf = { person: 'e-CPF', company: 'e-CNPJ', equipment: 'e-Equipamento' } as const

function numberOf(holder: Holder): string | undefined {
  if (holder.kind === 'equipment') return undefined
  return holder.kind === 'person' ? holder.cpf : holder.cnpj
}

// RFC 5280 A.1 ub-common-name: at most 64 characters; ICP-Brasil shortens the name, never the number.
const withNumber = (name: string, number: string): string =>
  `${asIcpText(name).slice(0, 64 - number.length - 1)}:${number}`

/** The GeneralNames of a holder: ICP-Brasil's otherName fields, then e-mail and host name. */
export function alternativeNames(holder: Holder, profile: Profile, form: OtherNameForm): Der | undefined {
  const fields = profiles[profile].otherNames ? icpFields(holder) : newProfileFields(profile)
  const names = [
    ...Object.entries(fields).map(([type, text]) => otherName(type, otherNameForms[form](text))),
    ...(holder.email ? [implicit(1, ia5String(holder.email))] : []),
    ...(holder.kind === 'equipment' ? [implicit(2, ia5String(holder.name))] : []),
  ]
  return names.length > 0 ? sequence(...names) : undefined
}

// GeneralName ::= CHOICE { otherName [0] IMPLICIT SEQUENCE { type-id OID, value [0] EXPLICIT ANY }, … }
const otherName = (type: string, value: Der): Der => implicit(0, sequence(oid(type), explicit(0, value)))

/** otherName OID → content, for each kind of holder. */
function icpFields(holder: Holder): Record<string, string> {
  switch (holder.kind) {
    case 'person':
      return {
        '2.16.76.1.3.1': personalData(holder),
        '2.16.76.1.3.6': digits(holder.cei, 12),
        '2.16.76.1.3.5': voterData(holder),
      }
    case 'company':
      return { ...companyFields(holder), '2.16.76.1.3.7': digits(holder.cei, 12) }
    case 'equipment':
      return { '2.16.76.1.3.8': asIcpText(holder.company.name), ...companyFields(holder.company) }
  }
}

function companyFields({ cnpj, responsible }: Company): Record<string, string> {
  const person = responsible && {
    '2.16.76.1.3.4': personalData(responsible),
    '2.16.76.1.3.2': asIcpText(responsible.name),
  }
  return { ...person, '2.16.76.1.3.3': cnpj }
}

/** CNPJ of the registration authority: the only ICP-Brasil field of the new profile. */
const newProfileFields = (profile: Profile): Record<string, string> =>
  profile === 'serial-number' ? { '2.16.76.1.4.5.1': REGISTRATION_AUTHORITY_CNPJ } : {}

const REGISTRATION_AUTHORITY_CNPJ = '11222333000181'

/** 1-8 birth date ddmmyyyy, 9-19 CPF, 20-30 NIS, 31-45 RG, then up to ten characters of issuing body, if there is an RG. */
export function personalData(person: Omit<Person, 'kind' | 'name'>): string {
  const born = person.born?.split('-').reverse().join('')
  const issuer = person.rg
    ? asIcpText(person.rgIssuer ?? '')
        .replaceAll(' ', '')
        .slice(0, 10)
    : ''
  return digits(born, 8) + digits(person.cpf, 11) + digits(person.nis, 11) + alphanumeric(person.rg, 15) + issuer
}

/** 1-12 voter number, 13-15 zone, 16-19 section, then up to 22 characters of town and state, if there is a number. */
export function voterData({ voter }: Pick<Person, 'voter'>): string {
  const town = voter ? `${asIcpText(voter.town).slice(0, 20)}${voter.state}` : ''
  return digits(voter?.number, 12) + digits(voter?.zone, 3) + digits(voter?.section, 4) + town
}

/** A fixed-width number, zeros on the left; all zeros when there is none. */
function digits(value: string | undefined, width: number): string {
  if (value !== undefined && !/^\d*$/.test(value)) throw new RangeError(`not a number: ${value}`)
  return alphanumeric(value, width)
}

function alphanumeric(value = '', width: number): string {
  if (value.length > width) throw new RangeError(`longer than ${width} characters: ${value}`)
  return value.padStart(width, '0')
}

/** §7.1.2.4: capital letters without accents, and digits; words stay separate. */
const asIcpText = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, ' ')
    .trim()
