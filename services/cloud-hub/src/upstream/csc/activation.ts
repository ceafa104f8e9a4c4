// Signature activation without the holder's browser: credentials the provider authorizes on its own channel, and new
// activation data for what is left of an authorization.
import Type from 'typebox'
import { digestAlgorithms } from '../../rules/digests.ts'
import { type CredentialOrder, inBase64 } from './authorization.ts'
import type { Credential } from './credentials.ts'
import { type Activation, type Lived, lived, newActivation } from './csc-grant.ts'
import { type CscServer, callMethod } from './csc-server.ts'

const SadAnswer = Type.Object({
  SAD: Type.String({ minLength: 1, maxLength: 16_384 }),
  expiresIn: Type.Optional(Type.Unknown()),
})

/** Mode `implicit`: the provider itself asks the holder on a known device. It may take as long as a signature. */
export async function authorizeImplicitly(
  server: CscServer,
  { token: bearer }: Lived,
  credential: Credential,
  { numSignatures, hashes }: CredentialOrder,
): Promise<{ readonly activation: Activation; readonly until: string }> {
  const { dialect, deadlines } = server
  const named = hashes && inBase64(hashes, 'base64')
  const body = {
    credentialID: credential.alias,
    numSignatures,
    ...(named && { [dialect.hashes]: named }),
    ...(hashes && dialect.algorithmInQuery && { [dialect.hashAlgorithm]: digestAlgorithms[hashes.digest].oid }),
  }
  const call = { bearer, deadline: deadlines.sign }
  const { SAD, expiresIn } = await callMethod(server, 'credentials/authorize', body, SadAnswer, call)
  const { token, until } = lived(server, SAD, expiresIn)
  return { activation: newActivation(credential, { token, isBearer: false }, { numSignatures, hashes: named }), until }
}

/** Gets new activation data for used data. */
export async function extended(
  server: CscServer,
  { token: bearer }: Lived,
  activation: Activation,
  signal?: AbortSignal,
): Promise<Activation> {
  const { credentialId, token, hashes } = activation
  const body = { credentialID: credentialId, SAD: token, ...(hashes && { [server.dialect.hashes]: hashes }) }
  const call = { bearer, deadline: server.deadlines.call, signal }
  const { SAD } = await callMethod(server, 'credentials/extendTransaction', body, SadAnswer, call)
  return { ...activation, token: SAD, isSpent: false }
}
