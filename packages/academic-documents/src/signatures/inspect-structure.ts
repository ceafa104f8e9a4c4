import { holderOf } from '@chancela/signature-engine/x509'
import type { OutlinedSignature } from '@chancela/signature-engine/xades'
import { ROOT } from '@chancela/signature-engine/xml'
import { closingStep, signaturePlans } from './plans.ts'
import { type DocumentProblem, problem } from './problems.ts'
import { type SigningProgress, signerOf } from './progress.ts'
import { type AcademicDocument, NODE_NAMES } from './read-document.ts'

const XMLDSIG = 'http://www.w3.org/2000/09/xmldsig#'

/** What the structure of a document shows before anything is computed: nodes, places, numbers, references. */
export const structureProblems = (document: AcademicDocument, progress: SigningProgress): DocumentProblem[] => [
  ...missingNodes(document),
  ...duplicateIds(document),
  ...wrappedData(document),
  ...missingSignatures(progress),
  ...progress.misplaced.map((signature) => misplacedProblem(document, signature)),
  ...document.signatures.flatMap((signature) => movedProblems(document, signature)),
  ...closingProblems(document, progress),
]

function missingNodes({ kind, nodes }: AcademicDocument): DocumentProblem[] {
  const needed = new Set(signaturePlans[kind].map(({ node }) => node))
  return [...needed].filter((node) => nodes[node] === undefined).map((node) => problem('node-missing', { node }))
}

/** Ids of the nodes that signatures refer to, and of the signatures. */
function duplicateIds({ index, nodes, signatures }: AcademicDocument): DocumentProblem[] {
  const ids = [
    ...Object.values(nodes).map((element) => index.attribute(element, 'id')),
    ...signatures.map(({ id }) => id),
  ].filter((id) => id !== undefined)
  return [...new Set(ids)]
    .filter((id) => index.elementsWithId(id).length > 1)
    .map((id) => problem('id-duplicate', { id }))
}

/** Whoever forges a document chooses how often. */
const MAX_TOLD = 10

/** Data of the document's own vocabulary inside a signature, or a second data node anywhere. */
function wrappedData({ index, kind, namespace, nodes, signatures }: AcademicDocument): DocumentProblem[] {
  const inSignatures = signatures.flatMap(({ element }) => hidden(index, namespace, element))
  // Items of an inspection file have registration data as well, which nobody signs by itself.
  const twins =
    kind === 'inspectionFile'
      ? []
      : (Object.keys(NODE_NAMES) as (keyof typeof NODE_NAMES)[]).flatMap((node) =>
          NODE_NAMES[node]
            .flatMap((name) => index.findAll(namespace, name))
            .filter((element) => element !== nodes[node]),
        )
  return [...new Set([...inSignatures, ...twins])]
    .slice(0, MAX_TOLD)
    .map((element) => problem('signature-wrapping', { path: index.path(element) }))
}

/** The outermost elements of the document's vocabulary inside a signature. */
function hidden(index: AcademicDocument['index'], namespace: string, element: number): number[] {
  return index
    .children(element)
    .flatMap((child) => (index.namespaceName(child) === namespace ? [child] : hidden(index, namespace, child)))
}

const missingSignatures = ({ steps }: SigningProgress): DocumentProblem[] =>
  steps.flatMap(({ step, signatures, missing }) => {
    const place = { step: step.name }
    if (missing.length > 0)
      return missing.map((cpf) => problem('signature-missing', { step: step.name, who: ` (CPF ${cpf})` }, place))
    return signatures.length > 0 ? [] : [problem('signature-missing', { step: step.name, who: '' }, place)]
  })

function misplacedProblem({ index, kind, nodes }: AcademicDocument, signature: OutlinedSignature): DocumentProblem {
  const { id, parent, outline } = signature
  const path = index.path(parent)
  const place = { signature: id }
  if (outline === undefined) return problem('signature-malformed', { reason: path }, place)
  const isPlace = signaturePlans[kind].some(({ node }) => nodes[node] === parent)
  if (!isPlace) return problem('signature-misplaced', { path }, place)
  const signer = outline.certificate && signerOf(outline.certificate)
  const isKind = signaturePlans[kind].some(
    ({ node, certificate }) => nodes[node] === parent && certificate === signer?.kind,
  )
  if (isKind) return problem('signature-surplus', { path }, place)
  const found = outline.certificate ? holderOf(outline.certificate).kind : null
  return problem('certificate-kind', { found: found ?? '?' }, place)
}

/** A signature stands in the node it refers to. */
function movedProblems(
  { index, nodes }: AcademicDocument,
  { id, parent, outline }: OutlinedSignature,
): DocumentProblem[] {
  if (outline === undefined || outline.targets.length === 0) return []
  const isHere = outline.targets.some(({ element }) => (element ?? ROOT) === parent)
  const isNode = (Object.values(nodes) as number[]).includes(parent)
  return isHere || !isNode ? [] : [problem('signature-moved', { path: index.path(parent) }, { signature: id })]
}

/** The closing signature covers the others, and is the last one. */
function closingProblems(document: AcademicDocument, { steps }: SigningProgress): DocumentProblem[] {
  const step = closingStep(document.kind)
  const closing = steps.find(({ step: other }) => other === step)?.signatures[0]?.signature
  if (closing === undefined) return []
  const place = { step: step.name, signature: closing.id }
  const isWhole = closing.outline!.targets.some(
    ({ element, omits }) => (element ?? ROOT) === ROOT && (omits === 'nothing' || omits === 'own-signature'),
  )
  const isLast = document.index
    .children(ROOT)
    .filter((child) => document.index.is(child, XMLDSIG, 'Signature'))
    .every((child) => child <= closing.element)
  return [
    ...(isWhole ? [] : [problem('archive-partial', {}, place)]),
    ...(isLast ? [] : [problem('signed-after-archive', {}, place)]),
  ]
}
