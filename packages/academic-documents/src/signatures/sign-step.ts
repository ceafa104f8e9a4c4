import type { Prepared, SigningState } from '@chancela/signature-engine'
import type { Judge } from '@chancela/signature-engine/judgement'
import type { DigestSigner } from '@chancela/signature-engine/keys'
import type { SigningPolicy } from '@chancela/signature-engine/policies'
import type { TimestampClient } from '@chancela/signature-engine/timestamps'
import type { Certificate } from '@chancela/signature-engine/x509'
import {
  type Canonicalisation,
  completeXades,
  extendXades,
  prepareXades,
  type XadesData,
} from '@chancela/signature-engine/xades'
import { type CertificateRequirements, requireCertificate } from './certificate-rules.ts'
import { type LevelSettings, levelOf, type SignatureStep, type StepName, signaturePlans } from './plans.ts'
import { type ProgressOptions, progressOf, type SigningProgress, type StepProgress, signerOf } from './progress.ts'
import { type AcademicDocument, readDocument } from './read-document.ts'
import { SigningRefusal } from './refusals.ts'

export interface StartStepOptions extends ProgressOptions, CertificateRequirements {
  readonly now: Date
  /** Default: the step that is open for this kind of certificate. */
  readonly step?: StepName
  /** Issuers of the certificate, nearest first, up to the root: the root chooses the version of the policy. */
  readonly chain?: readonly Certificate[]
  readonly levels?: LevelSettings
  /** Default: the newest version of the level's policy that lists the root of `chain`. */
  readonly policy?: SigningPolicy
  /** Default exclusive: the signatures of a node hold in whatever document the node is carried into. */
  readonly canonicalisation?: Canonicalisation
  /** Makes the bytes of the signature repeatable; default: a new one. */
  readonly uuid?: string
}

/** What the key has to sign, and the state `completeStep` takes; `sealState` of the engine keeps it elsewhere. */
export interface StartedStep extends Prepared<XadesData> {
  readonly step: SignatureStep
}

/** What brings a signature to its level: AD-RB needs neither, AD-RT the timestamps, everything above both. */
export interface LevelHelpers {
  readonly now: Date
  readonly timestamps: TimestampClient
  readonly judge?: Judge
}

/** First phase: checks that this certificate may sign this step now, and lays the signature out. */
export function startStep(bytes: Uint8Array, certificate: Certificate, options: StartStepOptions): StartedStep {
  const document = readDocument(bytes)
  if (document.index.tables.transcoded) throw new SigningRefusal('not-utf8')
  const progress = requireStep(document, certificate, options)
  requireCertificate(document, progress, certificate, options)
  const { step } = progress
  const { now, chain, policy, canonicalisation, uuid } = options
  const prepared = prepareXades(bytes, certificate, {
    now,
    level: levelOf(step, options.levels),
    parallel: step.covers === 'content',
    position: { at: 'last-child', of: { ordinal: nodeOf(document, step) } },
    scanned: document.index,
    ...targetOf(document, step),
    ...(chain && { chain }),
    ...(policy && { policy }),
    ...(canonicalisation && { canonicalisation }),
    ...(uuid && { uuid }),
  })
  return { ...prepared, step }
}

/** The document with the key's answer in it. The signature may not have its level yet: `finishStep` brings it there. */
export const insertSignature = (state: SigningState<unknown>, signature: Uint8Array): Buffer =>
  completeXades(state, signature)

/**
 * Brings every signature that lacks timestamps or validation data to the level its policy promises. It can be called
 * again after a failure, and changes nothing where nothing is missing.
 */
export async function finishStep(bytes: Uint8Array, helpers: LevelHelpers): Promise<Buffer> {
  let finished: Buffer = Buffer.from(bytes)
  for (const id of unfinishedIn(bytes)) finished = await finishSignature(finished, id, helpers)
  return finished
}

/** Second phase: the key's answer, the level, and the bytes of the document with both. */
export async function completeStep(
  state: SigningState<unknown>,
  signature: Uint8Array,
  helpers: LevelHelpers,
): Promise<Buffer> {
  const { id } = (state as SigningState<XadesData>).data
  // No other signature was unfinished when the step was started.
  return finishSignature(insertSignature(state, signature), id, helpers)
}

/** The archive keeps the signatures it covers verifiable, those with a timestamp alone included. */
const finishSignature = (bytes: Uint8Array, id: string, helpers: LevelHelpers): Promise<Buffer> =>
  extendXades(bytes, { ...helpers, level: 'promised', signature: id, withCovered: true })

/** Both phases with a key that answers at once. */
export async function signStep(
  bytes: Uint8Array,
  signer: DigestSigner,
  { timestamps, judge, ...options }: StartStepOptions & LevelHelpers,
): Promise<Buffer> {
  const started = startStep(bytes, signer.certificate, { ...options, chain: options.chain ?? signer.chain })
  const helpers = { now: options.now, timestamps, ...(judge && { judge }) }
  return completeStep(started.state, await signer.sign(started), helpers)
}

function unfinishedIn(bytes: Uint8Array): string[] {
  const { signatures } = readDocument(bytes)
  return signatures.flatMap(({ id, outline }) =>
    outline?.promised === outline?.present || id === undefined ? [] : [id],
  )
}

/** The step to sign: the one asked for, or the open one for this kind of certificate. Refused unless it is its turn. */
function requireStep(document: AcademicDocument, certificate: Certificate, options: StartStepOptions): StepProgress {
  const progress = progressOf(document, options)
  const wanted = options.step === undefined ? undefined : stepNamed(document, progress, options.step)
  if (progress.closed) throw new SigningRefusal('closed')
  const unfinished = progress.steps.find(({ state }) => state === 'unfinished')
  if (unfinished) throw new SigningRefusal('unfinished', { step: unfinished.step.name })
  const found = wanted ?? openFor(progress, certificate)
  requireTurn(progress, found)
  return found
}

function stepNamed({ kind }: AcademicDocument, { steps }: SigningProgress, name: StepName): StepProgress {
  const found = steps.find(({ step }) => step.name === name)
  if (found) return found
  const names = signaturePlans[kind].map((step) => step.name).join(', ')
  throw new SigningRefusal('step-unknown', { kind, step: name, steps: names })
}

/** Of the steps that are open, the one this certificate is for; without one, the first, which then says why not. */
function openFor({ steps, next }: SigningProgress, certificate: Certificate): StepProgress {
  const open = steps.filter(({ step }) => next.includes(step.name))
  const kind = signerOf(certificate)?.kind
  return open.find(({ step }) => step.certificate === kind) ?? open[0] ?? steps[0]!
}

function requireTurn({ steps, next }: SigningProgress, { step, state }: StepProgress): void {
  if (next.includes(step.name)) return
  if (step.carried) throw new SigningRefusal('carried', { step: step.name })
  if (state === 'done') throw new SigningRefusal('already-signed', { step: step.name })
  const first = steps.find((other) => other.state === 'open')
  throw new SigningRefusal('out-of-order', { step: step.name, waitsFor: first?.step.name ?? '' })
}

function nodeOf({ nodes }: AcademicDocument, { node }: SignatureStep): number {
  const element = nodes[node]
  if (element === undefined) throw new SigningRefusal('node-missing', { node })
  return element
}

/** A data node is referred to by its id, which the engine refuses when another element has it too. */
function targetOf(document: AcademicDocument, step: SignatureStep): { target?: { id: string } } {
  if (step.node === 'document') return {}
  const id = document.index.attribute(nodeOf(document, step), 'id')
  if (id === undefined) throw new SigningRefusal('node-without-id', { node: step.node })
  return { target: { id } }
}
