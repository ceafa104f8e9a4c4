// The registrar's part of a degree, from the line of the book (credentials-platform facts 1.4, 1.5).
import { type CodeIngredients, degreeIds, type LayoutProblem } from '@chancela/academic-documents/layouts'
import type { FieldErrors } from '@chancela/service-kernel/errors'
import type { BookEntry, RegistrationEntry } from '../contract/registrations.ts'
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

/** What the verification code is made of (credentials-platform facts 1.3). */
export function codeIngredients(facts: RequestFacts, book: BookEntry, registrar: RegistrarIdentity): CodeIngredients {
  const { livroRegistro, numeroRegistro, numeroFolhaDoDiploma, numeroSequenciaDoDiploma } = book
  const folhaOuRegistro = numeroFolhaDoDiploma ?? numeroRegistro
  return {
    ...(facts.student.id !== null && { matricula: facts.student.id }),
    cpf: facts.student.cpf,
    ...(facts.course.code !== null && { curso: facts.course.code }),
    cnpjEmissora: facts.issuer.cnpj,
    cnpjRegistradora: registrar.cnpj,
    ...(livroRegistro !== undefined && { livro: livroRegistro }),
    ...(folhaOuRegistro !== undefined && { folhaOuRegistro }),
    ...(numeroSequenciaDoDiploma !== undefined && { sequencia: numeroSequenciaDoDiploma }),
    nonce: facts.nonce,
  }
}

/** The name of the registration data: a registrar outside the federal system has a form of its own. */
const registrationName = ({ form }: RequestFacts, { federal_system }: RegistrarIdentity) =>
  form === 'dadosDiploma' && federal_system === 0 ? 'dadosRegistroNSF' : registrationForms[form]

/** The degree as data: its registration data are cut out of what is written from it. */
export function degreeInput(facts: RequestFacts, registrar: RegistrarIdentity, entry: RegistrationEntry, code: string) {
  const ids = degreeIds(facts.nonce)
  const { livroRegistro, informacoesAdicionais, assinantes } = entry
  const registration = {
    id: ids.dadosRegistro,
    iesRegistradora: iesOf(registrar),
    livroRegistro,
    idDocumentacaoAcademica: ids.documentacaoAcademica,
    seguranca: { codigoValidacao: code },
    ...(facts.process && { informacoesProcessoJudicial: facts.process }),
    ...(informacoesAdicionais !== undefined && { informacoesAdicionais }),
    ...(assinantes !== undefined && { assinantes: { assinante: assinantes } }),
  }
  const ambiente = facts.ambiente === null ? {} : { ambiente: facts.ambiente }
  const data = { [facts.form]: facts.degreeData, [registrationName(facts, registrar)]: registration }
  return { diploma: { infDiploma: { id: ids.infDiploma, ...ambiente, ...data } } }
}

/** Each problem under the name of the field as the caller gave it. */
export function entryProblems(problems: readonly Pick<LayoutProblem, 'path' | 'pt'>[]): FieldErrors {
  const fields: Record<string, string[]> = {}
  for (const { path, pt } of problems) {
    const name = path.replace(/^.*?dadosRegistro\w*\./, '')
    fields[name] = [...(fields[name] ?? []), pt]
  }
  return fields
}
