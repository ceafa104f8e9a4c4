// Timestamps over digests that clients bring (pki-core facts 4).
import { EngineError } from '@chancela/signature-engine'
import { readTimestampToken, type TimestampRelay } from '@chancela/signature-engine/timestamps'
import type { Static } from 'typebox'
import type { TimestampView } from '../../contract/earlier-services.ts'
import type { DigestOfRequest } from '../../contract/signatures.ts'
import { timestampModel } from '../../parts/signing/signer-model.ts'
import { refuse } from '../../rules/refuse.ts'
import { digestsIn } from '../signatures/plan-signature.ts'
import type { EarlierDependencies } from './start-signature.ts'

/** The one authority of the settings goes by this name, in any case. */
const ONLY = 'default'

export function requireTier(tier: string | null | undefined): void {
  if ((tier || ONLY).toLowerCase() !== ONLY) throw refuse('EntityNotFound', { entity: 'TimestampTier', id: tier })
}

export async function issueTimestamp(
  { timestamps }: Pick<EarlierDependencies, 'timestamps'>,
  asked: Static<typeof DigestOfRequest>,
  tier: string = ONLY,
): Promise<TimestampView> {
  requireTier(tier)
  const { sha256, sha512 } = digestsIn([asked])
  const value = sha256 ?? sha512
  if (!value) throw refuse('UnsupportedDigestAlgorithm', { reason: 'A SHA-256 or SHA-512 of its length is needed.' })
  if (!timestamps) throw refuse('TimestampingUnavailable', { reason: 'No timestamp authority is set.' })
  try {
    const { token } = await timestamps.stampDigest(sha256 ? 'sha256' : 'sha512', value)
    return { encodedValue: token.toString('base64'), info: infoOf(token) }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw refuse('TimestampingUnavailable', { reason: error.message }, error)
  }
}

/** Answers a request of RFC 3161, which may name another tier by its address only. */
export async function relayTimestamp(
  relay: TimestampRelay | undefined,
  query: Buffer | undefined,
  tier: string = ONLY,
  signal?: AbortSignal,
): Promise<Buffer> {
  requireTier(tier)
  if (!relay) throw refuse('TimestampingUnavailable', { reason: 'No timestamp authority is set.' })
  return relay(query ?? Buffer.alloc(0), signal)
}

function infoOf(token: Buffer): TimestampView['info'] {
  const { time, imprint, serialNumber } = readTimestampToken(token)
  const { digest, algorithm, value } = imprint
  return timestampModel({ time, values: { imprint: { algorithm: digest ?? algorithm, value }, serialNumber, token } })
}
