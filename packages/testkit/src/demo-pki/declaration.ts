// The declaration of the demo PKI: every authority, service and holder, and its purpose. The rest of this folder
// implements it. All people and companies are invented; their numbers have right check digits.
import { withCnpjCheckDigits, withCpfCheckDigits } from '@chancela/signature-engine/x509'
import type { KeyPurpose, KeyUsage } from './extensions.ts'
import type { Company, Holder, OtherNameForm, Person, Profile } from './icp-names.ts'
import type { KeyKind } from './keys.ts'

const YEAR = 365

export interface AuthorityDeclaration {
  readonly name: string
  /** Label of the authority above; a root has none. */
  readonly issuer?: string
  readonly key: KeyKind
  /** How many authorities may follow below. */
  readonly pathLength?: number
  /** Validity of this authority's revocation lists. */
  readonly crlHours: number
  /** Whether it answers OCSP; then its certificates say so. */
  readonly ocsp?: true
  /** Revocations of nonexistent certificates, to make the list as long as those of large authorities. */
  readonly fillerRevocations?: number
  readonly startsInDays: number
  readonly days: number
}

/** As in ICP-Brasil: root, level 1, level 2, holder. */
export const authorities: Record<string, AuthorityDeclaration> = {
  root: {
    name: 'AC Raiz Demo v1',
    key: 'RSA-4096',
    crlHours: 90 * 24,
    startsInDays: -3 * YEAR,
    days: 13 * YEAR,
  },
  'level-1': {
    name: 'AC Secretaria Demo v1',
    issuer: 'root',
    key: 'RSA-4096',
    pathLength: 1,
    crlHours: 30 * 24,
    startsInDays: -3 * YEAR,
    days: 12 * YEAR,
  },
  'level-2': {
    name: 'AC Pessoas Demo v1',
    issuer: 'level-1',
    key: 'RSA-4096',
    pathLength: 0,
    crlHours: 24,
    ocsp: true,
    startsInDays: -3 * YEAR,
    days: 11 * YEAR,
  },
  // 110,000 entries of 49 bytes: a list of more than 5 MB, signed with ECDSA. No OCSP, so that a client has to read it.
  bulky: {
    name: 'AC Volumosa Demo v1',
    issuer: 'level-1',
    key: 'P-384',
    pathLength: 0,
    crlHours: 24,
    fillerRevocations: 110_000,
    startsInDays: -3 * YEAR,
    days: 11 * YEAR,
  },
  'unknown-root': {
    name: 'AC Raiz Desconhecida',
    key: 'RSA-2048',
    crlHours: 90 * 24,
    startsInDays: -3 * YEAR,
    days: 13 * YEAR,
  },
}

/** Labels of the roots that clients of the demo trust. */
export const trustedRoots: readonly string[] = ['root']

/** Certificate types by policy: the arc is ICP-Brasil's, its last number (the issuing authority's) is unassigned. */
export const policies = {
  A1: { oid: '2.16.76.1.2.1.9999', days: YEAR },
  A3: { oid: '2.16.76.1.2.3.9999', days: 3 * YEAR },
  'SE-S': { oid: '2.16.76.1.2.201.9999', days: YEAR },
  T3: { oid: '2.16.76.1.2.303.9999', days: 5 * YEAR },
  /** The authorities' own; also that of their OCSP signers. */
  authority: { oid: '2.16.76.1.1.9999', days: 5 * YEAR },
} as const

type Policy = keyof typeof policies

/** Start of a certificate's validity, whose length its policy sets: days from today. */
export const validities = {
  current: () => -30,
  /** Renewed before the old one expired: of two valid ones, the newer. */
  renewed: () => -3,
  expired: (days: number) => -35 - days,
  'not-yet-valid': () => 2 * YEAR,
} as const satisfies Record<string, (days: number) => number>

type ValidityName = keyof typeof validities

/** What each kind of certificate may be used for. */
export const usages = {
  // Seen on real e-CPF certificates; a client must not require nonRepudiation.
  signer: {
    keyUsage: ['digitalSignature', 'nonRepudiation', 'keyEncipherment'],
    purposes: ['clientAuth', 'emailProtection'],
  },
  equipment: { keyUsage: ['digitalSignature', 'keyEncipherment'], purposes: ['serverAuth', 'clientAuth'] },
  timeStamping: { keyUsage: ['digitalSignature', 'nonRepudiation'], purposes: ['timeStamping'] },
  ocspSigning: { keyUsage: ['digitalSignature'], purposes: ['OCSPSigning'] },
} as const satisfies Record<string, { keyUsage: readonly KeyUsage[]; purposes: readonly KeyPurpose[] }>

