import { createPrivateKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import type { DemoPki } from '@chancela/testkit/demo-pki'
import { pkiOfToday } from '@chancela/testkit/test-files'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { beforeAll, describe, expect, test } from 'vitest'
import { holderWith } from '../../cms/test-support/demo-signers.ts'
import { signatureAlgorithms } from '../../crypto/algorithms.ts'
import { digest } from '../../crypto/digest.ts'
import { isSignedBy } from '../../crypto/verify-signature.ts'
import { pemBlocks } from '../../der/pem.ts'
import { EngineError } from '../../errors/engine-error.ts'
import { Certificate } from '../../x509/certificate.ts'
import { isDigestSignedBy } from './is-digest-signed-by.ts'
import { signDigest } from './sign-digest.ts'

let pki: DemoPki
beforeAll(async () => {
  pki = (await pkiOfToday()).pki
})

const bytes = Buffer.from('documento')
const digests = ['sha256', 'sha384', 'sha512'] as const

async function pairOf(kind: 'RSA-2048' | 'RSA-4096' | 'P-256' | 'P-384' | 'Ed25519') {
  const issued = await holderWith(pki, kind)
  return { certificate: Certificate.read(issued.der), key: issued.key.privateKey }
}

async function p521() {
  const folder = temporaryFolder()
  const newkey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-521', '-keyout', 'key.pem']
  const args = ['req', '-x509', '-nodes', '-subj', '/CN=x', '-days', '9', ...newkey]
  const { stdout } = await openssl(args, { folder })
  const key = await openssl(['pkcs8', '-topk8', '-nocrypt', '-in', 'key.pem'], { folder })
  return {
    certificate: Certificate.read(pemBlocks(stdout.toString(), 'CERTIFICATE')[0]!),
    key: createPrivateKey(key.stdout.toString()),
  }
}

const codeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'done',
    (error: unknown) => (error instanceof EngineError ? error.code : `escaped: ${error}`),
  )

describe('signing a digest that is known', () => {
  test.each(['RSA-2048', 'RSA-4096'] as const)('makes with %s the signature over its bytes', async (kind) => {
    const { certificate, key } = await pairOf(kind)
    for (const name of digests) {
      const signature = await signDigest(key, name, digest(name, bytes))
      const algorithm = signatureAlgorithms[`RSA-${name.toUpperCase()}` as 'RSA-SHA256']
      expect(isSignedBy(certificate.publicKey, algorithm, bytes, signature)).toBe(true)
      expect(isDigestSignedBy(certificate, name, digest(name, bytes), signature)).toBe(true)
    }
  })

  test.each([
    ['P-256', () => pairOf('P-256')],
    ['P-384', () => pairOf('P-384')],
    ['P-521', p521],
  ])('makes with %s a signature that OpenSSL verifies over the bytes', async (_curve, make) => {
    const { certificate, key } = await make()
    for (const name of digests) {
      const signature = await signDigest(key, name, digest(name, bytes))
      expect(verify(name, bytes, certificate.publicKey, signature)).toBe(true)
      expect(isDigestSignedBy(certificate, name, digest(name, bytes), signature)).toBe(true)
    }
  })

  test('is refused with keys that cannot, and with digests of another length', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const { key } = await pairOf('Ed25519')
    const known = digest('sha256', bytes)
    expect(await codeOf(signDigest(key, 'sha256', known))).toBe('key.digest-unsupported')
    expect(await codeOf(signDigest(rsa.publicKey, 'sha256', known))).toBe('key.not-private')
    expect(await codeOf(signDigest(rsa.privateKey, 'sha512', known))).toBe('key.wrong-digest')
  })

  test('tells when the key fails, and goes on', async () => {
    const { privateKey: small } = generateKeyPairSync('rsa', { modulusLength: 512 })
    expect(await codeOf(signDigest(small, 'sha512', digest('sha512', bytes)))).toBe('key.failed')
    const { key } = await pairOf('RSA-2048')
    expect(await signDigest(key, 'sha512', digest('sha512', bytes))).toHaveLength(256)
  })

  test('gives each of many callers its own signature', async () => {
    const { certificate, key } = await pairOf('RSA-2048')
    const known = Array.from({ length: 60 }, (_, index) => digest('sha256', Buffer.from(`documento ${index}`)))
    const signatures = await Promise.all(known.map((each) => signDigest(key, 'sha256', each)))
    expect(known.every((each, at) => isDigestSignedBy(certificate, 'sha256', each, signatures[at]!))).toBe(true)
    expect(isDigestSignedBy(certificate, 'sha256', known[0]!, signatures[1]!)).toBe(false)
  })
})

describe('a signature over a digest', () => {
  const rawSignature = (key: KeyObject, name: string, form: 'der' | 'ieee-p1363') =>
    sign(name, bytes, { key, dsaEncoding: form })

  test.each([
    ['P-256', () => pairOf('P-256')],
    ['P-384', () => pairOf('P-384')],
    ['P-521', p521],
  ])('by a key on %s is verified in both encodings', async (_curve, make) => {
    const { certificate, key } = await make()
    for (const name of digests)
      for (const form of ['der', 'ieee-p1363'] as const) {
        const signature = rawSignature(key, name, form)
        const known = digest(name, bytes)
        expect(isDigestSignedBy(certificate, name, known, signature)).toBe(true)
        const other = Buffer.from(known)
        other[0]! ^= 1
        expect(isDigestSignedBy(certificate, name, other, signature)).toBe(false)
      }
  })

  test('by another key, damaged, or no signature at all, is none', async () => {
    const known = digest('sha256', bytes)
    for (const kind of ['RSA-2048', 'P-256'] as const) {
      const [{ certificate, key }, other] = [await pairOf(kind), await pairOf(kind)]
      const right = sign('sha256', bytes, key)
      expect(isDigestSignedBy(certificate, 'sha256', known, right)).toBe(true)
      const damaged = Buffer.from(right)
      damaged[right.length - 1]! ^= 1
      const width = kind === 'P-256' ? 64 : 256
      const foreign = sign('sha256', bytes, generateLike(kind))
      for (const wrong of [damaged, foreign, Buffer.alloc(0), Buffer.alloc(width), Buffer.alloc(width, 0xff)])
        expect(isDigestSignedBy(certificate, 'sha256', known, wrong)).toBe(false)
      expect(isDigestSignedBy(certificate, 'sha384', known, right)).toBe(false)
      expect(isDigestSignedBy(certificate, 'sha256', known, sign('sha512', bytes, key))).toBe(false)
      expect(isDigestSignedBy(other.certificate, 'sha256', known, foreign)).toBe(false)
    }
  })

  test('of a kind that has no digest is none', async () => {
    const { certificate, key } = await pairOf('Ed25519')
    expect(isDigestSignedBy(certificate, 'sha512', digest('sha512', bytes), sign(null, bytes, key))).toBe(false)
  })

  const generateLike = (kind: 'RSA-2048' | 'P-256'): KeyObject =>
    kind === 'P-256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
      : generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
})
