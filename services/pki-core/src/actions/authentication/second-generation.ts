// Prepare and complete (spec 1 C; pki-core facts 2.1, 2.2, 3.1).
import { MINUTE, plus } from '@chancela/service-kernel/clock'
import type { Static } from 'typebox'

import type { completeAuthentication, prepareAuthentication } from '../../contract/authentication.ts'
import type { Culture } from '../../rules/cultures.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { newNonce, toSign } from '../../rules/to-sign.ts'
import { isValid } from '../../rules/validation-results.ts'
import { recordAuthentication } from '../activity/record-authentication.ts'
import type { Dependencies } from './dependencies.ts'
import { judgeProof } from './judge-proof.ts'
import { openState, sealState } from './prepared-state.ts'

type PrepareRequest = Static<typeof prepareAuthentication.body>
type CompleteRequest = Static<typeof completeAuthentication.body>
type Completed = Static<typeof completeAuthentication.answer>

export async function prepare(
  { context, contexts }: Dependencies,
  { subscriptionId }: Caller,
  { securityContextId, ignoreRevocationStatusUnknown }: PrepareRequest,
  now: Date,
): Promise<Static<typeof prepareAuthentication.answer>> {
  const found = securityContextId
    ? await contexts.find(subscriptionId, securityContextId)
    : await contexts.default(subscriptionId)
  if (!found) throw refuse('SecurityContextNotFound', { securityContextId })
  const nonce = newNonce()
  const { data, hash, hexHash, digestInfo, signatureAlgorithm } = toSign(nonce)
  const state = sealState(context.secrets, {
    nonce: data,
    subscriptionId,
    contextId: found.id,
    ignoresUnknown: ignoreRevocationStatusUnknown === true,
    expires: plus(now, context.settings.Authentication.ValidMinutes * MINUTE).getTime(),
  })
  return {
    state,
    toSign: { signatureAlgorithm, data, hash, digestInfo },
    toSignHash: { algorithm: 'SHA256', value: hash, hexValue: hexHash },
  }
}

const STALE: Completed = { success: false, failure: 'StaleSession', certificate: null, validationResults: null }

/**
 * A state that has expired, was used, or belongs to another subscription is stale: the client begins again. It is used up
 * together with what is written down of it, before anybody is told how it was judged: a failed attempt cannot be repeated
 * with another certificate, and of two at once one is stale.
 */
export async function complete(
  { context, contexts }: Dependencies,
  caller: Caller,
  { state, certificate, signature }: CompleteRequest,
  culture: Culture,
  now: Date,
): Promise<Completed> {
  const { subscriptionId } = caller
  const prepared = openState(context.secrets, state)
  if (!prepared || prepared.subscriptionId !== subscriptionId || prepared.expires <= now.getTime()) return STALE
  const found = await contexts.find(subscriptionId, prepared.contextId)
  if (!found) return STALE
  const judged = await judgeProof(
    {
      certificate: Buffer.from(certificate, 'base64'),
      signature: Buffer.from(signature, 'base64'),
      nonce: Buffer.from(prepared.nonce, 'base64'),
    },
    found,
    { culture, ignoresUnknown: prepared.ignoresUnknown },
    now,
  )
  const nonce = { nonce: prepared.nonce, expires_at: new Date(prepared.expires).toISOString() }
  const authenticated = { caller, generation: 'Second', contextId: found.id, judged } as const
  if (!(await recordAuthentication(context, authenticated, now, nonce))) return STALE
  const success = isValid(judged.validationResults)
  const { certificate: judgedCertificate, validationResults } = judged
  const failure = success ? null : 'CertificateFailedValidation'
  return { success, failure, certificate: judgedCertificate, validationResults } as Completed
}