export interface ServiceDeclaration {
  readonly name: string
  readonly issuer: string
  readonly key: KeyKind
  readonly usage: 'timeStamping' | 'ocspSigning'
  readonly policy: Policy
}

/** The certificates the PKI's own services sign with. */
export const services: Record<string, ServiceDeclaration> = {
  tsa: {
    name: 'Servidor de Carimbo do Tempo Demo',
    issuer: 'level-2',
    key: 'RSA-2048',
    usage: 'timeStamping',
    policy: 'T3',
  },
  // RFC 6960 §4.2.2.2: a delegated signer is issued by the very authority it answers for.
  'ocsp-level-2': {
    name: 'Respondedor OCSP Demo',
    issuer: 'level-2',
    key: 'RSA-2048',
    usage: 'ocspSigning',
    policy: 'authority',
  },
}

/** Terms of the time-stamping authority. */
export const timeStampTerms = {
  policy: '2.16.76.1.6.2',
  accuracySeconds: 1,
  /** genTime is whole seconds, so two tokens of one second have no order (RFC 3161 §2.4.2). */
  ordering: false,
} as const

/** RFC 5280 §5.3.1. */
export const revocationReasons = {
  unspecified: 0,
  keyCompromise: 1,
  cACompromise: 2,
  affiliationChanged: 3,
  superseded: 4,
  cessationOfOperation: 5,
  certificateHold: 6,
  privilegeWithdrawn: 9,
  aACompromise: 10,
} as const

export type RevocationReason = keyof typeof revocationReasons

/** How a certificate is issued to a holder. */
export interface Terms {
  /** Issuing authority; default 'level-2'. */
  readonly issuer?: string
  /** Default RSA-2048, what ICP-Brasil holders have. */
  readonly key?: KeyKind
  /** Default A1. */
  readonly policy?: Policy
  /** Default 'current': began thirty days ago. */
  readonly validity?: ValidityName
  /** Position of the CPF or CNPJ; default 'classic'. */
  readonly profile?: Profile
  /** Inner string type of the otherName fields; default PrintableString, as on real e-CPFs. */
  readonly otherNameForm?: OtherNameForm
}

export interface HolderDeclaration extends Terms {
  readonly holder: Holder
  readonly revoked?: { readonly reason: RevocationReason; readonly daysAgo: number }
  /** Opens the holder's PKCS#12 in the demo; only holders of the demo's vault have one. */
  readonly demoPin?: string
}

const person = (
  name: string,
  nineDigits: string,
  more: Omit<Partial<Person>, 'kind' | 'name' | 'cpf'> = {},
): Person => ({
  kind: 'person',
  name,
  cpf: withCpfCheckDigits(nineDigits),
  born: '1984-09-17',
  ...more,
})

const ana = person('Ana Beatriz Souza', '529982247', {
  born: '1985-04-12',
  nis: '12056789012',
  rg: '287654321',
  rgIssuer: 'SSPSP',
  voter: { number: '123456780191', zone: '12', section: '345', town: 'São Paulo', state: 'SP' },
  email: 'ana.souza@example.com',
})

const bruno = person('Bruno Carvalho Lima', '111444777', {
  rg: 'MG1234567',
  rgIssuer: 'SSPMG',
  email: 'bruno.lima@example.com',
})

const bakery: Company = {
  kind: 'company',
  name: 'Padaria Aurora Ltda',
  cnpj: withCnpjCheckDigits('112223330001'),
  responsible: ana,
  email: 'contato@padaria-aurora.example',
}

