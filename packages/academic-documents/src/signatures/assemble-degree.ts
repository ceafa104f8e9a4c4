import { isIntact } from '@chancela/signature-engine/report'
import { checkXades } from '@chancela/signature-engine/xades'
import { NO_ELEMENT, type XmlIndex } from '@chancela/signature-engine/xml'
import { progressOf } from './progress.ts'
import { type AcademicDocument, childNamed, nodeBytes, rangeOf, readDocument } from './read-document.ts'
import { SigningRefusal } from './refusals.ts'

/** Registration data that may stand beside each form of degree data (credentials-platform facts 1.5). */
const PAIRS: Readonly<Record<string, readonly string[]>> = {
  DadosDiploma: ['DadosRegistro', 'DadosRegistroNSF'],
  DadosDiplomaNSF: ['DadosRegistro', 'DadosRegistroNSF'],
  DadosDiplomaPorDecisaoJudicial: ['DadosRegistroPorDecisaoJudicial'],
}

/**
 * The registrar's degree: the data of the closed academic documentation, byte by byte with its signatures, and the
 * registration data, which is one element without an XML declaration. The result waits for the registrar's signatures.
 */
export function assembleDegree(academicDocumentation: Uint8Array, registrationData: Uint8Array): Buffer {
  const source = readDocument(academicDocumentation)
  requireClosed(source)
  const carried = nodeBytes(source, 'degreeData')!
  const [before, behind] = framesOf(source)
  const degree = Buffer.concat([before, carried, registrationData, behind])
  const result = readResult(degree)
  requireStructure(result, source, { at: before.length + carried.length, length: registrationData.length })
  requireIntact(result)
  return degree
}

function requireClosed(source: AcademicDocument): void {
  if (source.kind !== 'academicDocumentation') throw new SigningRefusal('kind-unknown', { root: source.root })
  if (source.nodes.degreeData === undefined) throw new SigningRefusal('node-missing', { node: 'degreeData' })
  const open = progressOf(source).steps.find(({ state }) => state !== 'done')
  if (open) throw new SigningRefusal('not-closed', { step: open.step.name })
}

/**
 * What stands around the two data nodes. Inclusive canonical forms see every namespace in scope, so that the root
 * declares what was in scope around the degree data, and nothing else.
 */
function framesOf(source: AcademicDocument): [Buffer, Buffer] {
  const { index, body, nodes } = source
  const declarations = [...index.namespacesInScope(index.parent(nodes.degreeData!))]
    .map(([prefix, uri]) => ` xmlns${prefix === '' ? '' : `:${prefix}`}="${attributeText(uri)}"`)
    .join('')
  const name = qualifier(index, body)
  const ambiente = index.attribute(body, 'ambiente')
  const attributes = [
    ['versao', source.version ?? ''],
    ['id', `VDip${nonceOf(source)}`],
    ...(ambiente === undefined ? [] : [['ambiente', ambiente]]),
  ].map(([attribute, value]) => ` ${attribute}="${attributeText(value!)}"`)
  return [
    Buffer.from(
      `<?xml version="1.0" encoding="UTF-8"?><${name}Diploma${declarations}><${name}infDiploma${attributes.join('')}>`,
    ),
    Buffer.from(`</${name}infDiploma></${name}Diploma>`),
  ]
}

/** The prefix of the document's own vocabulary with its colon; mostly there is none. */
const qualifier = (index: XmlIndex, element: number): string =>
  /^<([^\s/>]+:)?/.exec(index.slice(...rangeOf(index, element)).slice(0, 200))?.[1] ?? ''

/** The 44 digits that all ids of one degree share (credentials-platform facts 1.2). */
const nonceOf = ({ index, nodes }: AcademicDocument): string =>
  (index.attribute(nodes.degreeData!, 'id') ?? '').replace(/^Dip/, '')

const attributeText = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** The registration data is where it was put, is all of it, and is about this degree. */
function requireStructure(
  { index, nodes, body }: AcademicDocument,
  source: AcademicDocument,
  put: { readonly at: number; readonly length: number },
): void {
  const { degreeData, registrationData } = nodes
  if (degreeData === undefined || registrationData === undefined) throw malformed('it has another name')
  const [start, end] = rangeOf(index, registrationData)
  if (start !== put.at || end !== put.at + put.length) throw malformed('there is something around the element')
  if (index.children(body).length !== 2) throw malformed('there is more than one element')
  if (!PAIRS[index.localName(degreeData)]?.includes(index.localName(registrationData)))
    throw malformed(`${index.localName(registrationData)} does not belong to ${index.localName(degreeData)}`)
  requireSameNonce(index, registrationData, nonceOf(source))
}

function readResult(degree: Buffer): AcademicDocument {
  try {
    return readDocument(degree)
  } catch (error) {
    throw malformed(error instanceof Error ? error.message : String(error))
  }
}

function requireSameNonce(index: XmlIndex, registrationData: number, nonce: string): void {
  const reference = childNamed(index, registrationData, ['IdDocumentacaoAcademica']) ?? NO_ELEMENT
  const found = {
    id: [index.attribute(registrationData, 'id') ?? '', `RDip${nonce}`],
    IdDocumentacaoAcademica: [reference === NO_ELEMENT ? '' : (index.text(reference) ?? ''), `ReqDip${nonce}`],
  }
  for (const [field, [is, expected]] of Object.entries(found))
    if (is !== expected) throw new SigningRefusal('registration-mismatch', { field, found: is!, expected: expected! })
}

const malformed = (reason: string): SigningRefusal => new SigningRefusal('registration-malformed', { reason })

/** Every carried signature holds where it stands now. */
function requireIntact({ index }: AcademicDocument): void {
  for (const signature of checkXades(index))
    if (!isIntact(signature)) throw new SigningRefusal('signature-broken', { signature: signature.id ?? '' })
}
