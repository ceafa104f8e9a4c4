// The registrar's part of a degree, from the line of the book (credentials-platform facts 1.4, 1.5).
import { type CodeIngredients, degreeIds } from '@chancela/academic-documents/layouts'
import type { RegistrationEntry } from '../contract/registrations.ts'
import { type RequestFacts, registrationForms } from './request-facts.ts'

/** The registrar as the layouts name it. */
export interface RegistrarIdentity {
  readonly name: string
  readonly code: string
  readonly cnpj: string
  readonly federal_system: number
  /** JSON. */
  readonly data: string
}

/** An institution as the layouts take it. */
export const iesOf = ({ name, code, cnpj, data }: Omit<RegistrarIdentity, 'federal_system'>): object => ({
  nome: name,
  codigoMEC: code,
  cnpj,
  ...JSON.parse(data),
})

/** A field of the book as it is written; layouts take numbers, too. */
const written = (value: unknown): string | undefined => (value === undefined ? undefined : String(value).trim())

/** Where in the book a degree is: no two are at one place. Undefined where the layout asks for no place, and none is given. */
export function bookPlace(book: Readonly<Record<string, unknown>>): string | undefined {
  const [name = '', number, sheet, sequence] = placeFields.map((field) => written(book[field]))
  const place = sheet === undefined ? [number] : [sheet, sequence]
  return place[0] === undefined ? undefined : JSON.stringify([name, ...place])
}

const placeFields = ['livroRegistro', 'numeroRegistro', 'numeroFolhaDoDiploma', 'numeroSequenciaDoDiploma'] as const

type Node = Readonly<Record<string, unknown>>

/** What is registered: of an own degree, or of a request. */
export type Registrable = Pick<RequestFacts, 'nonce' | 'form' | 'ambiente' | 'degreeData'> & {
  readonly student: Pick<RequestFacts['student'], 'id' | 'cpf'>
  readonly course: Pick<RequestFacts['course'], 'code'>
  readonly issuer: Pick<RequestFacts['issuer'], 'code' | 'cnpj'>
}

/** The line of the book in registration data. */
export const bookIn = ({ livroRegistro }: Node): Node => (livroRegistro ?? {}) as Node

/** What the verification code is made of (credentials-platform facts 1.3). */
export function codeIngredients(degree: Registrable, registration: Node, { cnpj }: RegistrarIdentity): CodeIngredients {
  const [livro, number, sheet, sequencia] = placeFields.map((field) => written(bookIn(registration)[field]))
  const optional = {
    matricula: degree.student.id ?? undefined,
    curso: degree.course.code ?? undefined,
    livro,
    folhaOuRegistro: sheet ?? number,
    sequencia,
  }
  return {
    cpf: degree.student.cpf,
    cnpjEmissora: degree.issuer.cnpj,
    cnpjRegistradora: cnpj,
    nonce: degree.nonce,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
  }
}

/** The name of the registration data: a registrar outside the federal system has a form of its own. */
export const registrationName = ({ form }: Registrable, { federal_system }: RegistrarIdentity) =>
  form === 'dadosDiploma' && federal_system === 0 ? 'dadosRegistroNSF' : registrationForms[form]

/** The degree as data: its registration data are cut out of what is written from it. */
export function degreeInput(degree: Registrable, registrar: RegistrarIdentity, registration: Node, code: string) {
  const ids = degreeIds(degree.nonce)
  const filled = {
    ...registration,
    id: ids.dadosRegistro,
    iesRegistradora: iesOf(registrar),
    idDocumentacaoAcademica: ids.documentacaoAcademica,
    seguranca: { codigoValidacao: code },
  }
  const ambiente = degree.ambiente === null ? {} : { ambiente: degree.ambiente }
  const data = { [degree.form]: degree.degreeData, [registrationName(degree, registrar)]: filled }
  return { diploma: { infDiploma: { id: ids.infDiploma, ...ambiente, ...data } } }
}

/** Registration data as the layout has them, from what the registrar entered for a request. */
export const registrationOf = ({ process }: RequestFacts, entry: RegistrationEntry): Node => ({
  livroRegistro: entry.livroRegistro,
  ...(process && { informacoesProcessoJudicial: process }),
  ...(entry.informacoesAdicionais !== undefined && { informacoesAdicionais: entry.informacoesAdicionais }),
  ...(entry.assinantes !== undefined && { assinantes: { assinante: entry.assinantes } }),
})
