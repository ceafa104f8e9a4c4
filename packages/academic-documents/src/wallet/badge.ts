import { createHash } from 'node:crypto'
import type { Course, Institution, Person } from '../representations/contents/shapes.ts'
import { didOf } from './did-web.ts'
import { WalletProblem } from './errors.ts'
import { type StatusPurpose, seconds, statusEntry } from './status-list.ts'

/** What every credential is made from besides the data of its XML. */
export interface CredentialInput<Data> {
  readonly data: Data
  /** The institution's own address, from which its identifier is made. */
  readonly publicUrl: string
  /** Its page for people; default the same. */
  readonly homeUrl?: string
  /** Validation code of the document. */
  readonly code: string
  /** The public page of the document. */
  readonly pageUrl: string
  /** The signed XML. */
  readonly xml: { readonly url: string; readonly bytes: Uint8Array }
  /** Where its entries are; one for each purpose. */
  readonly status: readonly { readonly list: string; readonly purpose: StatusPurpose; readonly index: number }[]
  /** Random, at least 16 bytes in base64url, and kept: it makes the hash of a number of eleven digits harder to reverse. */
  readonly salt: string
  /** Identifier of the wallet, where it has shown that it holds the key; default none. */
  readonly holder?: string
}

/** What differs between kinds of documents. */
interface BadgeContent<Subject extends object> {
  readonly name: string
  /** How people call the document. */
  readonly document: string
  readonly issuer: Institution
  readonly person: Person
  readonly start: Date
  /** What the subject has besides its identity: the achievement, and perhaps results. */
  readonly subject: Subject
}

/**
 * A credential of Open Badges 3.0 in the W3C data model 2.0. The XML stays the document of the law: the credential leads
 * to it and holds its digest.
 */
export function badge<Subject extends object>(input: CredentialInput<unknown>, content: BadgeContent<Subject>) {
  const { code, pageUrl, xml, status, holder, salt } = input
  const { name, document, issuer, person, start, subject } = content
  return {
    '@context': [
      'https://www.w3.org/ns/credentials/v2',
      'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json',
      // Where the type of the schema is defined.
      'https://purl.imsglobal.org/spec/ob/v3p0/extensions.json',
    ],
    id: `${pageUrl}#credential`,
    type: ['VerifiableCredential', 'OpenBadgeCredential'],
    name,
    issuer: profileOf(issuer, input),
    validFrom: seconds(start),
    credentialSubject: {
      ...(holder !== undefined && { id: holder }),
      type: ['AchievementSubject'],
      identifier: identitiesOf(person, salt),
      ...subject,
    },
    evidence: [
      evidence(pageUrl, `Página pública do ${document}`, `Situação atual, código de validação ${code}`, 'text/html'),
      evidence(
        xml.url,
        capitalized(document),
        'Arquivo XML assinado com certificados da ICP-Brasil',
        'application/xml',
      ),
    ],
    relatedResource: [{ id: xml.url, mediaType: 'application/xml', digestSRI: digestOf(xml.bytes) }],
    credentialStatus: status.map(({ list, purpose, index }) => statusEntry(list, purpose, index)),
    credentialSchema: [
      {
        id: 'https://purl.imsglobal.org/spec/ob/v3p0/schema/json/ob_v3p0_achievementcredential_schema.json',
        type: '1EdTechJsonSchemaValidator2019',
      },
    ],
  }
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

type Addresses = Pick<CredentialInput<unknown>, 'publicUrl' | 'homeUrl'>

export const profileOf = ({ nome, codigoMEC, cnpj }: Institution, { publicUrl, homeUrl = publicUrl }: Addresses) => ({
  id: didOf(publicUrl),
  type: ['Profile'],
  name: nome,
  url: homeUrl,
  otherIdentifier: [
    { type: 'IdentifierEntry', identifier: String(codigoMEC), identifierType: 'ext:codigoMEC' },
    ...(cnpj === undefined ? [] : [{ type: 'IdentifierEntry', identifier: cnpj, identifierType: 'ext:CNPJ' }]),
  ],
})

function identitiesOf({ nome, nomeSocial, cpf }: Person, salt: string) {
  const named = { type: 'IdentityObject', hashed: false, identityHash: nomeSocial ?? nome, identityType: 'name' }
  if (cpf === undefined) return [named]
  if (!/^[\w-]{22,}$/.test(salt)) throw new WalletProblem('salt.short')
  const identityHash = hashedIdentity(cpf, salt)
  return [named, { type: 'IdentityObject', hashed: true, identityHash, identityType: 'nationalIdentityNumber', salt }]
}

/** Open Badges 3.0, IdentityObject: the salt follows the value. */
export const hashedIdentity = (value: string, salt: string): string =>
  `sha256$${createHash('sha256').update(`${value}${salt}`).digest('hex')}`

/** The address that stands for a course of an institution. */
export const courseId = ({ codigoCursoEMEC, nomeCurso }: Course, publicUrl: string): string =>
  `${publicUrl.replace(/\/+$/, '')}/cursos/${encodeURIComponent(String(codigoCursoEMEC ?? nomeCurso))}`

/** What an achievement says of the course it is about. */
export const courseParts = ({ nomeCurso, codigoCursoEMEC, habilitacao = [] }: Course) => ({
  fieldOfStudy: nomeCurso,
  inLanguage: 'pt-BR',
  ...(codigoCursoEMEC !== undefined && { humanCode: String(codigoCursoEMEC) }),
  ...(habilitacao.length > 0 && { specialization: habilitacao.map((one) => one.nomeHabilitacao).join(', ') }),
})

const evidence = (id: string, name: string, description: string, genre: string) => ({
  id,
  type: ['Evidence'],
  name,
  description,
  genre,
})

const digestOf = (bytes: Uint8Array): string => `sha384-${createHash('sha384').update(bytes).digest('base64')}`
