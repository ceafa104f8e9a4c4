// OAuth 2.0 of CSC: one redirect for the service, a second for the credential (cloud-hub facts 2.3).
import Type from 'typebox'
import { digestAlgorithms, type Hashes } from '../../rules/digests.ts'
import { pairsOf } from '../knobs.ts'
import { newPkce } from '../pkce.ts'
import type { AuthorizationOrder, AuthorizationStep } from '../provider.ts'
import { ProviderProblem } from '../provider-problem.ts'
import type { Credential } from './credentials.ts'
import { type Lived, lived } from './csc-grant.ts'
import { type CscServer, callAuthorizationServer, shaped } from './csc-server.ts'
import type { ServerInfos } from './server-info.ts'

/** What is requested for the holder's credential. */
export interface CredentialOrder {
  readonly numSignatures: number
  /** Only where the credential binds its authorization to hashes. */
  readonly hashes?: Hashes
}

/** What the hub stores while the holder is at the provider. */
export type CscStep =
  | { readonly step: 'service'; readonly verifier: string }
  | {
      readonly step: 'credential'
      readonly verifier: string
      readonly service: Lived
      readonly credential: Pick<Credential, 'alias' | 'algorithms'>
      readonly numSignatures: number
      /** Base64. */
      readonly hashes?: readonly string[]
      /** Must be repeated with the code. */
      readonly details?: string
    }

/** Number of signatures and hashes to request; refuses what the credential does not support. */
export function credentialOrder(
  { type, knownHashes }: AuthorizationOrder,
  { bindsHashes, multisign }: Credential,
): CredentialOrder {
  const most = type === 'SingleSignature' ? 1 : multisign
  if (!bindsHashes) return { numSignatures: most }
  if (!knownHashes) {
    throw new ProviderProblem('refused', {
      found: 'wants-known-hashes',
    })
  }
  if (knownHashes.values.length > most) throw new ProviderProblem('too-many-hashes')
  return { numSignatures: knownHashes.values.length, hashes: knownHashes }
}

/** The first redirect: the holder grants access to the credentials. */
export async function serviceStep(
  server: CscServer,
  infos: ServerInfos,
  order: AuthorizationOrder,
  state: string,
): Promise<AuthorizationStep> {
  const { verifier, challenge } = newPkce()
  const url = await authorizeUrl(server, infos, { scope: 'service' }, { challenge, order, state })
  return { url, secret: { step: 'service', verifier } satisfies CscStep }
}

/** The second redirect: the holder authorizes signatures with one credential. */
export async function credentialStep(
  server: CscServer,
  infos: ServerInfos,
  order: AuthorizationOrder,
  state: string,
  asked: CredentialOrder & { readonly service: Lived; readonly credential: Credential },
): Promise<AuthorizationStep> {
  const { verifier, challenge } = newPkce()
  const { numSignatures, hashes, service, credential } = asked
  const details = detailsOf(server, credential, asked)
  const what = details ? { authorization_details: details } : parametersOf(server, credential, asked)
  const secret: CscStep = {
    step: 'credential',
    verifier,
    service,
    credential: { alias: credential.alias, algorithms: credential.algorithms },
    numSignatures,
    ...(hashes && { hashes: inBase64(hashes, 'base64') }),
    ...(details !== undefined && { details }),
  }
  return { url: await authorizeUrl(server, infos, what, { challenge, order, state }), secret }
}

/** One redirect of an authorization. */
interface Redirect {
  readonly challenge: string
  readonly order: AuthorizationOrder
  readonly state: string
}

/**
 * The hint is OpenID Connect's: the norm has none, and its servers ignore parameters they do not know (RFC 6749 §3.1). Its
 * `account_token` names an account of the provider, which the hub does not know.
 */
async function authorizeUrl(
  { clientId, knobs: { lang, loginHint, authorizeParameters } }: CscServer,
  infos: ServerInfos,
  parameters: Readonly<Record<string, string>>,
  { challenge, order: { callbackUri, identifier }, state }: Redirect,
): Promise<string> {
  const query = new URLSearchParams({
    ...pairsOf(authorizeParameters),
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callbackUri,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(lang !== undefined && { lang }),
    ...(loginHint && identifier && { login_hint: identifier.value }),
    ...parameters,
  })
  return `${await infos.oauth('authorize')}?${query}`
}

function parametersOf(
  { dialect }: CscServer,
  { alias }: Credential,
  { numSignatures, hashes }: CredentialOrder,
): Readonly<Record<string, string>> {
  return {
    scope: 'credential',
    credentialID: alias,
    numSignatures: String(numSignatures),
    ...(hashes && { [dialect.hashes]: inBase64(hashes, 'base64url').join(',') }),
    ...(hashes && dialect.algorithmInQuery && { [dialect.hashAlgorithm]: digestAlgorithms[hashes.digest].oid }),
  }
}

/** A rich authorization request; undefined where it is disabled, or cannot express the request. */
function detailsOf(
  { dialect: { details }, knobs: { authorizationDetails } }: CscServer,
  { alias }: Credential,
  { numSignatures, hashes }: CredentialOrder,
): string | undefined {
  if (!authorizationDetails || !details || (!details.countsSignatures && !hashes)) return undefined
  const digests =
    hashes && inBase64(hashes, 'base64').map((hash, at) => ({ hash, label: `hash ${at + 1}`, ...details.digest }))
  return JSON.stringify([
    {
      type: details.type,
      credentialID: alias,
      ...(details.countsSignatures && { numSignatures }),
      ...(hashes && { documentDigests: digests, hashAlgorithmOID: digestAlgorithms[hashes.digest].oid }),
    },
  ])
}

export const inBase64 = ({ values }: Hashes, encoding: 'base64' | 'base64url'): readonly string[] =>
  values.map((hash) => Buffer.from(hash).toString(encoding))

const TokenAnswer = Type.Object({
  // No legitimate one is longer; it is stored with every session.
  access_token: Type.String({ minLength: 1, maxLength: 16_384 }),
  expires_in: Type.Optional(Type.Unknown()),
  credentialID: Type.Optional(Type.String()),
})

/** Exchanges a code, once. */
export async function exchangeCode(
  server: CscServer,
  infos: ServerInfos,
  { callbackUri }: AuthorizationOrder,
  step: CscStep,
  code: string,
): Promise<Lived> {
  const details = step.step === 'credential' ? step.details : undefined
  const fields = {
    grant_type: 'authorization_code',
    code,
    code_verifier: step.verifier,
    redirect_uri: callbackUri,
    ...(details !== undefined && { authorization_details: details }),
  }
  const body = await callAuthorizationServer(server, await infos.oauth('token'), fields, { shown: 'code' })
  const { access_token, expires_in, credentialID } = shaped(TokenAnswer, body, 'oauth2/token')
  if (step.step === 'credential' && credentialID !== undefined && credentialID !== step.credential.alias) {
    throw new ProviderProblem('garbage', { found: 'other-credential' })
  }
  return lived(server, access_token, expires_in)
}
