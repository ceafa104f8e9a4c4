// The registrar's part of a degree, and the public XML that carries the issuer's part byte by byte (credentials-platform
// facts 1.3, 1.5, 1.6). Own degrees and requests of partners are registered alike.
import { degreeCode, degreeIds, judge, nodeRange } from '@chancela/academic-documents/layouts'
import { assembleDegree } from '@chancela/academic-documents/signatures'
import type { Db } from '@chancela/service-kernel/store'
import { wrongData } from '../../rules/refuse.ts'
import { codeIngredients, degreeInput, type Registrable, registrationName } from '../../rules/registration-data.ts'
import { isDegreeCodeTaken } from '../../store/item-codes.ts'
import type { Tables } from '../../store/tables.ts'
import type { InstituteRow } from '../../store/tenant-tables.ts'
import { fieldsOf, written } from '../items/layouts.ts'

/** Registration data as the layout has them, without what the platform fills in. */
export interface Registration {
  readonly data: Readonly<Record<string, unknown>>
  /** The name they have in the request; empty where they are the request. */
  readonly field: string
}

/** The code of a degree, which no degree and no request for one has. */
export const freeCode = (
  db: Db<Tables>,
  degree: Registrable,
  registrar: InstituteRow,
  { data }: Registration,
): Promise<string> =>
  degreeCode(degree.issuer.code, registrar.code, codeIngredients(degree, data, registrar), (code) =>
    isDegreeCodeTaken(db, code),
  )

const rootOf = (degree: Registrable, registrar: InstituteRow) =>
  `diploma.infDiploma.${registrationName(degree, registrar)}`

/** The registration data as bytes, cut out of a degree that is written whole; what is wrong is told by its path. */
export function registrationBytes(
  degree: Registrable,
  registrar: InstituteRow,
  { data, field }: Registration,
  code: string,
): Buffer {
  const input = degreeInput(degree, registrar, data, code)
  const { bytes } = written('degree', input, { root: rootOf(degree, registrar), field })
  const { start, end } = nodeRange(bytes, degreeIds(degree.nonce).dadosRegistro)!
  return bytes.subarray(start, end)
}

/** The public XML, waiting for the registrar's signatures. */
export function publicXml(
  documentation: Uint8Array,
  degree: Registrable,
  registrar: InstituteRow,
  registration: Registration,
  code: string,
): Buffer {
  const bytes = assembleDegree(documentation, registrationBytes(degree, registrar, registration, code))
  const { valid, problems } = judge(bytes, { beforeSigning: true })
  if (!valid) throw wrongData(fieldsOf(problems, rootOf(degree, registrar), registration.field))
  return bytes
}
