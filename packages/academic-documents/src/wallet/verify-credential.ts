import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import type { DidDocument, TokenAlgorithm } from './did-web.ts'
import { algorithmOf } from './did-web.ts'
import { type StatusPurpose, statusAt } from './status-list.ts'
import { isSignedBy } from './token.ts'

/** What can be wrong with a credential that someone shows. */
const credentialFindings = {
  'token.malformed': 'Isto não é uma credencial assinada.',
  'token.algorithm': 'O algoritmo da assinatura não é aceito.',
  'token.unknown-key': 'A chave que assinou não está entre as da instituição.',
  'token.signature': 'A assinatura não confere: a credencial foi alterada ou não é desta instituição.',
  'token.issuer': 'O emissor declarado não é o dono da chave que assinou.',
  'credential.model': 'A credencial não segue o modelo de dados 2.0 do W3C.',
  'credential.not-yet-valid': 'A credencial ainda não é válida.',
  'credential.expired': 'A validade da credencial terminou.',
  'credential.claims': 'As declarações do token contradizem a credencial.',
  'status.unknown': 'A situação da credencial não pôde ser consultada.',
  'status.revoked': 'O documento foi anulado.',
  'status.suspended': 'O documento está suspenso.',
} as const

export type CredentialFinding = keyof typeof credentialFindings

export interface CredentialVerdict {
  readonly isValid: boolean
  readonly findings: readonly { readonly code: CredentialFinding; readonly message: string }[]
  /** What was shown, when its signature holds; nobody should believe another. */
  readonly credential: Readonly<Record<string, unknown>> | undefined
}

/** What a verifier knows; nothing is fetched here. */
export interface VerifierKnowledge {
  readonly now: Date
  /** The documents of the issuers it trusts. */
  readonly issuers: readonly DidDocument[]
  /** Status lists as tokens, by their address. */
  readonly statusLists: ReadonlyMap<string, string>
}

/** Signature, issuer, dates and status of a credential. Never throws for a token, whatever it is. */
export function verifyCredential(token: string, knowledge: VerifierKnowledge): CredentialVerdict {
  const opened = openToken(token, knowledge)
  if (typeof opened === 'string') return verdict([opened], undefined)
  const findings = [...modelFindings(opened.payload, knowledge.now), ...statusFindings(opened, knowledge)]
  return verdict(findings, opened.payload)
}

const verdict = (
  codes: readonly CredentialFinding[],
  credential: CredentialVerdict['credential'],
): CredentialVerdict => ({
  isValid: codes.length === 0,
  findings: [...new Set(codes)].map((code) => ({ code, message: credentialFindings[code] })),
  credential,
})

type Json = Readonly<Record<string, unknown>>

interface OpenedToken {
  readonly payload: Json
  readonly issuer: string
}

/** The payload of a token whose signature holds under a key of the issuer it names. */
function openToken(token: string, { issuers }: VerifierKnowledge): OpenedToken | CredentialFinding {
  const [head = '', body = '', signature = '', ...rest] = token.split('.')
  const [header, payload] = [readJson(head), readJson(body)]
  if (!header || !payload || rest.length > 0 || header.typ !== 'vc+jwt' || header.crit !== undefined)
    return 'token.malformed'
  if (!isKnownAlgorithm(header.alg)) return 'token.algorithm'
  const found = keyOf(issuers, header.kid)
  if (!found) return 'token.unknown-key'
  // The header must not choose another algorithm than the key is for.
  if (algorithmOf(found.key) !== header.alg) return 'token.algorithm'
  if (!isSignedBy(`${head}.${body}`, Buffer.from(signature, 'base64url'), header.alg, found.key))
    return 'token.signature'
  return issuerOf(payload) === found.did ? { payload, issuer: found.did } : 'token.issuer'
}

const algorithms = ['ES256', 'ES384', 'RS256'] as const satisfies readonly TokenAlgorithm[]

const isKnownAlgorithm = (value: unknown): value is TokenAlgorithm => algorithms.some((known) => known === value)

function readJson(part: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
  } catch {
    return undefined // no JSON: no token
  }
}

function keyOf(issuers: readonly DidDocument[], kid: unknown): { did: string; key: KeyObject } | undefined {
  for (const { id: did, verificationMethod, assertionMethod } of issuers) {
    const method = verificationMethod.find(({ id }) => id === kid && assertionMethod.includes(id))
    if (method)
      return { did, key: createPublicKey({ key: method.publicKeyJwk as unknown as JsonWebKey, format: 'jwk' }) }
  }
  return undefined
}

const issuerOf = ({ issuer }: Json): unknown =>
  typeof issuer === 'object' && issuer !== null ? (issuer as { readonly id?: unknown }).id : issuer

function modelFindings(payload: Json, now: Date): CredentialFinding[] {
  const findings: CredentialFinding[] = []
  const contexts = [payload['@context']].flat()
  const types = [payload.type].flat()
  if (contexts[0] !== 'https://www.w3.org/ns/credentials/v2' || !types.includes('VerifiableCredential'))
    findings.push('credential.model')
  if (payload.iss !== undefined && payload.iss !== issuerOf(payload)) findings.push('credential.claims')
  if (payload.jti !== undefined && payload.jti !== payload.id) findings.push('credential.claims')
  const from = [instantOf(payload.validFrom), claimOf(payload.nbf)].filter((at) => at !== undefined)
  const until = [instantOf(payload.validUntil), claimOf(payload.exp)].filter((at) => at !== undefined)
  if ([...from, ...until].some(Number.isNaN)) findings.push('credential.model')
  if (from.some((at) => at > now.getTime())) findings.push('credential.not-yet-valid')
  if (until.some((at) => at <= now.getTime())) findings.push('credential.expired')
  return findings
}

const instantOf = (value: unknown): number | undefined => (value === undefined ? undefined : Date.parse(String(value)))
const claimOf = (value: unknown): number | undefined => (value === undefined ? undefined : Number(value) * 1000)

const stopped: Readonly<Record<StatusPurpose, CredentialFinding>> = {
  revocation: 'status.revoked',
  suspension: 'status.suspended',
}

function statusFindings({ payload, issuer }: OpenedToken, knowledge: VerifierKnowledge): CredentialFinding[] {
  const entries = [payload.credentialStatus ?? []].flat() as Json[]
  return entries.flatMap((entry) => {
    const purpose = entry?.statusPurpose
    if (entry?.type !== 'BitstringStatusListEntry' || (purpose !== 'revocation' && purpose !== 'suspension')) return []
    const isSet = entryState(entry, purpose, issuer, knowledge)
    if (isSet === undefined) return ['status.unknown' as const]
    return isSet ? [stopped[purpose]] : []
  })
}

/** The state of an entry in a list that the same issuer signed for the same purpose, and that is still good. */
function entryState(
  entry: Json,
  purpose: StatusPurpose,
  issuer: string,
  knowledge: VerifierKnowledge,
): boolean | undefined {
  const token = knowledge.statusLists.get(String(entry.statusListCredential))
  const list = token === undefined ? 'token.malformed' : openToken(token, knowledge)
  if (typeof list === 'string' || list.issuer !== issuer || list.payload.id !== entry.statusListCredential)
    return undefined
  if (modelFindings(list.payload, knowledge.now).length > 0) return undefined
  const subject = list.payload.credentialSubject as Json | undefined
  if (subject?.type !== 'BitstringStatusList' || ![subject.statusPurpose].flat().includes(purpose)) return undefined
  return statusAt(String(subject.encodedList), Number(entry.statusListIndex))
}
