// The registrar's part of a degree, and the public XML that carries the issuer's part byte by byte.
import { type CodeIngredients, degreeCode, degreeIds, judge, nodeRange } from '@chancela/academic-documents/layouts'
import { assembleDegree } from '@chancela/academic-documents/signatures'
import type { Db } from '@chancela/service-kernel/store'
import { isDegreeCodeTaken } from '../../store/item-codes.ts'
import type { Tables } from '../../store/tables.ts'
import type { InstituteRow } from '../../store/tenant-tables.ts'
import type { Documentation } from '../degrees/documentation.ts'
import { registrarOf } from '../items/institution-data.ts'
import { requireNotGiven, written } from '../items/layouts.ts'

type Node = Readonly<Record<string, unknown>>

/** What is registered, as far as the row of a degree keeps it. */
export type Registered = Pick<Documentation, 'nonce' | 'form' | 'request' | 'student' | 'course'>

const registrationNames = {
  dadosDiploma: 'dadosRegistro',
  dadosDiplomaNSF: 'dadosRegistroNSF',
  dadosDiplomaPorDecisaoJudicial: 'dadosRegistroPorDecisaoJudicial',
} as const

const FILLED_IN = ['id', 'iesRegistradora', 'idDocumentacaoAcademica', 'seguranca']

const isText = (value: unknown): value is string | number => ['string', 'number'].includes(typeof value)
const textOf = (value: unknown): string => (isText(value) ? String(value) : '')

export const bookIn = ({ livroRegistro }: Node): Node => (livroRegistro ?? {}) as Node

/** The days of the book that lists and inspection files look for. */
export const daysIn = (registration: Node) => ({
  emission_date: textOf(bookIn(registration).dataExpedicaoDiploma) || null,
  registration_date: textOf(bookIn(registration).dataRegistroDiploma) || null,
})

/** The code of a degree, which no degree and no request for one has. */
export function freeCode(
  db: Db<Tables>,
  { nonce, student, course }: Registered,
  registration: Node,
  issuer: InstituteRow,
  registrar: InstituteRow,
): Promise<string> {
  const book = bookIn(registration)
  const ingredients: CodeIngredients = {
    matricula: student.id,
    cpf: student.cpf,
    curso: course.code,
    cnpjEmissora: issuer.cnpj,
    cnpjRegistradora: registrar.cnpj,
    livro: textOf(book.livroRegistro),
    folhaOuRegistro: textOf(book.numeroFolhaDoDiploma ?? book.numeroRegistro),
    sequencia: textOf(book.numeroSequenciaDoDiploma),
    nonce,
  }
  return degreeCode(issuer.code, registrar.code, ingredients, (code) => isDegreeCodeTaken(db, code))
}

/** The registration data as bytes, cut out of a degree that is written whole; what is wrong is told by its path. */
export function registrationBytes(
  { nonce, form, request }: Registered,
  registration: Node,
  registrar: InstituteRow,
  code: string,
): Buffer {
  requireNotGiven(registration, FILLED_IN, 'registration')
  const ids = degreeIds(nonce)
  const name = registrationNames[form]
  const part = {
    ...registration,
    id: ids.dadosRegistro,
    iesRegistradora: registrarOf(registrar),
    idDocumentacaoAcademica: ids.documentacaoAcademica,
    seguranca: { codigoValidacao: code },
  }
  const { ambiente } = request
  const infDiploma = {
    id: ids.infDiploma,
    ...(ambiente !== undefined && { ambiente }),
    [form]: request[form],
    [name]: part,
  }
  const writing = { root: `diploma.infDiploma.${name}`, field: 'registration' }
  const { bytes } = written('degree', { diploma: { infDiploma } }, writing)
  const { start, end } = nodeRange(bytes, ids.dadosRegistro)!
  return bytes.subarray(start, end)
}

/** The public XML, waiting for the registrar's signatures. */
export function publicXml(documentation: Uint8Array, registration: Buffer): Buffer {
  const bytes = assembleDegree(documentation, registration)
  const { valid, problems } = judge(bytes, { beforeSigning: true })
  // Both parts were valid by themselves: this is a defect of ours, and nothing is signed.
  if (!valid) throw new Error(`The degree is not valid: ${problems.map(({ path, en }) => `${path}: ${en}`).join(' ')}`)
  return bytes
}
