import { requireArguments } from '../errors/arguments.ts'
import type { Certificate } from './certificate.ts'
import { isCnpj } from './cnpj.ts'
import { isCpf } from './cpf.ts'
import { type CertificateType, certificateTypeOf, isAtOrUnder } from './holder-certificate-type.ts'
import { otherNameFields, type ProfessionalRegistration, professionalRegistrations } from './holder-fields.ts'
import { keyPurposes } from './oids.ts'

export type HolderKind = 'e-CPF' | 'e-CNPJ' | 'seal' | 'equipment' | 'timestamp' | 'authority'

/** The holder of a certificate, as ICP-Brasil writes it. Absent, malformed or wrong check digits: null. */
export interface Holder {
  /** Null when nothing in the certificate shows it. */
  readonly kind: HolderKind | null
  /** The common name, without the number that ICP-Brasil appends to it. */
  readonly name: string
  /** Of the natural person who holds the certificate; that of a company's responsible is in `responsible`. */
  readonly cpf: string | null
  /** Fourteen characters: numeric, or alphanumeric as issued from 2026. */
  readonly cnpj: string | null
  readonly email: string | null
  /** `1985-04-12`. */
  readonly birthDate: string | null
  /** The person responsible for the company or equipment; a seal has none. */
  readonly responsible: Responsible | null
  /** The company: its own name on an e-CNPJ or seal, its registered name on an equipment, else the subject's O. */
  readonly organization: string | null
  readonly certificateType: CertificateType | null
  readonly nis: string | null
  readonly rg: { readonly number: string; readonly issuer: string | null } | null
  readonly voter: Voter | null
  readonly cei: string | null
  readonly ric: string | null
  readonly sigepe: string | null
  /** Name of the user on Windows. */
  readonly principalName: string | null
  readonly registrations: readonly ProfessionalRegistration[]
  /** CNPJ of the registration authority that identified the holder. */
  readonly registrationAuthority: string | null
}

export interface Responsible {
  readonly name: string | null
  readonly cpf: string | null
  readonly birthDate: string | null
}

export interface Voter {
  readonly number: string
  readonly zone: string | null
  readonly section: string | null
  readonly town: string | null
}

const known = new WeakMap<Certificate, Holder>()

/** The holder of the certificate. Never throws; cached with the certificate. */
export function holderOf(certificate: Certificate): Holder {
  requireArguments('holderOf', { certificate: [certificate, 'certificate'] })
  const remembered = known.get(certificate)
  if (remembered) return remembered
  const holder = readHolder(certificate)
  known.set(certificate, holder)
  return holder
}

function readHolder(certificate: Certificate): Holder {
  const { subject, extensions } = certificate
  const person = otherNameFields(certificate, 'person')
  const cnpj = cnpjOf(certificate)
  const kind = kindOf(certificate, cnpj)
  const isCompany = cnpj !== null || kind === 'e-CNPJ' || kind === 'seal'
  const responsible = responsibleOf(certificate)
  return {
    kind,
    name: nameOf(certificate),
    cpf: isCompany || kind === 'authority' ? null : cpfOf(certificate),
    cnpj,
    email: extensions.emails[0] ?? subject.attribute(EMAIL_ADDRESS) ?? null,
    birthDate: birthDate(person.birthDate),
    responsible,
    organization: organizationOf(certificate, kind),
    certificateType: certificateTypeOf(certificate),
    nis: person.nis,
    rg: person.rg === null ? null : { number: person.rg.replace(/^0+/, ''), issuer: person.rgIssuer },
    voter: voterOf(certificate),
    cei: otherNameFields(certificate, 'personCei').cei ?? otherNameFields(certificate, 'companyCei').cei,
    ric: otherNameFields(certificate, 'civilIdentity').ric,
    sigepe: otherNameFields(certificate, 'publicServant').sigepe,
    principalName: otherNameFields(certificate, 'principalName').upn,
    registrations: professionalRegistrations(certificate),
    registrationAuthority: firstOf(isCnpj, [otherNameFields(certificate, 'registrationAuthority').cnpj]),
  }
}

const EMAIL_ADDRESS = '1.2.840.113549.1.9.1'
const SERIAL_NUMBER = '2.5.4.5'
const SERVER_AUTHENTICATION = '1.3.6.1.5.5.7.3.1'

