// Tokens and nonces of the earlier generation (spec 1 C; pki-core facts 2.3 to 2.7, 3.2, 3.3).
import { randomBytes } from 'node:crypto'
import { MINUTE, plus } from '@chancela/service-kernel/clock'
import type { Static } from 'typebox'

import type {
  authenticateWithNonce,
  signedBytesOfAuthentication,
  startAuthentication,
} from '../../contract/authentication.ts'
import type { SecurityContext } from '../../parts/trust/security-contexts.ts'
import type { Culture } from '../../rules/cultures.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { newNonce, toSign } from '../../rules/to-sign.ts'
import type { ResultOptions } from '../../rules/validation-results.ts'
import { findAuthentication, idOf, insertAuthentication, moveAuthentication } from '../../store/authentications.ts'
import type { AuthenticationRow } from '../../store/tables.ts'
import { recordAuthentication } from '../activity/record-authentication.ts'
import type { Dependencies } from './dependencies.ts'
import { type Judged, judgeProof, type Proof } from './judge-proof.ts'

/** Bytes of a token: 22 characters of base64url. */
const TOKEN_BYTES = 16

export async function start(
  dependencies: Dependencies,
  caller: Caller,
  { securityContextId, ignoreRevocationStatusUnknown }: Static<typeof startAuthentication.body>,
  now: Date,
): Promise<Static<typeof startAuthentication.answer>> {
  const { id } = await requiredContext(dependencies, caller, securityContextId)
  const [token, nonce] = [randomBytes(TOKEN_BYTES).toString('base64url'), newNonce()]
  const ignoresUnknown = ignoreRevocationStatusUnknown === true
  await keep(dependencies, caller, { id: idOf(token), nonce, contextId: id, ignoresUnknown }, now)
  const { data, hash, digestAlgorithmOid } = toSign(nonce)
  return { token, toSignData: data, toSignHash: hash, digestAlgorithmOid }
}

/** A nonce stands for itself: who signs it sends it back. */
export async function nonce(dependencies: Dependencies, caller: Caller, now: Date): Promise<string> {
  const made = newNonce()
  await keep(dependencies, caller, { id: idOf(made), nonce: made, contextId: null, ignoresUnknown: false }, now)
  return made.toString('base64')
}

interface Kept {
  readonly id: string
  readonly nonce: Buffer
  readonly contextId: string | null
  readonly ignoresUnknown: boolean
}

const keep = ({ context }: Dependencies, { subscriptionId }: Caller, kept: Kept, now: Date): Promise<void> =>
  insertAuthentication(context.store.db, {
    id: kept.id,
    subscription_id: subscriptionId,
    state: 'Started',
    nonce: kept.nonce.toString('base64'),
    context_id: kept.contextId,
    ignores_unknown: kept.ignoresUnknown ? 1 : 0,
    certificate: null,
    signature: null,
    created_at: now.toISOString(),
    expires_at: plus(now, context.settings.Authentication.ValidMinutes * MINUTE).toISOString(),
  })

async function requiredContext(
  { contexts }: Dependencies,
  { subscriptionId }: Caller,
  id: string | null | undefined,
): Promise<SecurityContext> {
  if (!id) throw refuse('SecurityContextRequired')
  const found = await contexts.find(subscriptionId, id)
  if (!found) throw refuse('EntityNotFound', { entity: 'SecurityContext', id })
  return found
}

/** An authentication of the caller's subscription; that of another does not exist for it. */
async function requiredOwn(
  { context }: Dependencies,
  caller: Caller,
  id: string,
  now: Date,
): Promise<AuthenticationRow> {
  const row = await findAuthentication(context.store.db, id, now)
  if (!row || row.subscription_id !== caller.subscriptionId) throw refuse('InvalidToken')
  return row
}

type SignedBytes = Static<typeof signedBytesOfAuthentication.body>

/** Ends it with what the client sent itself. */
export async function completeWithBytes(
  dependencies: Dependencies,
  caller: Caller,
  token: string,
  proof: SignedBytes,
  culture: Culture,
  now: Date,
): Promise<Judged> {
  const { id } = await requiredOwn(dependencies, caller, idOf(token), now)
  const ended = await moveAuthentication(dependencies.context.store.db, id, 'end')
  if (!ended) throw refuse('InvalidToken')
  return judgeKept(dependencies, caller, ended, proof, culture, now)
}

/** Ends it with what came from the browser. */
export async function finalize(
  dependencies: Dependencies,
  caller: Caller,
  token: string,
  culture: Culture,
  now: Date,
): Promise<Judged> {
  const row = await requiredOwn(dependencies, caller, idOf(token), now)
  const ended = await moveAuthentication(dependencies.context.store.db, row.id, 'finalize')
  // One that was signed when it was read has been ended meanwhile, by somebody who was quicker.
  const isMissing = row.state === 'Started' || row.state === 'CertificateSet'
  if (!ended) throw isMissing ? refuse('ClientSignatureNotSet') : refuse('InvalidToken')
  const proof = { certificate: ended.certificate!, signature: ended.signature! }
  return judgeKept(dependencies, caller, ended, proof, culture, now)
}

async function judgeKept(
  dependencies: Dependencies,
  caller: Caller,
  row: AuthenticationRow,
  proof: SignedBytes,
  culture: Culture,
  now: Date,
): Promise<Judged> {
  const context = await requiredContext(dependencies, caller, row.context_id)
  const ignoresUnknown = row.ignores_unknown === 1
  return recorded(dependencies, caller, decoded(proof, row), context, { culture, ignoresUnknown }, now)
}

async function recorded(
  dependencies: Dependencies,
  caller: Caller,
  proof: Proof,
  context: SecurityContext,
  options: ResultOptions,
  now: Date,
): Promise<Judged> {
  const judged = await judgeProof(proof, context, options, now)
  const authenticated = { caller, generation: 'Earlier', contextId: context.id, judged } as const
  await recordAuthentication(dependencies.context, authenticated, now)
  return judged
}

const decoded = ({ certificate, signature }: SignedBytes, { nonce }: Pick<AuthenticationRow, 'nonce'>) => ({
  certificate: Buffer.from(certificate, 'base64'),
  signature: Buffer.from(signature, 'base64'),
  nonce: Buffer.from(nonce, 'base64'),
})

/** Authenticates by a signed nonce, which a second use is told of. */
export async function authenticate(
  dependencies: Dependencies,
  caller: Caller,
  request: Static<typeof authenticateWithNonce.body>,
  culture: Culture,
  now: Date,
): Promise<Judged> {
  const { securityContextId, ignoreRevocationStatusUnknown, ...proof } = request
  const context = await requiredContext(dependencies, caller, securityContextId)
  const row = await requiredOwn(dependencies, caller, idOf(Buffer.from(proof.nonce, 'base64')), now)
  if (row.context_id !== null) throw refuse('InvalidToken')
  if (!(await moveAuthentication(dependencies.context.store.db, row.id, 'end'))) throw refuse('NonceAlreadyUsed')
  const ignoresUnknown = ignoreRevocationStatusUnknown === true
  return recorded(dependencies, caller, decoded(proof, row), context, { culture, ignoresUnknown }, now)
}
