// What an inspection file says of each degree (credentials-platform facts 2.7).
import { degreeIds, uniqueUrl } from '@chancela/academic-documents/layouts'

/** A degree in the rows of the platform. */
interface InspectedDegree {
  readonly id: string
  readonly verification_code: string | null
  readonly student_cpf: string
}

export interface IssuedDegree extends InspectedDegree {
  readonly emission_date: string | null
  readonly registration_date: string | null
}

export interface RegisteredDegree extends InspectedDegree {
  /** JSON. */
  readonly book: string | null
  readonly nonce: string
}

/** An item of the file, or why the degree cannot be one. */
export type InspectedItem = { readonly item: object } | { readonly problem: string }

/** e-MEC code of the course, as the XML says it. */
const courseOf = (code: string | null) => (code === null ? {} : { codigoEMECCurso: code })

export function issuedItem(degree: IssuedDegree, courseCode: string | null, publicUrl: string): InspectedItem {
  const { verification_code: code, emission_date, registration_date } = degree
  const url = code === null ? undefined : uniqueUrl(publicUrl, `${code}.xml`)
  const representation = code === null ? undefined : uniqueUrl(publicUrl, `${code}/rvdd`)
  if (url === undefined || representation === undefined)
    return { problem: `${code ?? degree.id}: its address is not an https one of at most 255 characters` }
  if (registration_date === null) return { problem: `${code}: it has no date of registration` }
  return {
    item: {
      codigoDiploma: code,
      cpfDetentor: degree.student_cpf,
      ...courseOf(courseCode),
      dataEmissao: emission_date,
      dataRegistro: registration_date,
      urlXmlDoDiplomado: url,
      urlRvdd: representation,
    },
  }
}

export function registeredItem(degree: RegisteredDegree, courseCode: string | null): InspectedItem {
  const { verification_code: code, book, nonce } = degree
  if (code === null || book === null) return { problem: `${code ?? degree.id}: its line of the book is not known here` }
  return {
    item: {
      codigoDiploma: code,
      cpfDetentor: degree.student_cpf,
      codigoEMECEmissora: code.split('.')[0],
      ...courseOf(courseCode),
      dadosRegistro: JSON.parse(book),
      idDocumentacaoAcademica: degreeIds(nonce).documentacaoAcademica,
    },
  }
}