/** The text after the last colon of the common name: a CPF or a CNPJ. */
const NUMBER_IN_NAME = /:([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$/

const nameOf = ({ subject }: Certificate): string =>
  (subject.commonName ?? subject.organization ?? subject.toString()).replace(NUMBER_IN_NAME, '').trim()

const numberInName = ({ subject }: Certificate): string | undefined =>
  NUMBER_IN_NAME.exec(subject.commonName ?? '')?.[1]

/** In order of reliability: the field made for it, the subject's serialNumber (new profile), the name's suffix. */
function cpfOf(certificate: Certificate): string | null {
  return firstOf(isCpf, [
    otherNameFields(certificate, 'person').cpf,
    certificate.subject.attribute(SERIAL_NUMBER),
    numberInName(certificate),
  ])
}

function cnpjOf(certificate: Certificate): string | null {
  return firstOf(isCnpj, [
    otherNameFields(certificate, 'company').cnpj,
    certificate.subject.attribute(SERIAL_NUMBER)?.replace(/^CNPJ:/i, ''),
    numberInName(certificate),
  ])
}

const firstOf = (
  isRight: (number: string) => boolean,
  candidates: readonly (string | null | undefined)[],
): string | null => candidates.find((candidate) => candidate && isRight(candidate)) ?? null

function responsibleOf(certificate: Certificate): Responsible | null {
  const { name } = otherNameFields(certificate, 'responsibleName')
  const data = otherNameFields(certificate, 'responsible')
  const responsible = { name, cpf: firstOf(isCpf, [data.cpf]), birthDate: birthDate(data.birthDate) }
  return Object.values(responsible).every((value) => value === null) ? null : responsible
}

function voterOf(certificate: Certificate): Voter | null {
  const { number, zone, section, town } = otherNameFields(certificate, 'voter')
  return number === null ? null : { number, zone, section, town }
}

function organizationOf(certificate: Certificate, kind: HolderKind | null): string | null {
  if (kind === 'e-CNPJ' || kind === 'seal') return nameOf(certificate)
  return otherNameFields(certificate, 'equipment').companyName ?? certificate.subject.organization ?? null
}

/** Each kind with its test; the first match decides, because an equipment has a company's fields too. */
const kinds: readonly [HolderKind, (certificate: Certificate, cnpj: string | null) => boolean][] = [
  ['authority', ({ extensions }) => extensions.isAuthority],
  ['timestamp', (certificate) => isTimestamping(certificate)],
  ['seal', (certificate) => certificateTypeOf(certificate)?.startsWith('SE-') ?? false],
  ['equipment', (certificate) => isEquipment(certificate)],
  ['e-CNPJ', (certificate, cnpj) => cnpj !== null && isOfIcpBrasil(certificate)],
  ['e-CPF', (certificate) => isOfIcpBrasil(certificate) && isPerson(certificate)],
]

const kindOf = (certificate: Certificate, cnpj: string | null): HolderKind | null =>
  kinds.find(([, holds]) => holds(certificate, cnpj))?.[0] ?? null

/**
 * What makes a certificate an e-CPF or e-CNPJ: a certificate policy of ICP-Brasil, or one of its fields. A number behind
 * the name is only a number: anybody may write one.
 */
const isOfIcpBrasil = ({ extensions }: Certificate): boolean =>
  extensions.policies.some((policy) => isAtOrUnder(policy, CERTIFICATE_POLICIES)) ||
  extensions.otherNames.some(({ oid }) => OTHER_NAMES.some((arc) => isAtOrUnder(oid, arc)))

const CERTIFICATE_POLICIES = '2.16.76.1.2'
const OTHER_NAMES = ['2.16.76.1.3', '2.16.76.1.4']

const isPerson = (certificate: Certificate): boolean =>
  cpfOf(certificate) !== null || otherNameFields(certificate, 'person').birthDate !== null

const isTimestamping = (certificate: Certificate): boolean =>
  (certificate.extensions.extendedKeyUsage?.includes(keyPurposes.timeStamping) ?? false) ||
  (certificateTypeOf(certificate)?.startsWith('T') ?? false)

const isEquipment = (certificate: Certificate): boolean =>
  (certificateTypeOf(certificate)?.startsWith('AE-') ?? false) ||
  otherNameFields(certificate, 'equipment').companyName !== null ||
  (certificate.extensions.extendedKeyUsage?.includes(SERVER_AUTHENTICATION) ?? false)

/** `12041985` is the twelfth of April; an impossible date is null. */
function birthDate(text: string | null): string | null {
  const [, day, month, year] = /^(\d\d)(\d\d)(\d{4})$/.exec(text ?? '') ?? []
  if (!day) return null
  const iso = `${year}-${month}-${day}`
  const time = Date.parse(`${iso}T00:00:00Z`)
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== iso ? null : iso
}
