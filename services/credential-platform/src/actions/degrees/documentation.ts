// The academic documentation of a degree or emission, from data under the names of the layout.
import { degreeIds, newNonce } from '@chancela/academic-documents/layouts'
import { filledIn } from '../../rules/filled-in.ts'
import { wrongData } from '../../rules/refuse.ts'
import type { InstituteRow, TenantTables } from '../../store/tenant-tables.ts'
import { courseData, issuerOf } from '../items/institution-data.ts'
import { requireNotGiven, written } from '../items/layouts.ts'

type Node = Readonly<Record<string, unknown>>

/** Each form of request, and the degree data it may have; the first is the usual one. */
const requests = {
  registroReq: ['dadosDiploma'],
  registroReqNSF: ['dadosDiplomaNSF'],
  registroSegundaViaReq: ['dadosDiploma', 'dadosDiplomaNSF'],
  registroPorDecisaoJudicialReq: ['dadosDiplomaPorDecisaoJudicial'],
} as const

type RequestName = keyof typeof requests
type DegreeNode = (typeof requests)[RequestName][number]

/** First copies, whose final transcript is made with them (credentials-platform facts 1.7). */
const firstCopies: readonly RequestName[] = ['registroReq', 'registroReqNSF']

export interface Documentation {
  readonly bytes: Buffer
  readonly nonce: string
  readonly form: DegreeNode
  /** The request as data: ids and institution filled in, without attachments. */
  readonly request: Node
  readonly isFirstCopy: boolean
  readonly student: {
    readonly id: string
    readonly name: string
    readonly socialName: string | null
    readonly cpf: string
  }
  readonly course: { readonly name: string; readonly code: string }
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const nodeIn = (node: Node, name: string): Node => (isNode(node[name]) ? node[name] : {})
const textIn = (node: Node, name: string): string => {
  const value = node[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function requestIn(data: Node): { readonly name: RequestName; readonly request: Node } {
  const names = Object.keys(requests) as RequestName[]
  const given = names.filter((name) => Object.hasOwn(data, name))
  const strange = Object.keys(data).filter((name) => !names.includes(name as RequestName))
  if (strange.length > 0)
    throw wrongData(Object.fromEntries(strange.map((name) => [`data.${name}`, ['is not a field of the layout']])))
  const [name] = given
  if (name === undefined || given.length > 1) throw wrongData({ data: [`must have one of ${names.join(', ')}`] })
  const request = data[name]
  if (!isNode(request)) throw wrongData({ [`data.${name}`]: ['must be an object'] })
  return { name, request }
}

/** Writes the documentation; every problem is told by its path. */
export function makeDocumentation(
  data: Node,
  institute: InstituteRow,
  course: TenantTables['course'] | undefined,
): Documentation {
  const { name, request } = requestIn(data)
  const forms: readonly DegreeNode[] = requests[name]
  const form = forms.find((one) => Object.hasOwn(request, one)) ?? forms[0]!
  const given = nodeIn(request, form)
  requireNotGiven(request, filledIn.request, `data.${name}`)
  requireNotGiven(given, [...filledIn.degreeData, ...(course ? ['dadosCurso'] : [])], `data.${name}.${form}`)
  const nonce = newNonce()
  const ids = degreeIds(nonce)
  const own = course && { dadosCurso: courseData(course, { isFederal: form === 'dadosDiploma' }) }
  const degreeData: Node = { ...given, ...own, id: ids.dadosDiploma, iesEmissora: issuerOf(institute) }
  const whole: Node = { ...request, id: ids.documentacaoAcademica, [form]: degreeData }
  const input = { documentacaoAcademicaRegistro: { [name]: whole } }
  const { bytes } = written('academicDocumentation', input, { root: 'documentacaoAcademicaRegistro' })
  const student = nodeIn(degreeData, 'diplomado')
  const studies = nodeIn(degreeData, 'dadosCurso')
  const process = nodeIn(studies, 'semCodigoCursoEMEC')
  return {
    bytes,
    nonce,
    form,
    request: withoutAttachments(whole),
    isFirstCopy: firstCopies.includes(name),
    student: {
      id: textIn(student, 'id'),
      name: textIn(student, 'nome'),
      socialName: textIn(student, 'nomeSocial') || null,
      cpf: textIn(student, 'cpf'),
    },
    course: {
      name: textIn(studies, 'nomeCurso'),
      code: textIn(studies, 'codigoCursoEMEC') || textIn(process, 'numeroProcesso'),
    },
  }
}

/** Attachments are megabytes, and are in the XML. */
function withoutAttachments({ documentacaoComprobatoria: _, termoResponsabilidadeEmissora, ...rest }: Node): Node {
  if (!isNode(termoResponsabilidadeEmissora)) return rest
  const { atoDesignacao: __, ...term } = termoResponsabilidadeEmissora
  return { ...rest, termoResponsabilidadeEmissora: term }
}
