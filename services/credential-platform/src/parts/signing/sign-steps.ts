// One step of a document is signed: by a key that is at hand, or in two phases by one that is elsewhere.
import {
  finishStep,
  insertSignature,
  type LevelHelpers,
  SigningRefusal,
  type StartedStep,
  type StepName,
  startStep,
} from '@chancela/academic-documents/signatures'
import { EngineError } from '@chancela/signature-engine'
import type { DigestSigner } from '@chancela/signature-engine/keys'
import { type Certificate, holderOf } from '@chancela/signature-engine/x509'
import { refuse } from '../../rules/refuse.ts'
import type { XmlDocumentRow } from '../../store/signing-tables.ts'
import { planOf } from './desk.ts'
import type { Signing } from './open-signing.ts'

/** What a signature is laid out from: the same gives the same bytes. */
export interface Layout {
  readonly certificate: Certificate
  readonly issuers: readonly Certificate[]
  readonly step?: StepName | undefined
  readonly uuid: string
  readonly at: Date
  readonly requireHardware?: boolean
}

/** The issuers of a certificate that may sign now; refused with the reasons why it may not. */
export async function judgedIssuers(
  { gate }: Signing,
  certificate: Certificate,
  chain: readonly Certificate[],
  now: Date,
): Promise<readonly Certificate[]> {
  const reasons = await gate.reasons({ certificate, chain }, now)
  if (reasons.length > 0) throw refuse('certificate-refused', { reasons: [...reasons] })
  const { path } = await gate.verdict({ certificate, chain }, now)
  return path.slice(1)
}

/** Lays a signature out; why it cannot be is told by its reason. */
export function layOut(document: Pick<XmlDocumentRow, 'plan'>, bytes: Uint8Array, layout: Layout): StartedStep {
  const { people, levels } = planOf(document)
  const { certificate, issuers: chain, step, uuid, at: now, requireHardware = false } = layout
  try {
    return startStep(bytes, certificate, { now, people, levels, chain, uuid, requireHardware, ...(step && { step }) })
  } catch (error) {
    if (error instanceof SigningRefusal)
      throw refuse('signing-refused', { reason: error.message, refusal: error.code }, error)
    if (error instanceof EngineError) throw refuse('signing-refused', { reason: error.message }, error)
    throw error
  }
}

/** Puts the key's answer in. */
export function inserted({ state }: Pick<StartedStep, 'state'>, signature: Uint8Array): Buffer {
  try {
    return insertSignature(state, signature)
  } catch (error) {
    if (error instanceof EngineError) throw refuse('signature-wrong', { reason: error.message }, error)
    throw error
  }
}

async function helpersOf({ trust, timestamps }: Signing, now: Date): Promise<LevelHelpers> {
  if (!timestamps) throw refuse('signing-unavailable', { reason: 'No timestamp authority is configured.' })
  return { now, timestamps, judge: await trust.judge() }
}

/** Brings signatures to their level; refused while authorities do not answer. */
export async function finished(signing: Signing, bytes: Buffer, now: Date): Promise<Buffer> {
  const helpers = await helpersOf(signing, now)
  try {
    return await finishStep(bytes, helpers)
  } catch (error) {
    if (error instanceof EngineError) throw refuse('signing-unavailable', { reason: error.message }, error)
    throw error
  }
}

/** Signs with a key that answers at once. */
export async function signedWith(
  signing: Signing,
  document: XmlDocumentRow,
  bytes: Buffer,
  signer: DigestSigner,
  now: Date,
): Promise<{ readonly after: Buffer; readonly step: string; readonly signer: string | null }> {
  const { certificate } = signer
  const issuers = await judgedIssuers(signing, certificate, signer.chain, now)
  const started = layOut(document, bytes, { certificate, issuers, uuid: crypto.randomUUID(), at: now })
  const after = await finished(signing, inserted(started, await signer.sign(started)), now)
  return { after, step: started.step.name, signer: holderOf(certificate).cnpj }
}
