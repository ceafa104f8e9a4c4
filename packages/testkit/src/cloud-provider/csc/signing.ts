import { setTimeout as wait } from 'node:timers/promises'
import { bearerOf, type Question } from '../http.ts'
import { type Digest, signHash as signOne } from '../sign-hash.ts'
import { type CscContext, type CscOperation, credentialOf } from './csc-context.ts'
import { hashesIn, optionalStringIn, stringIn } from './fields.ts'
import { impliedDigest, namedDigest, requireLength } from './key-algorithms.ts'
import { CscRefusal } from './refusals.ts'
import type { Authorized, CredentialToken } from './tokens.ts'

/** Signs hashes, all of them or none, as far as the holder authorized it. */
export const signHashes: CscOperation = async (context, question) => {
  const { provider, quirks, version } = context
  const body = quirks.percentEncodedHashes ? decoded(question.body, version.hashes) : question.body
  const activation = activationOf(context, question)
  const { credential } = activation.authorized
  const hashes = hashesIn(body, version.hashes)
  const digest = digestIn(context, body, activation)
  requireLength(digest, hashes)
  if (!provider.accounts.isValid(credential)) {
    throw new CscRefusal(
      `Signing certificate '${credential.certificate.x509.subject.replaceAll('\n', ',')}' is expired.`,
    )
  }
  spend(activation, hashes)
  await wait(provider.quirks.signatureDelayMs, undefined, { ref: false })
  const ordered = quirks.sortedSignatures ? hashes.toSorted() : hashes
  const signatures = await Promise.all(
    ordered.map((hash) => signOne(provider, credential, digest, Buffer.from(hash, 'base64'), question.flaw)),
  )
  return { signatures: signatures.map((signature) => signature.toString('base64')) }
}

/** What authorizes the call: the SAD beside the bearer, or in 2.x a bearer of scope `credential`. */
function activationOf({ tokens, versionName, version }: CscContext, question: Question): CredentialToken {
  const bearer = tokens.bearer(bearerOf(question), versionName)
  const { body } = question
  const credential = credentialOf(bearer.account, stringIn(body, 'credentialID'))
  if (version.credentialBearer && bearer.scope === 'credential' && body.SAD === undefined) {
    if (bearer.authorized.credential !== credential) throw new CscRefusal('Invalid parameter credentialID')
    if (bearer.authorized.left > 0) return bearer
    throw new CscRefusal('The access or refresh token is expired or has been revoked.')
  }
  const activation = tokens.sad(stringIn(body, 'SAD'), credential, bearer)
  if (activation.spent) throw new CscRefusal('Invalid parameter SAD')
  return activation
}

function digestIn({ version, quirks }: CscContext, body: Question['body'], { authorized }: CredentialToken): Digest {
  const { key } = authorized.credential.certificate
  const implied = impliedDigest(key, stringIn(body, 'signAlgo'), quirks)
  const named = optionalStringIn(body, version.hashAlgorithm)
  if (implied) return implied
  if (named === undefined) throw new CscRefusal(`Missing (or invalid type) string parameter ${version.hashAlgorithm}`)
  return namedDigest(named, version.hashAlgorithm)
}

/** Deducts the hashes from the authorization; a listed hash is signed only once. */
function spend(activation: CredentialToken, hashes: readonly string[]): void {
  const { authorized } = activation
  const rest = restOf(authorized, hashes)
  if (hashes.length > authorized.left) throw new CscRefusal('Numbers of signatures is too high')
  authorized.left -= hashes.length
  authorized.hashes = rest
  activation.spent = true
}

function restOf({ hashes: authorized }: Authorized, hashes: readonly string[]): string[] | undefined {
  if (!authorized) return undefined
  const rest = [...authorized]
  for (const hash of hashes) {
    const index = rest.indexOf(hash)
    if (index < 0) throw new CscRefusal('Hash is not authorized by the SAD.')
    rest.splice(index, 1)
  }
  return rest
}

const decoded = (body: Question['body'], name: string): Question['body'] => {
  const value = body[name]
  return { ...body, [name]: Array.isArray(value) ? value.map((hash) => decodeURIComponent(String(hash))) : value }
}
