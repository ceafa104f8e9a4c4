import { type OutlinedSignature, outlineXades } from '@chancela/signature-engine/xades'
import { ELEMENT, ROOT, scanXml, type XmlIndex } from '@chancela/signature-engine/xml'
import type { DocumentKind, Party, SignedNode } from './plans.ts'
import { SigningRefusal } from './refusals.ts'

/** Documents are written in the first namespace; the second is that of the schemas as published since 2026. */
const MEC_NAMESPACES: readonly string[] = [
  'http://portal.mec.gov.br/diplomadigital/arquivos-em-xsd',
  'https://portal.mec.gov.br/diplomadigital/arquivos-em-xsd',
]

/** Root element → kind. */
const KINDS: Readonly<Record<string, DocumentKind>> = {
  DocumentacaoAcademicaRegistro: 'academicDocumentation',
  Diploma: 'degree',
  DocumentoHistoricoEscolarParcial: 'academicTranscript',
  DocumentoHistoricoEscolarFinal: 'academicTranscript',
  DocumentoHistoricoEscolarSegundaViaNatoFisico: 'academicTranscript',
  CurriculoEscolar: 'curriculum',
  ListaDiplomasAnulados: 'cancellationList',
  ArquivoFiscalizacao: 'inspectionFile',
}

/** The names a signed node has in the variants of its document. */
export const NODE_NAMES: Readonly<Record<Exclude<SignedNode, 'document'>, readonly string[]>> = {
  degreeData: ['DadosDiploma', 'DadosDiplomaNSF', 'DadosDiplomaPorDecisaoJudicial'],
  registrationData: ['DadosRegistro', 'DadosRegistroNSF', 'DadosRegistroPorDecisaoJudicial'],
}

const ISSUER = ['IesEmissora', 'IESEmissora']
const REGISTRAR = ['IesRegistradora', 'IESRegistradora']

/** A document read by its structure alone: nodes are found where the layout has them, never by their ids. */
export interface AcademicDocument {
  readonly bytes: Uint8Array
  readonly index: XmlIndex
  readonly kind: DocumentKind
  /** Local name of the root element. */
  readonly root: string
  readonly namespace: string
  /** The one child of the root besides signatures. */
  readonly body: number
  readonly version: string | undefined
  readonly nodes: Readonly<Partial<Record<SignedNode, number>>>
  /** CNPJ of the institutions it names. */
  readonly cnpjs: Readonly<Partial<Record<Party, string>>>
  readonly signatures: readonly OutlinedSignature[]
}

/** Reads a document of any kind; refuses what is none. XML that cannot be read is refused by the engine. */
export function readDocument(bytes: Uint8Array): AcademicDocument {
  const index = scanXml(bytes)
  const root = index.localName(ROOT)
  const namespace = index.namespaceName(ROOT)
  const kind = MEC_NAMESPACES.includes(namespace) && Object.hasOwn(KINDS, root) ? KINDS[root] : undefined
  const body = index.children(ROOT).find((child) => index.namespaceName(child) === namespace)
  if (kind === undefined || body === undefined) throw new SigningRefusal('kind-unknown', { root })
  requireFewSignatures(index)
  const nodes = nodesOf(index, body)
  return {
    bytes,
    index,
    kind,
    root,
    namespace,
    body,
    version: index.attribute(body, 'versao'),
    nodes,
    cnpjs: cnpjsOf(index, body, nodes),
    signatures: outlineXades(index),
  }
}

/** More than any document has; each costs a pass over it, and whoever sends it chooses how many there are. */
const MAX_SIGNATURES = 64
const XMLDSIG = 'http://www.w3.org/2000/09/xmldsig#'

function requireFewSignatures(index: XmlIndex): void {
  const count = index.findAll(XMLDSIG, 'Signature').length
  if (count > MAX_SIGNATURES) throw new SigningRefusal('too-many-signatures', { count: String(count) })
}

function nodesOf(index: XmlIndex, body: number): AcademicDocument['nodes'] {
  const degreeData = childNamed(index, body, NODE_NAMES.degreeData)
  const registrationData = childNamed(index, body, NODE_NAMES.registrationData)
  return {
    document: ROOT,
    ...(degreeData !== undefined && { degreeData }),
    ...(registrationData !== undefined && { registrationData }),
  }
}

function cnpjsOf(index: XmlIndex, body: number, nodes: AcademicDocument['nodes']): AcademicDocument['cnpjs'] {
  const issuer = cnpjOf(index, nodes.degreeData ?? body, ISSUER)
  const registrar = cnpjOf(index, nodes.registrationData ?? body, REGISTRAR)
  const inspected = issuer ?? registrar
  return {
    ...(issuer !== undefined && { issuer }),
    ...(registrar !== undefined && { registrar }),
    ...(inspected !== undefined && { inspected }),
  }
}

function cnpjOf(index: XmlIndex, holder: number, names: readonly string[]): string | undefined {
  const institution = childNamed(index, holder, names)
  const cnpj = institution === undefined ? undefined : childNamed(index, institution, ['CNPJ'])
  return cnpj === undefined ? undefined : index.text(cnpj)
}

/** The first child of the document's own vocabulary with one of these names. */
export const childNamed = (index: XmlIndex, parent: number, names: readonly string[]): number | undefined =>
  index
    .children(parent)
    .find((child) => index.namespaceName(child) === index.namespaceName(ROOT) && names.includes(index.localName(child)))

/** The CPFs of those who sign a node, where it lists them. */
export function signatoriesOf({ index, nodes }: AcademicDocument, node: SignedNode): readonly string[] | undefined {
  const holder = nodes[node]
  const list = holder === undefined ? undefined : childNamed(index, holder, ['Assinantes'])
  if (list === undefined) return undefined
  return index.children(list).flatMap((signatory) => {
    const cpf = childNamed(index, signatory, ['CPF'])
    return cpf === undefined ? [] : [index.text(cpf) ?? '']
  })
}

/** The id by which signatures refer to a node; undefined where the document has no such node, or none of its own. */
export function signedNodeId(bytes: Uint8Array, node: SignedNode): string | undefined {
  const { index, nodes } = readDocument(bytes)
  const element = nodes[node]
  return element === undefined ? undefined : index.attribute(element, 'id')
}

/** The exact bytes of a node, its signatures included. */
export function nodeBytes({ bytes, index, nodes }: AcademicDocument, node: SignedNode): Uint8Array | undefined {
  const element = nodes[node]
  return element === undefined ? undefined : bytes.subarray(...rangeOf(index, element))
}

/** Where an element begins and ends. */
export const rangeOf = (index: XmlIndex, element: number): [start: number, end: number] => [
  index.cell(element, ELEMENT.start),
  index.cell(element, ELEMENT.end),
]
