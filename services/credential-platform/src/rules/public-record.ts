// What is public of a document (credentials-platform facts 1.7): read from the XML that was signed, never from elsewhere.
import type { ReadDocument } from '@chancela/academic-documents/layouts'
import type { PublicRecord } from '../contract/public.ts'
import { type Node, nodeIn, textIn } from './document-node.ts'

/** What the XML itself says for the public record. */
export type DocumentFacts = Pick<
  PublicRecord,
  | 'version'
  | 'studentName'
  | 'studentCpf'
  | 'course'
  | 'courseCode'
  | 'issuingIes'
  | 'registeringIes'
  | 'conclusionDate'
  | 'expeditionDate'
  | 'registrationDate'
  | 'expeditionNumber'
  | 'registrationNumber'
> & {
  readonly code: string
}

/** The six central digits of a CPF, and nothing else of it. */
const maskedCpf = (cpf: string): string => `***.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-**`

const institution = (node: Node | undefined) =>
  node ? { name: textIn(node, 'nome') ?? '', code: textIn(node, 'codigoMEC') ?? '' } : null

const NOBODY = { name: '', code: '' }

function degreeFacts(data: Node): Omit<DocumentFacts, 'version'> {
  const body = nodeIn(nodeIn(data, 'diploma'), 'infDiploma')
  const degree = nodeIn(body, 'dadosDiploma', 'dadosDiplomaNSF', 'dadosDiplomaPorDecisaoJudicial')
  const registration = nodeIn(body, 'dadosRegistro', 'dadosRegistroNSF', 'dadosRegistroPorDecisaoJudicial')
  const book = nodeIn(registration, 'livroRegistro')
  return {
    code: textIn(nodeIn(registration, 'seguranca'), 'codigoValidacao') ?? '',
    ...personFacts(nodeIn(degree, 'diplomado')),
    ...courseFacts(nodeIn(degree, 'dadosCurso')),
    issuingIes: institution(nodeIn(degree, 'iesEmissora')) ?? NOBODY,
    registeringIes: institution(nodeIn(registration, 'iesRegistradora')),
    conclusionDate: textIn(degree, 'dataConclusao'),
    expeditionDate: textIn(book, 'dataExpedicaoDiploma'),
    registrationDate: textIn(book, 'dataRegistroDiploma'),
    expeditionNumber: textIn(book, 'processoDoDiploma'),
    registrationNumber: registrationNumber(book),
  }
}

/** Of its own, or by book, sheet and sequence. */
function registrationNumber(book: Node | undefined): string | null {
  const own = textIn(book, 'numeroRegistro')
  const parts = ['livroRegistro', 'numeroFolhaDoDiploma', 'numeroSequenciaDoDiploma'].map((name) => textIn(book, name))
  return own ?? (parts.filter((part) => part !== null).join(' / ') || null)
}

function personFacts(person: Node | undefined) {
  const cpf = textIn(person, 'cpf')
  return {
    // A social name is the name by which a person is called in public.
    studentName: textIn(person, 'nomeSocial') ?? textIn(person, 'nome'),
    studentCpf: cpf === null ? null : maskedCpf(cpf),
  }
}

const courseFacts = (course: Node | undefined) => ({
  course: textIn(course, 'nomeCurso') ?? '',
  courseCode: textIn(course, 'codigoCursoEMEC'),
})

const unregistered = {
  registeringIes: null,
  conclusionDate: null,
  expeditionDate: null,
  registrationDate: null,
  expeditionNumber: null,
  registrationNumber: null,
}

function transcriptFacts(data: Node): Omit<DocumentFacts, 'version'> {
  const body = nodeIn(nodeIn(data, ...Object.keys(data)), 'infHistoricoEscolar')
  return {
    code: textIn(nodeIn(body, 'segurancaHistorico'), 'codigoValidacao') ?? '',
    ...personFacts(nodeIn(body, 'aluno')),
    ...courseFacts(nodeIn(body, 'dadosCurso', 'dadosCursoNSF')),
    issuingIes: institution(nodeIn(body, 'iesEmissora')) ?? NOBODY,
    ...unregistered,
  }
}

function curriculumFacts(data: Node): Omit<DocumentFacts, 'version'> {
  const body = nodeIn(nodeIn(data, 'curriculoEscolar'), 'infCurriculoEscolar')
  return {
    code: textIn(nodeIn(body, 'segurancaCurriculo'), 'codigoValidacao') ?? '',
    studentName: null,
    studentCpf: null,
    ...courseFacts(nodeIn(body, 'dadosCurso', 'dadosCursoNSF')),
    issuingIes: institution(nodeIn(body, 'iesEmissora')) ?? NOBODY,
    ...unregistered,
  }
}

const factsByKind: Readonly<Record<string, (data: Node) => Omit<DocumentFacts, 'version'>>> = {
  degree: degreeFacts,
  academicTranscript: transcriptFacts,
  curriculum: curriculumFacts,
}

/** Undefined of documents that nobody looks up by a code. */
export function documentFacts({ kind, version, data }: ReadDocument): DocumentFacts | undefined {
  const facts = factsByKind[kind]?.(data as unknown as Node)
  return facts && { version, ...facts }
}

/** What of the academic documentation is public: when the student entered the course, which nothing else says. */
export interface AdmissionFacts {
  readonly admissionDate: string | null
}

function admissionFacts(data: Node): AdmissionFacts {
  const root = nodeIn(data, 'documentacaoAcademicaRegistro')
  const request = nodeIn(root, ...Object.keys(root ?? {}))
  const history = nodeIn(nodeIn(request, 'dadosPrivadosDiplomado'), 'historicoEscolar')
  return { admissionDate: textIn(nodeIn(history, 'ingressoCurso'), 'data') }
}

/** What is public of any document; undefined of one that nobody looks up by a code. */
export const publicFacts = (document: ReadDocument): DocumentFacts | AdmissionFacts | undefined =>
  document.kind === 'academicDocumentation' ? admissionFacts(document.data as unknown as Node) : documentFacts(document)