/** Every holder; the label says what the certificate shows. */
export const holders: Record<string, HolderDeclaration> = {
  // People and a company whose certificates are good.
  'ana-souza': { holder: ana, demoPin: '482913' },
  'bruno-lima': { holder: bruno, policy: 'A3', demoPin: '730155' },
  'carla-nogueira': {
    holder: person('Carla Regina Nogueira', '123456789', { email: 'carla.nogueira@example.com' }),
    key: 'RSA-4096',
    policy: 'A3',
    demoPin: '916402',
  },
  'davi-moreira': {
    holder: person('Davi Moreira dos Santos', '987654321', { email: 'davi.moreira@example.com' }),
    key: 'P-256',
    demoPin: '255871',
  },
  'helena-prado': {
    holder: person('Helena Gonçalves Prado', '246813579', { email: 'helena.prado@example.com' }),
    profile: 'serial-number',
    policy: 'A3',
    demoPin: '604738',
  },
  'padaria-aurora': { holder: bakery },
  'cooperativa-ipe': {
    holder: { kind: 'company', name: 'Cooperativa Ipê Amarelo', cnpj: withCnpjCheckDigits('12ABC34501DE') },
    profile: 'serial-number',
    policy: 'SE-S',
    key: 'P-256',
  },
  equipment: { holder: { kind: 'equipment', name: 'servidor.padaria-aurora.example', company: bakery } },

  // Further certificates of one person, as in a cloud: a client must choose the newest valid one.
  'bruno-lima-renewed': { holder: bruno, validity: 'renewed' },
  'bruno-lima-expired': { holder: bruno, validity: 'expired' },

  // Certificates that must be refused.
  expired: { holder: person('Elisa Tavares Vencida', '100200300'), validity: 'expired' },
  'not-yet-valid': { holder: person('Fabio Rocha Futuro', '100200301'), validity: 'not-yet-valid' },
  revoked: {
    holder: person('Gabriela Pinto Revogada', '100200302', { email: 'gabriela.pinto@example.com' }),
    revoked: { reason: 'keyCompromise', daysAgo: 7 },
  },
  'under-unknown-root': { holder: person('Heitor Alves Estranho', '100200303'), issuer: 'unknown-root' },

  // Certificates with something missing or unusual. They are P-256, which is generated quickly.
  'without-email': { holder: person('Iara Lopes Sem Correio', '100200304'), key: 'P-256' },
  'without-cpf': { holder: { kind: 'person', name: 'Joana Reis Sem Numero', born: '1990-01-31' }, key: 'P-256' },
  'wrong-cpf': { holder: { ...person('Kaio Nunes Trocado', '100200305'), cpf: '10020030500' }, key: 'P-256' },
  'cpf-in-common-name': { holder: person('Lia Duarte', '100200306'), profile: 'common-name', key: 'P-256' },
  'octet-string': { holder: person('Mauro Sales', '100200307'), otherNameForm: 'OCTET STRING', key: 'P-256' },
  'utf8-string': { holder: person('Nadia Freitas', '100200308'), otherNameForm: 'UTF8String', key: 'P-256' },
  'ia5-string': { holder: person('Otavio Ramos', '100200309'), otherNameForm: 'IA5String', key: 'P-256' },
  'doubled-tag': { holder: person('Paula Viana', '100200310'), otherNameForm: 'doubled explicit tag', key: 'P-256' },

  // Holders under the authority with the 5 MB revocation list.
  'bulky-good': { holder: person('Quiteria Barros', '100200311'), issuer: 'bulky', key: 'P-256' },
  'bulky-revoked': {
    holder: person('Raul Meireles', '100200312'),
    issuer: 'bulky',
    key: 'P-256',
    revoked: { reason: 'superseded', daysAgo: 3 },
  },
}

export interface DemoHolder {
  readonly label: string
  readonly name: string
  readonly cpf: string
  readonly email: string
  readonly pin: string
}

/** The people in the demo's vault, with the PINs that open their keys. For the demo only. */
export const demoHolders: readonly DemoHolder[] = Object.entries(holders).flatMap(([label, { holder, demoPin }]) =>
  demoPin && holder.kind === 'person' && holder.cpf && holder.email
    ? [{ label, name: holder.name, cpf: holder.cpf, email: holder.email, pin: demoPin }]
    : [],
)

/** What a certificate's policy points to. */
export const practiceStatement = `Declaração de Práticas de Certificação da AC Raiz Demo

Esta infraestrutura de chaves públicas existe para demonstração e testes. Seus certificados têm a forma dos da
ICP-Brasil, mas não pertencem a ela, não identificam ninguém e não têm valor jurídico. Não confie nesta raiz fora de
um ambiente de demonstração.

Certification practice statement of the demo root: for demonstration and tests only. Trust it nowhere else.
`
