import { createHash, type KeyObject, verify } from 'node:crypto'
import { type DigestSigner, ecdsaToFixedWidth, signatureAlgorithms } from '@chancela/signature-engine/keys'
import { algorithmOf, keyIdOf, type TokenAlgorithm } from './did-web.ts'
import { WalletProblem } from './errors.ts'

/** What is signed, with what signs it. */
export interface Credential {
  readonly id: string
  readonly issuer: string | { readonly id: string }
  readonly validFrom: string
  readonly validUntil?: string
  readonly credentialSubject: { readonly id?: string }
}

/** A credential before its signature. `digest` is for keys that sign nothing else; it can wait as long as it takes. */
export interface PreparedToken {
  /** Header and payload of the token, as they are signed. */
  readonly signingInput: string
  readonly algorithm: TokenAlgorithm
  readonly digest: Buffer
}

/** How the engine names each algorithm. */
const engineAlgorithms = {
  ES256: signatureAlgorithms['ECDSA-SHA256'],
  ES384: signatureAlgorithms['ECDSA-SHA384'],
  RS256: signatureAlgorithms['RSA-SHA256'],
} as const

/**
 * Prepares a credential for a key of the institution at this address: a JSON Web Token whose payload is the credential
 * itself (W3C VC-JOSE-COSE), with the registered claims that Open Badges 3.0 asks for beside it.
 */
export function prepareToken(credential: Credential, publicUrl: string, publicKey: KeyObject): PreparedToken {
  const algorithm = algorithmOf(publicKey)
  const header = { alg: algorithm, typ: 'vc+jwt', cty: 'vc', kid: keyIdOf(publicUrl, publicKey) }
  const signingInput = `${encoded(header)}.${encoded({ ...credential, ...claimsOf(credential) })}`
  const { digest } = engineAlgorithms[algorithm]
  return { signingInput, algorithm, digest: createHash(digest).update(signingInput).digest() }
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const claimsOf = ({ id, issuer, validFrom, validUntil, credentialSubject }: Credential) => ({
  iss: typeof issuer === 'string' ? issuer : issuer.id,
  jti: id,
  nbf: Date.parse(validFrom) / 1000,
  ...(credentialSubject.id !== undefined && { sub: credentialSubject.id }),
  ...(validUntil !== undefined && { exp: Date.parse(validUntil) / 1000 }),
})

/** The token with its signature: RSA PKCS#1 v1.5, or ECDSA in either encoding. One of another key is refused. */
export function completeToken(
  { signingInput, algorithm }: PreparedToken,
  signature: Uint8Array,
  publicKey: KeyObject,
): string {
  // RFC 7518 §3.4: r and s, not their sequence in DER.
  const raw = algorithm === 'RS256' ? signature : ecdsaToFixedWidth(publicKey, signature)
  if (!isSignedBy(signingInput, raw, algorithm, publicKey)) throw new WalletProblem('signature.wrong')
  return `${signingInput}.${Buffer.from(raw).toString('base64url')}`
}

/** Whether a signature, as tokens carry it, is of this key. */
export const isSignedBy = (input: string, signature: Uint8Array, algorithm: TokenAlgorithm, key: KeyObject): boolean =>
  verify(engineAlgorithms[algorithm].digest, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }, signature)

/** Signs a credential in one go, with any key the engine knows. */
export async function signCredential(credential: Credential, publicUrl: string, signer: DigestSigner): Promise<string> {
  const { publicKey } = signer.certificate
  const prepared = prepareToken(credential, publicUrl, publicKey)
  const signature = await signer.sign({
    toSign: Buffer.from(prepared.signingInput),
    digest: prepared.digest,
    algorithm: engineAlgorithms[prepared.algorithm],
  })
  return completeToken(prepared, signature, publicKey)
}
