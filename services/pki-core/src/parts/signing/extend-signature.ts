// What a level adds to a signature that was just made: timestamps, and what proves its certificates.
import { EngineError } from '@chancela/signature-engine'
import { extendCades } from '@chancela/signature-engine/cades'
import type { Judge } from '@chancela/signature-engine/judgement'
import { extendPades } from '@chancela/signature-engine/pades'
import type { TimestampClient } from '@chancela/signature-engine/timestamps'
import { extendXades } from '@chancela/signature-engine/xades'
import { refuse } from '../../rules/refuse.ts'
import { needsTimestamp } from '../../rules/signature-policies.ts'
import { readSignatures } from './read-signatures.ts'
import type { SignaturePlan } from './signature-plan.ts'

/** Who helps: without a timestamp authority only basic signatures are made. */
export interface ExtensionHelpers {
  readonly timestamps: TimestampClient | undefined
  readonly judge: Judge
  readonly now: Date
}

/** Refuses a level that could not be reached, before anybody signs. */
export function requireReachable(level: SignaturePlan['level'], timestamps: TimestampClient | undefined): void {
  if (needsTimestamp(level) && !timestamps)
    throw refuse('TimestampingUnavailable', { reason: 'No timestamp authority is set.' })
}

/** The file at the level of its plan. A failure is told, and may be tried again: nothing was given out yet. */
export async function extendSignature(
  file: Buffer,
  signature: Uint8Array,
  plan: SignaturePlan,
  { timestamps, judge, now }: ExtensionHelpers,
): Promise<Buffer> {
  const { level } = plan
  if (level === 'B-B' || level === 'AD-RB') return file
  if (!timestamps) throw refuse('TimestampingUnavailable', { reason: 'No timestamp authority is set.' })
  const options = { level, timestamps, judge, now } as const
  try {
    if (plan.type === 'Pdf') return await extendPades(file, options)
    if (plan.type === 'Xml')
      return await extendXades(file, { ...options, signature: plan.id ?? `xmldsig-${plan.uuid}` })
    return await extendCades(file, { ...options, signer: await positionOf(file, signature, now) })
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw refuse('TimestampingUnavailable', { reason: error.message }, error)
  }
}

/** Others may have signed under policies of their own, which must not be touched. */
async function positionOf(cms: Uint8Array, signature: Uint8Array, now: Date): Promise<number> {
  const reports = await readSignatures({ type: 'Cms', bytes: cms }, { now })
  const at = reports.findIndex(({ values }) => values?.signature.equals(signature))
  if (at < 0) throw new Error('The new signature is not in its file.')
  return at
}
