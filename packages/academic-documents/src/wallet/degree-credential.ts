import { createHash } from 'node:crypto'
import type { DegreeData, Institution } from '../representations/contents/shapes.ts'
import { didOf } from './did-web.ts'
import { WalletProblem } from './errors.ts'
import { type StatusPurpose, seconds, statusEntry } from './status-list.ts'

export interface DegreeCredentialInput {
  readonly data: DegreeData
  /** The institution's own address, from which its identifier is made. */
  readonly publicUrl: string
  /** Validation code of the degree. */
  readonly code: string
  /** The public page of the degree. */
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

/**
 * The degree as an Open Badges 3.0 credential in the W3C data model 2.0, from the data of the XML. The XML stays the
 * document of the law: the credential leads to it and holds its digest.
 */
export function degreeCredential(input: DegreeCredentialInput) {
  const { data, publicUrl, code, pageUrl, xml, status, holder } = input
  const { iesEmissora, diplomado } = data.dadosDiploma
  return {
    '@context': [
      'https://www.w3.org/ns/credentials/v2',
      'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json',
      // Where the type of the schema is defined.
      'https://purl.imsglobal.org/spec/ob/v3p0/extensions.json',
    ],
    id: `${pageUrl}#credential`,
    type: ['VerifiableCredential', 'OpenBadgeCredential'],
    name: titleOf(data),
    issuer: profileOf(iesEmissora, publicUrl),
    validFrom: seconds(startOf(data)),
    credentialSubject: {
      ...(holder !== undefined && { id: holder }),
      type: ['AchievementSubject'],
      identifier: identitiesOf(diplomado.nomeSocial ?? diplomado.nome, diplomado.cpf, input.salt),
      achievement: achievementOf(data, publicUrl),
      awardedDate: seconds(startOf(data)),
    },
    evidence: [
      evidence(
        pageUrl,
        'Página pública do diploma',
        `Situação atual do diploma, código de validação ${code}`,
        'text/html',
      ),
      evidence(xml.url, 'Diploma digital', 'Arquivo XML assinado com certificados da ICP-Brasil', 'application/xml'),
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

export type DegreeCredential = ReturnType<typeof degreeCredential>

/** The degree is one from its registration, or from its expedition where no registration is told. */
function startOf({ dadosRegistro: { livroRegistro } }: DegreeData): Date {
  const day = livroRegistro.dataRegistroDiploma ?? livroRegistro.dataExpedicaoDiploma
  if (day === undefined) throw new WalletProblem('date.missing')
  return new Date(`${day.slice(0, 10)}T00:00:00Z`)
}

function titleOf({ dadosDiploma: { dadosCurso } }: DegreeData): string {
  const { titulo, outroTitulo } = dadosCurso.tituloConferido ?? {}
  return [outroTitulo ?? titulo, dadosCurso.nomeCurso].filter(Boolean).join(' em ')
}

const profileOf = ({ nome, codigoMEC, cnpj }: Institution, publicUrl: string) => ({
  id: didOf(publicUrl),
  type: ['Profile'],
  name: nome,
  url: publicUrl,
  otherIdentifier: [
    { type: 'IdentifierEntry', identifier: String(codigoMEC), identifierType: 'ext:codigoMEC' },
    ...(cnpj === undefined ? [] : [{ type: 'IdentifierEntry', identifier: cnpj, identifierType: 'ext:CNPJ' }]),
  ],
})

function identitiesOf(name: string, cpf: string | undefined, salt: string) {
  const named = { type: 'IdentityObject', hashed: false, identityHash: name, identityType: 'name' }
  if (cpf === undefined) return [named]
  return [
    named,
    {
      type: 'IdentityObject',
      hashed: true,
      identityHash: hashedIdentity(cpf, salt),
      identityType: 'nationalIdentityNumber',
      salt,
    },
  ]
}

/** Open Badges 3.0, IdentityObject: the salt follows the value. */
export const hashedIdentity = (value: string, salt: string): string =>
  `sha256$${createHash('sha256').update(`${value}${salt}`).digest('hex')}`

/** The terms of Open Badges nearest to the degrees of the layouts. */
const achievementTypes: Readonly<Record<string, string>> = {
  Bacharelado: 'BachelorDegree',
  Licenciatura: 'Degree',
  Tecnólogo: 'Degree',
  'Curso sequencial': 'Diploma',
}

function achievementOf({ dadosDiploma: { dadosCurso, iesEmissora } }: DegreeData, publicUrl: string) {
  const { nomeCurso, grauConferido, modalidade, codigoCursoEMEC, habilitacao = [] } = dadosCurso
  const details = [grauConferido, modalidade].filter(Boolean).join(', ')
  return {
    id: `${publicUrl.replace(/\/+$/, '')}/cursos/${encodeURIComponent(String(codigoCursoEMEC ?? nomeCurso))}`,
    type: ['Achievement'],
    achievementType: achievementTypes[grauConferido ?? ''] ?? 'Degree',
    name: nomeCurso,
    description: `Curso superior de ${nomeCurso}${details && ` (${details})`} da instituição ${iesEmissora.nome}.`,
    criteria: {
      narrative:
        'Integralização do currículo do curso, colação de grau e registro do diploma, conforme a legislação brasileira da educação superior.',
    },
    creator: profileOf(iesEmissora, publicUrl),
    fieldOfStudy: nomeCurso,
    inLanguage: 'pt-BR',
    ...(codigoCursoEMEC !== undefined && { humanCode: String(codigoCursoEMEC) }),
    ...(habilitacao.length > 0 && { specialization: habilitacao.map((one) => one.nomeHabilitacao).join(', ') }),
  }
}

const evidence = (id: string, name: string, description: string, genre: string) => ({
  id,
  type: ['Evidence'],
  name,
  description,
  genre,
})

const digestOf = (bytes: Uint8Array): string => `sha384-${createHash('sha384').update(bytes).digest('base64')}`
