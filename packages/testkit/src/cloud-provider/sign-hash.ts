import { constants, createHash, privateEncrypt, sign } from 'node:crypto'
import { signDigest } from '@chancela/signature-engine/keys'
import type { Credential } from './accounts.ts'
import type { Flaw } from './faults.ts'
import type { Context } from './provider-context.ts'

/** What providers call the digest algorithms. */
export const digests = {
  sha1: { oid: '1.3.14.3.2.26', name: 'SHA-1', bytes: 20 },
  sha256: { oid: '2.16.840.1.101.3.4.2.1', name: 'SHA-256', bytes: 32 },
  sha384: { oid: '2.16.840.1.101.3.4.2.2', name: 'SHA-384', bytes: 48 },
  sha512: { oid: '2.16.840.1.101.3.4.2.3', name: 'SHA-512', bytes: 64 },
} as const

export type Digest = keyof typeof digests

/** By OID, or by name with or without its hyphen. */
export const digestOf = (text: string | undefined): Digest | undefined =>
  (Object.keys(digests) as Digest[]).find(
    (digest) => digests[digest].oid === text || digest === text?.replace('-', '').toLowerCase(),
  )

/** The raw signature over a digest: PKCS#1 v1.5 over its DigestInfo, or ECDSA in DER; wrong on request. */
export async function signHash(
  context: Context,
  credential: Credential,
  digest: Digest,
  hash: Buffer,
  flaw?: Flaw,
): Promise<Buffer> {
  const { key } = (flaw === 'other-certificate' ? somebodyElse(context, credential) : credential).certificate
  if (flaw === 'bare-digest') return withoutDigestInfo(key.privateKey, hash)
  const signature = Buffer.from(await signDigest(key.privateKey, digest, hash))
  if (flaw === 'wrong-signature') signature[signature.length - 1]! ^= 1
  return signature
}

/** A certificate of another holder, with a key of the same kind. */
export function somebodyElse({ accounts }: Context, { certificate }: Credential): Credential {
  const own = accounts.list().find(({ credentials }) => credentials.some((one) => one.certificate === certificate))
  return accounts
    .list()
    .filter((account) => account !== own)
    .flatMap(({ credentials }) => credentials)
    .find((other) => other.certificate.key.kind === certificate.key.kind && accounts.isValid(other))!
}

/** Another interpretation of RAW: the bare digest under RSA; an elliptic curve hashes it once more. */
const withoutDigestInfo = (key: Credential['certificate']['key']['privateKey'], hash: Buffer): Buffer =>
  key.asymmetricKeyType === 'rsa'
    ? privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, hash)
    : sign('sha256', createHash('sha256').update(hash).digest(), key)
