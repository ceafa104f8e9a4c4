import { type Certificate, holderOf } from '@chancela/signature-engine/x509'
import type { OutlinedSignature } from '@chancela/signature-engine/xades'
import { type CertificateKind, type SignatureStep, type StepName, signaturePlans } from './plans.ts'
import { type AcademicDocument, readDocument, signatoriesOf } from './read-document.ts'

/** A signature in the step it belongs to. */
export interface PlacedSignature {
  readonly signature: OutlinedSignature
  readonly certificate: Certificate
  /** CPF of a person, CNPJ of an institution. */
  readonly signer: string
}

export interface StepProgress {
  readonly step: SignatureStep
  /**
   * open: can be signed now; done: nothing more to sign; waiting: something before it is open; unfinished: signed, but a
   * signature lacks timestamps or validation data of its level.
   */
  readonly state: 'open' | 'done' | 'waiting' | 'unfinished'
  /** Done, and yet one more person may sign: nothing says how many there are. */
  readonly mayRepeat: boolean
  /** In document order, which is the order of signing. */
  readonly signatures: readonly PlacedSignature[]
  /** CPFs of those who have yet to sign, where they are known. */
  readonly missing: readonly string[]
}

/** How far the signing of a document has come. */
export interface SigningProgress {
  readonly steps: readonly StepProgress[]
  /** Steps that can be signed now. */
  readonly next: readonly StepName[]
  /** By the archiving signature, finished or not: nothing may be signed any more. */
  readonly closed: boolean
  /** Signatures that belong to no step: at another place, of another kind of certificate, too many. */
  readonly misplaced: readonly OutlinedSignature[]
}

export interface ProgressOptions {
  /** CPFs of the people who sign, by step, where the document does not list them. */
  readonly people?: Readonly<Partial<Record<StepName, readonly string[]>>>
}

/** Reads from the bytes alone who has signed and who signs next; nothing is judged. */
export const signingProgress = (bytes: Uint8Array, options: ProgressOptions = {}): SigningProgress =>
  progressOf(readDocument(bytes), options)

export function progressOf(document: AcademicDocument, { people = {} }: ProgressOptions = {}): SigningProgress {
  const plan = signaturePlans[document.kind]
  const placed = new Map(plan.map((step) => [step, [] as PlacedSignature[]]))
  const misplaced = document.signatures.filter((signature) => !place(document, plan, placed, signature))
  const steps: StepProgress[] = []
  for (const step of plan) {
    const listed = step.certificate === 'eCpf' ? listedPeople(document, step, people) : undefined
    steps.push(stepProgress(step, placed.get(step)!, listed, steps))
  }
  return {
    steps,
    next: openSteps(steps),
    closed: steps.at(-1)!.signatures.length > 0,
    misplaced,
  }
}

/** CPFs of those who sign a step: as the document lists them, else as the caller does; undefined when nobody does. */
export function listedPeople(
  document: AcademicDocument,
  step: SignatureStep,
  people: ProgressOptions['people'] = {},
): readonly string[] | undefined {
  const listed = signatoriesOf(document, step.node) ?? people[step.name]
  return listed === undefined || listed.length === 0 ? undefined : listed
}

/** Puts a signature into its step: by the node it stands in and the kind of its certificate. */
function place(
  { nodes }: AcademicDocument,
  plan: readonly SignatureStep[],
  placed: ReadonlyMap<SignatureStep, PlacedSignature[]>,
  signature: OutlinedSignature,
): boolean {
  const certificate = signature.outline?.certificate
  const holder = certificate && signerOf(certificate)
  const step = plan.find(({ node, certificate: kind }) => nodes[node] === signature.parent && kind === holder?.kind)
  if (step === undefined || certificate === undefined || holder === undefined) return false
  const taken = placed.get(step)!
  if (step.certificate === 'eCnpj' && taken.length > 0) return false
  taken.push({ signature, certificate, signer: holder.number })
  return true
}

/** Whose certificate it is, in the words of the plan; undefined for one that signs no academic document. */
export function signerOf(certificate: Certificate): { kind: CertificateKind; number: string } | undefined {
  const { kind, cpf, cnpj } = holderOf(certificate)
  // A seal is a certificate of the institution as well, without a responsible person in it.
  if ((kind === 'e-CNPJ' || kind === 'seal') && cnpj !== null) return { kind: 'eCnpj', number: cnpj }
  return kind === 'e-CPF' && cpf !== null ? { kind: 'eCpf', number: cpf } : undefined
}

function stepProgress(
  step: SignatureStep,
  signatures: readonly PlacedSignature[],
  listed: readonly string[] | undefined,
  before: readonly StepProgress[],
): StepProgress {
  const missing = (listed ?? []).filter((cpf) => !signatures.some(({ signer }) => signer === cpf))
  const isComplete = listed === undefined ? signatures.length > 0 : missing.length === 0
  const isReached = before.every(({ state }) => state === 'done')
  const state = signatures.some(isUnfinished) ? 'unfinished' : isComplete ? 'done' : isReached ? 'open' : 'waiting'
  const mayRepeat = state === 'done' && step.certificate === 'eCpf' && listed === undefined && !step.carried
  return { step, state, mayRepeat, signatures, missing }
}

const isUnfinished = ({ signature: { outline } }: PlacedSignature): boolean =>
  outline?.promised !== undefined && outline.promised !== outline.present

/** The first open step, and before it one that may be repeated as long as nothing later is signed. */
function openSteps(steps: readonly StepProgress[]): StepName[] {
  const at = steps.findIndex(({ state }) => state === 'open')
  if (at < 0 || steps[at]!.step.carried) return []
  const before = steps[at - 1]
  const isUntouched = steps.slice(at).every(({ signatures }) => signatures.length === 0)
  return [...(before?.mayRepeat && isUntouched ? [before.step.name] : []), steps[at]!.step.name]
}
