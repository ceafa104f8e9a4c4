import { createHash, type KeyObject } from 'node:crypto'
import { WalletProblem } from './errors.ts'

/** A public key as JSON (RFC 7517), with the certificates that vouch for it where there are any. */
export interface PublicJwk {
  readonly kty: string
  readonly crv?: string
  readonly x?: string
  readonly y?: string
  readonly n?: string
  readonly e?: string
  readonly alg: TokenAlgorithm
  readonly kid: string
  readonly x5c?: readonly string[]
}

/** How tokens are signed: what wallets know and ICP-Brasil certificates can. */
export type TokenAlgorithm = 'ES256' | 'ES384' | 'RS256'

const curves: Readonly<Record<string, TokenAlgorithm>> = { prime256v1: 'ES256', secp384r1: 'ES384' }

export function algorithmOf(key: KeyObject): TokenAlgorithm {
  const { asymmetricKeyType, asymmetricKeyDetails } = key
  const algorithm = asymmetricKeyType === 'rsa' ? 'RS256' : curves[asymmetricKeyDetails?.namedCurve ?? '']
  if (!algorithm) throw new WalletProblem('key.unsupported', { key: asymmetricKeyType ?? 'unknown' })
  return algorithm
}

/**
 * The identifier that an https address stands for (did:web): the host, then each part of the path behind a colon; the
 * colon of a port is escaped.
 */
export function didOf(publicUrl: string): string {
  const url = readHttps(publicUrl)
  const host = url.host.replace(':', '%3A')
  const path = url.pathname.split('/').filter(Boolean)
  return ['did', 'web', host, ...path].join(':')
}

/** Where resolvers look for the document of that identifier. */
export function didDocumentUrl(publicUrl: string): string {
  const url = readHttps(publicUrl)
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${path || '/.well-known'}/did.json`
}

/** https, or this machine, where nobody else listens. */
const isOpen = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1'].includes(hostname))

function readHttps(text: string): URL {
  try {
    const url = new URL(text)
    if (isOpen(url) && !url.search && !url.hash && !url.username) return url
  } catch {
    // Not an address at all: refused like any other that is no plain https address.
  }
  throw new WalletProblem('address.unsupported', { address: text })
}

/** A key that the institution signs with, or has signed with. */
export interface IssuerKey {
  readonly publicKey: KeyObject
  /** The certificate of the key and its issuers in DER, nearest first; default none. */
  readonly certificates?: readonly Uint8Array[]
}

/** The name of a key inside of the issuer's document: the thumbprint of the key (RFC 7638). */
export const keyIdOf = (publicUrl: string, publicKey: KeyObject): string =>
  `${didOf(publicUrl)}#${thumbprintOf(publicKey)}`

/** Members that a thumbprint is computed from, in the order of the alphabet. */
const members: Readonly<Record<string, readonly string[]>> = { EC: ['crv', 'kty', 'x', 'y'], RSA: ['e', 'kty', 'n'] }

function thumbprintOf(publicKey: KeyObject): string {
  const jwk = publicKey.export({ format: 'jwk' }) as Record<string, string>
  const needed = Object.fromEntries(members[jwk.kty!]!.map((name) => [name, jwk[name]]))
  return createHash('sha256').update(JSON.stringify(needed)).digest('base64url')
}

/** The document that resolvers of did:web fetch: the keys whose signatures count, past ones included. */
export function didDocument(publicUrl: string, keys: readonly IssuerKey[]) {
  const did = didOf(publicUrl)
  const methods = keys.map(({ publicKey, certificates = [] }) => {
    const alg = algorithmOf(publicKey)
    const kid = thumbprintOf(publicKey)
    const chain = certificates.map((der) => Buffer.from(der).toString('base64'))
    const publicKeyJwk = {
      ...publicKey.export({ format: 'jwk' }),
      alg,
      kid,
      ...(chain.length > 0 && { x5c: chain }),
    } as PublicJwk
    return { id: `${did}#${kid}`, type: 'JsonWebKey', controller: did, publicKeyJwk }
  })
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/jwk/v1'],
    id: did,
    verificationMethod: methods,
    assertionMethod: methods.map(({ id }) => id),
  }
}

export type DidDocument = ReturnType<typeof didDocument>
