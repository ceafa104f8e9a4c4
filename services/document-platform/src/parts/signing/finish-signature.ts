import { signatureProblems } from '@chancela/service-kernel/trust'
import { EngineError, type SigningState } from '@chancela/signature-engine'
import { completeCades, extendCades } from '@chancela/signature-engine/cades'
import { completePades, extendPades } from '@chancela/signature-engine/pades'
import type { TimestampClient } from '@chancela/signature-engine/timestamps'
import { completeXades, extendXades } from '@chancela/signature-engine/xades'
import { refuse } from '../../rules/refuse.ts'
import type { SignatureFormat } from '../../rules/vocabulary.ts'
import type { Signing } from './open-signing.ts'
import type { KeyHolder } from './prepare-signature.ts'
import { isUnderPolicy, type SignaturePlan } from './signature-plan.ts'

type Complete = (state: SigningState<unknown>, signature: Uint8Array) => Buffer

const completions: Readonly<Record<SignatureFormat, Complete>> = {
  Pades: completePades,
  Cades: completeCades,
  Xades: completeXades,
}

/** The check of a basic PDF signature verifies it anyway. */
const completeUnverified: Complete = (state, signature) => completePades(state, signature, { verified: 'later' })

/** The signed file: embeds the signature, extends it to its level, and validates it as a third party would. */
export async function finishSignature(
  signing: Pick<Signing, 'timestamps' | 'trust'>,
  state: SigningState<unknown>,
  signature: Uint8Array,
  holder: KeyHolder,
  plan: SignaturePlan,
): Promise<Buffer> {
  const isQuick = plan.format === 'Pades' && plan.level === 'B-B'
  const basic = completed(isQuick ? completeUnverified : completions[plan.format], state, signature)
  const signed = plan.level === 'B-B' ? basic : await extended(signing, basic, plan)
  const problems = await signatureProblems(signed, {
    format: plan.format,
    level: plan.level,
    ...holder,
    now: new Date(plan.at),
    covers: plan.xml?.target ? 'part' : 'whole',
    isShared: plan.isFurther === true,
  })
  if (problems.length === 0) return signed
  if (isQuick) completed(completePades, state, signature)
  // A caller cannot fix this: the file is not released, and the log has the reasons.
  throw new Error(`The new signature is not right: ${problems.join(' ')}`)
}

function completed(complete: Complete, state: SigningState<unknown>, signature: Uint8Array): Buffer {
  try {
    return complete(state, signature)
  } catch (error) {
    if (error instanceof EngineError) throw refuse('InvalidSignature', { reason: error.message }, error)
    throw error
  }
}

async function extended(
  { timestamps, trust }: Pick<Signing, 'timestamps' | 'trust'>,
  file: Buffer,
  plan: SignaturePlan,
): Promise<Buffer> {
  if (!timestamps) throw refuse('TimestampNotAvailable')
  try {
    return await extensions[plan.format](file, plan, timestamps, trust)
  } catch (error) {
    if (error instanceof EngineError) throw refuse('TimestampNotAvailable', { reason: error.message }, error)
    throw error
  }
}

type Extend = (
  file: Buffer,
  plan: SignaturePlan,
  timestamps: TimestampClient,
  trust: Signing['trust'],
) => Promise<Buffer>

const extensions: Readonly<Record<SignatureFormat, Extend>> = {
  Pades: (file, { at }, timestamps) => extendPades(file, { level: 'B-T', now: new Date(at), timestamps }),
  // Earlier signatures already have their timestamps, or were made without.
  Cades: (file, { at }, timestamps) => extendCades(file, { level: 'B-T', now: new Date(at), timestamps }),
  Xades: async (file, { level, at, uuid }, timestamps, trust) =>
    extendXades(file, {
      level: isUnderPolicy(level) ? 'promised' : 'B-T',
      // An archive keeps the signatures it covers verifiable as well.
      withCovered: level === 'AD-RA',
      now: new Date(at),
      timestamps,
      signature: `xmldsig-${uuid}`,
      ...(isUnderPolicy(level) && { judge: await trust.judge() }),
    }),
}
