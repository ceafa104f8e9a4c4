// What the document platform is asked for: a document with one XAdES action for everybody who signs there
// (credentials-platform facts 1.6, 3).
import {
  type SignatureStep,
  type StepProgress,
  signaturePlans,
  signedNodeId,
} from '@chancela/academic-documents/signatures'
import type { XmlDocumentKind } from '../../contract/signing.ts'
import type { NewPlatformDocument } from '../../upstream/document-platform.ts'
import type { PlatformSigner, SignerPlan } from './signer-plan.ts'

/** Label of the tag by which a document there is found again. */
export const PLATFORM_TAG = 'chancela-credential'

type Action = NewPlatformDocument['flowActions'][number]
type XadesOptions = NonNullable<Action['xadesOptions']>
type Policy = NonNullable<XadesOptions['policy']>

/** Documents that the institution alone signs: the flow that sends them away is its word, whatever is stored here. */
const institutionsOwn: readonly XmlDocumentKind[] = ['cancellationList', 'inspectionFile']

/** Who has yet to sign there; an institution whose certificate is stored signs here, after the people. */
export function signersThere(
  kind: XmlDocumentKind,
  { platform = [] }: SignerPlan,
  steps: readonly StepProgress[],
  isStored: boolean,
): readonly PlatformSigner[] {
  const staysHere = isStored && !institutionsOwn.includes(kind)
  return platform.filter(({ step, cpf, cnpj }) => {
    const { state, missing } = steps.find((each) => each.step.name === step)!
    if (cnpj !== undefined) return !staysHere && state !== 'done'
    return missing.length === 0 ? state === 'open' || state === 'waiting' : missing.includes(cpf)
  })
}

/** Why those who are known cannot finish what has to be signed there; undefined when they can. */
export function unsignable(signers: readonly PlatformSigner[], steps: readonly StepProgress[]): string | undefined {
  const asked = steps.filter(({ step }) => signers.some((one) => one.step === step.name))
  const lost = asked.flatMap(({ missing }) => missing.filter((cpf) => !signers.some((one) => one.cpf === cpf)))
  return lost.length === 0 ? undefined : `The flow does not name everybody who has to sign: ${lost.join(', ')}.`
}

interface Sent {
  readonly kind: XmlDocumentKind
  readonly plan: SignerPlan
  readonly bytes: Uint8Array
  readonly signers: readonly PlatformSigner[]
  readonly uploadId: string
  /** Of the sending. */
  readonly id: string
  readonly name: string
  readonly folderId: string | null
}

export function platformRequest(sent: Sent): NewPlatformDocument {
  const { signers, uploadId, id, name, folderId } = sent
  return {
    files: [{ id: uploadId, name: `${name}.xml`, displayName: name, contentType: 'text/xml' }],
    flowActions: signers.map((one) => actionOf(sent, one)),
    tags: [{ label: PLATFORM_TAG, value: id }],
    ...(folderId !== null && { folderId }),
  }
}

function actionOf({ kind, plan, bytes }: Sent, { step: name, turn, cnpj, ...person }: PlatformSigner): Action {
  const step = signaturePlans[kind].find((one) => one.name === name && !one.carried)!
  const policy = (plan.levels[name] ?? step.level) as Policy
  return {
    type: 'Signer',
    step: turn,
    user: { name: person.name, identifier: person.cpf, email: person.email },
    ...(cnpj === undefined
      ? { requiredCertificateHolderTypeToSign: 'Individual' as const }
      : { requireCompanyCertificate: true, requiredCompanyIdentifier: cnpj }),
    xadesOptions: { ...placeOf(step, bytes, policy), policy, insertionOption: 'AppendChild' },
  }
}

/** The signature that closes a document covers those before it; the others leave one another out. */
function placeOf({ node, covers }: SignatureStep, bytes: Uint8Array, policy: Policy): XadesOptions {
  if (node === 'document')
    return {
      signatureType: policy === 'AD-RC' ? 'FullXmlAdRc' : 'FullXml',
      disableXPathTransformation: covers === 'everything',
    }
  const id = signedNodeId(bytes, node)
  if (id === undefined) throw new Error(`The document has no node ${node} with an id.`)
  return { signatureType: 'XmlElement', elementToSignIdentifierType: 'Id', elementToSignIdentifier: id }
}
