import { finding } from '../../contract/provider-findings.ts'
import type { PscKnobs } from '../../contract/provider-knobs.ts'
import { digestAlgorithms } from '../../rules/digests.ts'
import { problemOfItem } from '../answer-problems.ts'
import { listOf, recordOf, textOf } from '../json-values.ts'
import type { Grant, SigningOrder } from '../provider.ts'
import { ProviderProblem } from '../provider-problem.ts'
import { verifiedSignatures } from '../verify-signatures.ts'
import type { PscGrantData } from './authorization.ts'
import type { PscContext } from './psc-context.ts'

/** Signs hashes in one call (row 9): the answers are matched by id, and verified. */
export async function signHashes(
  { signature, knobs, exchange, deadlines }: PscContext,
  grant: Grant,
  order: SigningOrder,
  signal: AbortSignal | undefined,
): Promise<readonly Uint8Array[]> {
  requireSignable(knobs, order)
  const { body } = await exchange.send({
    method: 'POST',
    url: signature,
    bearer: (grant.data as PscGrantData).token,
    json: requestOf(knobs, order),
    shown: 'token',
    deadline: deadlines.sign,
    signal,
  })
  return verifiedSignatures(order, signaturesOf(body, order.hashes.values))
}

/** Refuses what the provider is known to refuse without sending it: a refusal may void a token for one call. */
function requireSignable(
  { allowedDigests, maxHashesPerCall = Number.POSITIVE_INFINITY }: PscKnobs,
  { hashes: { digest, values } }: SigningOrder,
): void {
  if (!allowedDigests.includes(digest))
    throw new ProviderProblem('refused', { found: finding('provider-not-signing', { digest }) })
  if (values.length > maxHashesPerCall) throw new ProviderProblem('too-many-hashes')
}

function requestOf({ hashEncoding }: PscKnobs, { certificate, hashes }: SigningOrder) {
  return {
    ...(certificate.alias !== '' && { certificate_alias: certificate.alias }),
    hashes: hashes.values.map((hash, at) => ({
      id: idOf(at),
      // Shown to the holder and stored by the provider: it must not reveal what is signed.
      alias: `hash ${idOf(at)}`,
      hash: Buffer.from(hash).toString(hashEncoding),
      hash_algorithm: digestAlgorithms[hashes.digest].oid,
      signature_format: 'RAW',
    })),
  }
}

const idOf = (at: number): string => String(at + 1)

/** The signatures in the order of the hashes. */
function signaturesOf(body: unknown, hashes: readonly Uint8Array[]): readonly Uint8Array[] {
  const byId = new Map<string, string | undefined>()
  const items = listOf(recordOf(body).signatures).map(recordOf)
  for (const { id, status, raw_signature } of items) {
    const problem = problemOfItem(status)
    if (problem) throw problem
    byId.set(String(id), textOf(raw_signature))
  }
  return hashes.map((_, at) => {
    // A single signature needs no id, and some providers omit it.
    const text =
      byId.get(idOf(at)) ?? (hashes.length === 1 && items.length === 1 ? textOf(items[0]!.raw_signature) : undefined)
    if (text === undefined) throw new ProviderProblem('garbage', { found: 'signature-missing' })
    return decoded(text)
  })
}

/** Base64, at some providers with line breaks, which the decoder skips, at some in PEM armour. */
const decoded = (text: string): Uint8Array =>
  Buffer.from(text.includes('-----') ? text.replace(/-----[^-]*-----/g, '') : text, 'base64')
