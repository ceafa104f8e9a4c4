// What the schemas of institutions and courses cannot say: which fields go together.
import type { FieldErrors } from '@chancela/service-kernel/errors'
import type { Static } from 'typebox'
import type { CourseData, InstituteData } from '../contract/academic.ts'
import type { InstituteFields } from '../contract/institutes.ts'

type Institute = Static<typeof InstituteData>
type Course = Static<typeof CourseData>
type Endereco = Institute['endereco']
type Ato = Institute['credenciamento']

type Problems = readonly (readonly [path: string, text: string])[]

const given = (...values: readonly unknown[]): boolean => values.every((value) => value !== undefined)
const none = (...values: readonly unknown[]): boolean => values.every((value) => value === undefined)

/** A municipality of Brazil is named in full; one elsewhere by its name alone. */
function addressProblems(path: string, address: Endereco | undefined): Problems {
  if (!address) return []
  const { codigoMunicipio, nomeMunicipio, uf, nomeMunicipioEstrangeiro } = address
  const here = given(codigoMunicipio, nomeMunicipio, uf) && none(nomeMunicipioEstrangeiro)
  const abroad = given(nomeMunicipioEstrangeiro) && none(codigoMunicipio, nomeMunicipio, uf)
  return here || abroad
    ? []
    : [[path, 'needs codigoMunicipio, nomeMunicipio and uf, or nomeMunicipioEstrangeiro alone']]
}

/** An act has type, number and date; or it is under way at the e-MEC. */
function actProblems(path: string, act: Ato | undefined): Problems {
  if (!act) return []
  const { informacoesTramitacaoEMEC, ...published } = act
  const isPublished = given(act.tipo, act.numero, act.data)
  const isUnderWay = given(informacoesTramitacaoEMEC) && Object.keys(published).length === 0
  return (isPublished && none(informacoesTramitacaoEMEC)) || isUnderWay
    ? []
    : [[path, 'needs tipo, numero and data, or informacoesTramitacaoEMEC alone']]
}

const CHECK_WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2] as const

function checkDigit(digits: string): number {
  const weights = CHECK_WEIGHTS.slice(CHECK_WEIGHTS.length - digits.length)
  const rest = weights.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0) % 11
  return rest < 2 ? 0 : 11 - rest
}

/** Whether the last two digits are what the others make them. */
const isCnpj = (cnpj: string): boolean =>
  /^\d{14}$/.test(cnpj) &&
  !/^(\d)\1+$/.test(cnpj) &&
  [12, 13].every((at) => checkDigit(cnpj.slice(0, at)) === Number(cnpj[at]))

const cnpjProblems = (path: string, cnpj: string | undefined): Problems =>
  cnpj === undefined || isCnpj(cnpj) ? [] : [[path, 'has wrong check digits']]

const asFields = (problems: Problems): FieldErrors | undefined =>
  problems.length === 0 ? undefined : Object.fromEntries(problems.map(([path, text]) => [path, [text]]))

/** A registrar has a maintainer, because the layout of degrees asks for it. */
function maintainerProblems({ kind, data }: Pick<InstituteFields, 'kind' | 'data'>): Problems {
  if (kind !== 'Issuer' && !data.mantenedora) return [['data.mantenedora', 'is required of a registrar']]
  return kind === 'Issuer' && data.atoRegulatorioAutorizacaoRegistro
    ? [['data.atoRegulatorioAutorizacaoRegistro', 'is of registrars']]
    : []
}

/** What is wrong with an institution; undefined when nothing is. */
export function instituteProblems(institute: Pick<InstituteFields, 'kind' | 'cnpj' | 'data'>): FieldErrors | undefined {
  const { cnpj, data } = institute
  const { mantenedora, atoRegulatorioAutorizacaoRegistro: authorization } = data
  return asFields([
    ...cnpjProblems('cnpj', cnpj),
    ...addressProblems('data.endereco', data.endereco),
    ...actProblems('data.credenciamento', data.credenciamento),
    ...actProblems('data.recredenciamento', data.recredenciamento),
    ...actProblems('data.renovacaoDeRecredenciamento', data.renovacaoDeRecredenciamento),
    ...actProblems('data.atoRegulatorioAutorizacaoRegistro', authorization as Ato | undefined),
    ...cnpjProblems('data.mantenedora.cnpj', mantenedora?.cnpj),
    ...addressProblems('data.mantenedora.endereco', mantenedora?.endereco),
    ...maintainerProblems(institute),
  ])
}

/** A course has a code, or the process in which it will get one; a title is one of the usual ones, or another. */
export function courseProblems(emecCode: string | null, data: Course): FieldErrors | undefined {
  const { semCodigoCursoEMEC: process, tituloConferido: title } = data
  return asFields([
    ...(emecCode === null && !process ? ([['emecCode', 'is required without semCodigoCursoEMEC']] as const) : []),
    ...(emecCode !== null && process ? ([['data.semCodigoCursoEMEC', 'is of a course without a code']] as const) : []),
    ...(title && given(title.titulo) === given(title.outroTitulo)
      ? ([['data.tituloConferido', 'is either titulo or outroTitulo']] as const)
      : []),
    ...addressProblems('data.enderecoCurso', data.enderecoCurso),
    ...addressProblems('data.polo.endereco', data.polo?.endereco),
    ...actProblems('data.autorizacao', data.autorizacao),
    ...actProblems('data.reconhecimento', data.reconhecimento),
    ...actProblems('data.renovacaoReconhecimento', data.renovacaoReconhecimento),
  ])
}
