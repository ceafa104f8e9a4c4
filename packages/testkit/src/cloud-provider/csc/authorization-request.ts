// The request to oauth2/authorize: access to the service, or signatures with one credential.
import type { Client } from '../clients.ts'
import { type Question, textOf } from '../http.ts'
import { type Challenge, challengeOf } from './codes.ts'
import type { CscContext } from './csc-context.ts'
import { numSignaturesIn } from './fields.ts'
import { namedDigest, requireLength } from './key-algorithms.ts'
import { CscRefusal } from './refusals.ts'

export interface AuthorizationRequest {
  readonly client: Client
  /** Sent by the client, or the first registered one. */
  readonly redirectUri: { readonly value: string; readonly sent: boolean }
  readonly state: string | undefined
  readonly challenge: Challenge | undefined
  /** Absent for access to the service as a whole. */
  readonly credential?: CredentialRequest
}

/** Signatures with one credential. */
interface CredentialRequest {
  readonly credentialID: string
  readonly numSignatures: number
  /** Base64 of the only hashes it will authorize. */
  readonly hashes: readonly string[] | undefined
  /** To be repeated in the answer of the token endpoint. */
  readonly details?: readonly unknown[]
}

/** Reads everything but client and redirect URI, which must be known before an error can be redirected. */
export function readAuthorization(
  context: CscContext,
  { body }: Question,
): Pick<AuthorizationRequest, 'challenge' | 'credential'> {
  if (textOf(body, 'response_type') !== 'code') throw new CscRefusal('Invalid parameter response_type')
  const challenge = challengeOf(textOf(body, 'code_challenge'), textOf(body, 'code_challenge_method'))
  if (context.version.demandsPkce && !challenge) throw new CscRefusal('Missing parameter code_challenge')
  const credential = credentialRequest(context, body)
  return { challenge, ...(credential && { credential }) }
}

type Query = Question['body']

function credentialRequest(context: CscContext, query: Query): CredentialRequest | undefined {
  const scope = textOf(query, 'scope')
  const details = textOf(query, 'authorization_details')
  if (details !== undefined) {
    if (scope === 'credential') throw new CscRefusal('Scope credential excludes authorization_details')
    return bound(context, byDetails(context, details))
  }
  if (scope === undefined || scope === 'service') return undefined
  if (scope !== 'credential') throw new CscRefusal('The requested scope is invalid, unknown, or malformed.')
  return bound(context, byParameters(context, query))
}

/** Under SCAL2 all hashes are named. */
function bound({ quirks }: CscContext, request: CredentialRequest): CredentialRequest {
  if (quirks.scal === '2' && request.hashes?.length !== request.numSignatures) {
    throw new CscRefusal('Number of hashes does not match numSignatures')
  }
  return request
}

function byParameters({ version, quirks }: CscContext, query: Query): CredentialRequest {
  const credentialID = textOf(query, 'credentialID')
  if (credentialID === undefined) throw new CscRefusal('Missing parameter credentialID')
  const numSignatures = numSignaturesIn(Number(textOf(query, 'numSignatures') ?? Number.NaN), quirks.multisign)
  const list = textOf(query, version.hashes)
  const hashes = list?.split(',').map((hash) => Buffer.from(hash, 'base64url').toString('base64'))
  if (hashes && version.credentialBearer) {
    const oid = textOf(query, version.hashAlgorithm)
    if (oid === undefined) throw new CscRefusal(`Missing parameter ${version.hashAlgorithm}`)
    requireLength(namedDigest(oid, version.hashAlgorithm), hashes)
  }
  return { credentialID, numSignatures, hashes }
}

interface Details {
  readonly type?: unknown
  readonly credentialID?: unknown
  readonly numSignatures?: unknown
  readonly hashAlgorithmOID?: unknown
  readonly documentDigests?: readonly { readonly hash?: unknown; readonly hashType?: unknown }[]
}

/** A rich authorization request (RFC 9396): one object of the version's type. */
function byDetails({ version, quirks }: CscContext, text: string): CredentialRequest {
  const invalid = new CscRefusal('Invalid parameter authorization_details')
  const list = parsed(text)
  if (version.detailsType === undefined || !Array.isArray(list) || list.length !== 1) throw invalid
  const details = list[0] as Details
  const { type, credentialID, numSignatures, hashAlgorithmOID, documentDigests } = details
  if (type !== version.detailsType || typeof credentialID !== 'string') throw invalid
  const hashes = documentDigests?.map(({ hash }) => {
    if (typeof hash !== 'string') throw invalid
    return hash
  })
  if (hashes) requireLength(namedDigest(String(hashAlgorithmOID), 'hashAlgorithmOID'), hashes)
  return {
    credentialID,
    numSignatures: numSignaturesIn(numSignatures ?? hashes?.length, quirks.multisign),
    hashes,
    details: list,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
