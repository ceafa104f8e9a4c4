// signatures/signHash, and the remaining authorization.
import Type from 'typebox'
import { finding } from '../../contract/provider-findings.ts'
import { without } from '../../parts/signing/allowance.ts'
import { digestAlgorithms } from '../../rules/digests.ts'
import type { Grant, Signed, SigningOrder } from '../provider.ts'
import { ProviderProblem } from '../provider-problem.ts'
import { matchedSignatures } from '../verify-signatures.ts'
import { extended } from './activation.ts'
import { inBase64 } from './authorization.ts'
import { type Activation, type CscGrantData, dataOf, signingGrant } from './csc-grant.ts'
import { type CscServer, callMethod } from './csc-server.ts'
import { signAlgoFor } from './sign-algorithms.ts'

const SignAnswer = Type.Object({ signatures: Type.Array(Type.String({ maxLength: 16_384 })) })

/** Signs, and returns the remaining grant where it changes. */
export async function signUnder(
  server: CscServer,
  grant: Grant,
  order: SigningOrder,
  signal?: AbortSignal,
): Promise<Signed> {
  const { service, activation: given } = dataOf(grant)
  if (!given || given.left === 0) throw new ProviderProblem('token-refused')
  const signAlgo = algorithmFor(server, given, order)
  const activation = given.isSpent ? await extended(server, service, given, signal) : given
  const signatures = await callSignHash(server, { service, activation }, order, signAlgo, signal)
  if (!grant.inTurn) return { signatures }
  const left = await whatIsLeft(server, { service, activation }, order)
  return { signatures, grant: signingGrant(server, 'many', service, { until: grant.expiresAt }, left) }
}

type Active = CscGrantData & { readonly activation: Activation }

async function callSignHash(
  server: CscServer,
  { service, activation }: Active,
  order: SigningOrder,
  signAlgo: string,
  signal?: AbortSignal,
): Promise<readonly Uint8Array[]> {
  const { hashes } = order
  const { dialect, knobs, deadlines } = server
  const values = inBase64(hashes, 'base64')
  const body = {
    credentialID: activation.credentialId,
    ...(!activation.isBearer && { SAD: activation.token }),
    [dialect.hashes]: knobs.hashEncoding === 'percent' ? values.map(encodeURIComponent) : values,
    [dialect.hashAlgorithm]: digestAlgorithms[hashes.digest].oid,
    signAlgo,
    ...dialect.signing,
  }
  const bearer = activation.isBearer ? activation.token : service.token
  const call = { bearer, deadline: deadlines.sign, signal }
  const { signatures } = await callMethod(server, 'signatures/signHash', body, SignAnswer, call)
  return matchedSignatures(
    order,
    signatures.map((signature) => Buffer.from(signature, 'base64')),
  )
}

/** The algorithm to sign with. Refuses unauthorized hashes before anything is used up, even if the server would not. */
function algorithmFor({ knobs }: CscServer, activation: Activation, { certificate, hashes }: SigningOrder): string {
  const { credentialId, left, hashes: authorized, algorithms } = activation
  if (certificate.alias !== credentialId) throw new ProviderProblem('alias-unknown')
  if (hashes.values.length > left) throw new ProviderProblem('too-many-hashes')
  if (authorized && !without(authorized, hashes.values.map(bytesOf))) throw new ProviderProblem('hash-not-authorized')
  const signAlgo = signAlgoFor(certificate, hashes.digest, algorithms, knobs.signAlgo)
  if (signAlgo !== undefined && knobs.allowedDigests.includes(hashes.digest)) return signAlgo
  throw new ProviderProblem('refused', { found: finding('credential-not-signing', { digest: hashes.digest }) })
}

const bytesOf = (hash: Uint8Array): Buffer => Buffer.from(hash)

/** The authorization after a call. A SAD is extended at once, so that the next call finds a fresh one. */
async function whatIsLeft(
  server: CscServer,
  { service, activation }: Active,
  { hashes }: SigningOrder,
): Promise<Activation> {
  const signed = hashes.values.map(bytesOf)
  const rest: Activation = {
    ...activation,
    isSpent: !activation.isBearer,
    left: activation.left - signed.length,
    ...(activation.hashes && { hashes: without(activation.hashes, signed) ?? [] }),
  }
  if (!rest.isSpent || rest.left === 0) return rest
  try {
    return await extended(server, service, rest)
  } catch (error) {
    // The signatures were made; the next call tries to extend again.
    if (!(error instanceof ProviderProblem)) throw error
    return rest
  }
}
