// What a registrar needs to know of an academic documentation (credentials-platform facts 1.4, 1.5, 2.3).
import { nonceOf, type ReadDocument } from '@chancela/academic-documents/layouts'
import { type Node, nameIn, nodeIn, textIn } from './document-node.ts'

/** Degree data of each form, and the registration data that stand beside them. */
export const registrationForms = {
  dadosDiploma: 'dadosRegistro',
  dadosDiplomaNSF: 'dadosRegistroNSF',
  dadosDiplomaPorDecisaoJudicial: 'dadosRegistroPorDecisaoJudicial',
} as const

type DegreeForm = keyof typeof registrationForms

export interface RequestFacts {
  readonly nonce: string
  readonly version: string
  readonly form: DegreeForm
  readonly ambiente: string | null
  /** The degree data as they were given; registration data are made beside them. */
  readonly degreeData: Node
  /** Of a degree that a court ordered. */
  readonly process: Node | undefined
  readonly student: {
    readonly id: string | null
    readonly name: string
    readonly socialName: string | null
    readonly cpf: string
  }
  readonly course: { readonly name: string; readonly code: string | null }
  readonly issuer: { readonly name: string; readonly code: string; readonly cnpj: string }
  readonly admissionDate: string | null
  readonly expeditionDate: string | null
}

const forms = Object.keys(registrationForms) as DegreeForm[]

/** Undefined of any other kind of document. */
export function requestFacts({ kind, version, data }: ReadDocument): RequestFacts | undefined {
  if (kind !== 'academicDocumentation') return undefined
  const root = nodeIn(data as unknown as Node, 'documentacaoAcademicaRegistro')
  const request = nodeIn(root, ...Object.keys(root ?? {}))
  const form = nameIn(request, ...forms)
  const nonce = nonceOf(textIn(request, 'id') ?? '')
  if (!request || !form || nonce === undefined) return undefined
  const degreeData = nodeIn(request, form)!
  const history = nodeIn(nodeIn(request, 'dadosPrivadosDiplomado'), 'historicoEscolar')
  return {
    nonce,
    version,
    form,
    ambiente: textIn(request, 'ambiente'),
    degreeData,
    process: nodeIn(nodeIn(request, 'dadosPrivadosDiplomado'), 'informacoesProcessoJudicial'),
    ...partiesOf(degreeData),
    admissionDate: textIn(nodeIn(history, 'ingressoCurso'), 'data'),
    expeditionDate: textIn(nodeIn(nodeIn(history, 'situacaoAtualDiscente'), 'formado'), 'dataExpedicaoDiploma'),
  }
}

function partiesOf(data: Node): Pick<RequestFacts, 'student' | 'course' | 'issuer'> {
  const [person, course, ies] = [nodeIn(data, 'diplomado'), nodeIn(data, 'dadosCurso'), nodeIn(data, 'iesEmissora')]
  const process = textIn(nodeIn(course, 'semCodigoCursoEMEC'), 'numeroProcesso')
  return {
    student: {
      id: textIn(person, 'id'),
      name: textIn(person, 'nome') ?? '',
      socialName: textIn(person, 'nomeSocial'),
      cpf: textIn(person, 'cpf') ?? '',
    },
    course: { name: textIn(course, 'nomeCurso') ?? '', code: textIn(course, 'codigoCursoEMEC') ?? process },
    issuer: {
      name: textIn(ies, 'nome') ?? '',
      code: textIn(ies, 'codigoMEC') ?? '',
      cnpj: textIn(ies, 'cnpj') ?? '',
    },
  }
}
