import {
  constants,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  type RSAPSSKeyPairKeyObjectOptions,
  sign,
} from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readDer } from '../der/der-value.ts'
import { explicit, integer, nothing, oid, sequence } from '../der/der-writer.ts'
import {
  type DigestName,
  digestAlgorithms,
  digestByOid,
  digestByXmlUri,
  pssAlgorithm,
  type SignatureAlgorithm,
  type SignatureAlgorithmName,
  signatureAlgorithmByName,
  signatureAlgorithmByOid,
  signatureAlgorithmByXmlUri,
  signatureAlgorithms,
} from './algorithms.ts'
import { ecdsaToDer, ecdsaToFixedWidth } from './ecdsa-encoding.ts'
import { pssIdentifier } from './pss-parameters.ts'
import { readSignatureIdentifier } from './read-identifiers.ts'
import { requireFit, signingAlgorithm } from './signing-algorithm.ts'
import { isSignedBy } from './verify-signature.ts'

const bytes = Buffer.from('what is signed')
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const dsa = generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 })
const curves = Object.fromEntries(
  [
    ...['prime256v1', 'secp384r1', 'secp521r1', 'secp256k1'],
    ...[256, 320, 384, 512].flatMap((bits) => [`brainpoolP${bits}r1`, `brainpoolP${bits}t1`]),
  ].map((namedCurve) => [namedCurve, generateKeyPairSync('ec', { namedCurve })]),
)
const p256 = curves.prime256v1!
const withPss = (key: KeyObject, hash: string) =>
  sign(hash, bytes, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST })

interface Pair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

const digests = ['sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha512-256'] as const
const sha3 = ['sha3-224', 'sha3-256', 'sha3-384', 'sha3-512'] as const

const signers: readonly [SignatureAlgorithmName, Pair, (key: KeyObject) => Buffer][] = [
  ...[...digests, ...sha3].flatMap((hash): [SignatureAlgorithmName, Pair, (key: KeyObject) => Buffer][] => {
    const upper = hash.toUpperCase() as Uppercase<typeof hash>
    return [
      [`RSA-${upper}`, rsa, (key) => sign(hash, bytes, key)],
      [`RSA-PSS-${upper}`, rsa, (key) => withPss(key, hash)],
      [`ECDSA-${upper}`, p256, (key) => sign(hash, bytes, key)],
      [`DSA-${upper}`, dsa, (key) => sign(hash, bytes, key)],
    ]
  }),
  ['Ed25519', generateKeyPairSync('ed25519'), (key) => sign(null, bytes, key)],
  ['Ed448', generateKeyPairSync('ed448'), (key) => sign(null, bytes, key)],
]

describe.each(signers)('%s', (name, { publicKey, privateKey }, signed) => {
  const algorithm = signatureAlgorithmByName(name)

  test('is verified over its own bytes and no others', () => {
    const signature = signed(privateKey)
    expect(isSignedBy(publicKey, algorithm, bytes, signature)).toBe(true)
    expect(isSignedBy(publicKey, algorithm, Buffer.from('other'), signature)).toBe(false)
  })

  test('is not taken from another algorithm', () => {
    const others = Object.values(signatureAlgorithms).filter((other) => other.name !== name)
    const taken = others.filter((other) => isSignedBy(publicKey, other, bytes, signed(privateKey)))
    expect(taken.map((other) => other.name)).toEqual([])
  })

  test('of any wrong length or content is no signature, and no exception', () => {
    for (const wrong of [Buffer.alloc(0), Buffer.alloc(64), Buffer.alloc(256), Buffer.alloc(1_000, 0xff)]) {
      expect(isSignedBy(publicKey, algorithm, bytes, wrong)).toBe(false)
    }
  })

  test('is found by its identifier in CMS and in XML', () => {
    expect(readSignatureIdentifier(readDer(identifierOf(algorithm)), algorithm.digest)).toBe(algorithm)
    if (algorithm.xml) expect(signatureAlgorithmByXmlUri(algorithm.xml)).toBe(algorithm)
  })
})

describe('the two encodings of ECDSA', () => {
  test.each(Object.entries(curves))('%s goes from one to the other and back', (_name, { publicKey, privateKey }) => {
    for (let round = 0; round < 20; round++) {
      const der = sign('sha256', bytes, privateKey)
      const fixed = ecdsaToFixedWidth(publicKey, der)
      expect(ecdsaToDer(publicKey, fixed)).toEqual(der)
      expect(ecdsaToFixedWidth(publicKey, fixed)).toBe(fixed)
      expect(ecdsaToDer(publicKey, der)).toBe(der)
      expect(isSignedBy(publicKey, signatureAlgorithms['ECDSA-SHA256'], bytes, fixed)).toBe(true)
    }
  })

  test.each([Buffer.alloc(0), Buffer.from('noise'), sequence(integer(1)), sequence()])(
    'what is neither is refused',
    (signature) => {
      expect(() => ecdsaToFixedWidth(p256.publicKey, signature)).toThrow(
        expect.objectContaining({ name: 'EngineError' }),
      )
    },
  )
})

describe('RSA-PSS', () => {
  // node:crypto signs with another digest in the mask only with a key that asks for it.
  const keyFor = (hash: string, mgf: string, saltLength: number) =>
    generateKeyPairSync('rsa-pss', {
      modulusLength: 2048,
      hashAlgorithm: hash,
      mgf1HashAlgorithm: mgf,
      saltLength,
    } as unknown as RSAPSSKeyPairKeyObjectOptions) // a length in bytes; the types say text
  const signedWith = (key: KeyObject, hash: string, saltLength: number) =>
    sign(hash, bytes, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength })
  const bound = keyFor('sha256', 'sha1', 20)

  test('is verified with its own digests and length of salt, and with no others', () => {
    const signature = signedWith(bound.privateKey, 'sha256', 25)
    // The same modulus, without restrictions.
    const free = unrestricted(bound.publicKey)
    const verified = (mgf: DigestName, saltLength: number) =>
      isSignedBy(free, pssAlgorithm('sha256', { mgf, saltLength })!, bytes, signature)
    expect(verified('sha1', 25)).toBe(true)
    expect(verified('sha256', 25)).toBe(false)
    expect(verified('sha1', 20)).toBe(false)
    expect(verified('sha1', 26)).toBe(false)
  })

  test('by a key with parameters is bound to them', () => {
    const verified = (hash: DigestName, mgf: DigestName, saltLength: number) => {
      const algorithm = pssAlgorithm(hash, { mgf, saltLength })!
      const free = keyFor(hash, mgf, 0)
      const forged = signedWith(free.privateKey, hash, saltLength)
      return [
        isSignedBy(bound.publicKey, algorithm, bytes, signedWith(bound.privateKey, 'sha256', Math.max(20, saltLength))),
        isSignedBy(free.publicKey, algorithm, bytes, forged),
      ]
    }
    expect(verified('sha256', 'sha1', 20)).toEqual([true, true])
    expect(verified('sha256', 'sha1', 32)).toEqual([true, true])
    expect(verified('sha256', 'sha1', 8)).toEqual([false, true])
    expect(verified('sha256', 'sha256', 32)).toEqual([false, true])
    expect(verified('sha512', 'sha1', 20)).toEqual([false, true])
  })

  test('with a shorter salt than the key allows is refused, though it fits', () => {
    const held = keyFor('sha256', 'sha256', 20)
    const free = createPrivateKey(asPlainRsa(held.privateKey))
    const short = sign('sha256', bytes, { key: free, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 8 })
    const algorithm = pssAlgorithm('sha256', { mgf: 'sha256', saltLength: 8 })!
    expect(isSignedBy(createPublicKey(free), algorithm, bytes, short)).toBe(true)
    expect(isSignedBy(held.publicKey, algorithm, bytes, short)).toBe(false)
  })

  test('by a key for PSS is the only signature it makes', () => {
    const pkcs1 = sign('sha256', bytes, createPrivateKey(asPlainRsa(bound.privateKey)))
    expect(isSignedBy(bound.publicKey, signatureAlgorithms['RSA-SHA256'], bytes, pkcs1)).toBe(false)
    expect(
      isSignedBy(
        createPublicKey(createPrivateKey(asPlainRsa(bound.privateKey))),
        signatureAlgorithms['RSA-SHA256'],
        bytes,
        pkcs1,
      ),
    ).toBe(true)
  })

  test.each([
    ['no field', sequence(), 'RSA-PSS-SHA1'],
    ['SHA-256 and the mask of SHA-1', sequence(explicit(0, hashId('sha256'))), 'RSA-PSS-SHA256-MGF1-SHA1-SALT-20'],
    ['another trailer', sequence(explicit(3, integer(2))), undefined],
    ['an unknown digest', sequence(explicit(0, sequence(oid('1.2.3')))), undefined],
    ['an unknown mask', sequence(explicit(1, sequence(oid('1.2.3'), hashId('sha1')))), undefined],
    ['a salt that no key has room for', sequence(explicit(2, integer(100_000))), undefined],
    [
      'a digest with parameters',
      sequence(explicit(0, sequence(oid(digestAlgorithms.sha256.oid), integer(1)))),
      undefined,
    ],
    [
      'a digest whose NULL has content',
      sequence(explicit(0, sequence(oid(digestAlgorithms.sha256.oid), Buffer.of(5, 1, 0)))),
      undefined,
    ],
    [
      'a digest with more behind it',
      sequence(explicit(0, sequence(oid(digestAlgorithms.sha256.oid), nothing, nothing))),
      undefined,
    ],
    [
      'a mask with more behind it',
      sequence(explicit(1, sequence(oid('1.2.840.113549.1.1.8'), hashId('sha1'), nothing))),
      undefined,
    ],
    ['something else behind them', sequence(explicit(4, integer(1))), undefined],
    ['fields that are not DER', sequence(explicit(0, sequence(integer(1)))), undefined],
  ])('with parameters of %s is what they say', (_what, parameters, name) => {
    const identifier = sequence(oid('1.2.840.113549.1.1.10'), parameters)
    expect(readSignatureIdentifier(readDer(identifier), 'sha256')?.name).toBe(name)
    if (name) expect(signatureAlgorithmByName(name).name).toBe(name)
  })

  test('with parameters twice is not known', () => {
    const parameters = sequence(explicit(0, hashId('sha256')))
    const identifier = sequence(oid('1.2.840.113549.1.1.10'), parameters, parameters)
    expect(readSignatureIdentifier(readDer(identifier))).toBeUndefined()
  })

  test('without parameters is not known', () => {
    expect(readSignatureIdentifier(readDer(sequence(oid('1.2.840.113549.1.1.10'))), 'sha256')).toBeUndefined()
  })
})

/** AlgorithmIdentifier as signatures have it. */
const identifierOf = (algorithm: SignatureAlgorithm) =>
  algorithm.pss ? pssIdentifier(algorithm) : sequence(oid(algorithm.oid))

function hashId(name: DigestName) {
  return sequence(oid(digestAlgorithms[name].oid), nothing)
}

/** SubjectPublicKeyInfo of id-RSASSA-PSS, without parameters. */
function unrestricted(key: KeyObject): KeyObject {
  const [, bits] = readDer(key.export({ format: 'der', type: 'spki' })).members()
  return createPublicKey({
    key: sequence(sequence(oid('1.2.840.113549.1.1.10')), bits!.raw),
    format: 'der',
    type: 'spki',
  })
}

/** The same key as rsaEncryption. */
function asPlainRsa(key: KeyObject) {
  const [version, , secret] = readDer(key.export({ format: 'der', type: 'pkcs8' })).members()
  const plain = sequence(version!.raw, sequence(oid('1.2.840.113549.1.1.1'), nothing), secret!.raw)
  return { key: plain, format: 'der', type: 'pkcs8' } as const
}

describe('choosing an algorithm', () => {
  test('the key and the digest decide', () => {
    expect(signingAlgorithm(rsa.publicKey).name).toBe('RSA-SHA256')
    expect(signingAlgorithm(rsa.publicKey, 'sha512').name).toBe('RSA-SHA512')
    expect(signingAlgorithm(p256.publicKey, 'sha512').name).toBe('ECDSA-SHA512')
    expect(signingAlgorithm(rsa.publicKey, 'sha384').name).toBe('RSA-SHA384')
    expect(signingAlgorithm(generateKeyPairSync('ed25519').publicKey).name).toBe('Ed25519')
    expect(signingAlgorithm(generateKeyPairSync('ed448').publicKey, 'sha256').name).toBe('Ed448')
    expect(() => signingAlgorithm(dsa.publicKey)).toThrow(expect.objectContaining({ code: 'algorithm.unfit' }))
  })

  test('a key that does not fit is refused', () => {
    requireFit(rsa.publicKey, signatureAlgorithms['RSA-SHA256'])
    requireFit(rsa.publicKey, signatureAlgorithms['RSA-PSS-SHA256'])
    expect(() => requireFit(p256.publicKey, signatureAlgorithms['RSA-SHA256'])).toThrow(
      expect.objectContaining({ code: 'algorithm.unfit' }),
    )
  })

  test('rsaEncryption needs the digest named elsewhere, and what is unknown is undefined', () => {
    expect(signatureAlgorithmByOid('1.2.840.113549.1.1.1', 'sha256')?.name).toBe('RSA-SHA256')
    expect(signatureAlgorithmByOid('1.2.840.113549.1.1.1')).toBeUndefined()
    expect(signatureAlgorithmByOid('1.2.840.113549.1.1.4')).toBeUndefined()
    expect(signatureAlgorithmByOid('1.2.840.10045.2.1', 'sha3-256')?.name).toBe('ECDSA-SHA3-256')
    expect(signatureAlgorithmByOid('0.4.0.127.0.7.1.1.4.1.3')?.name).toBe('ECDSA-SHA256')
    expect(() => signatureAlgorithmByName('RSA-MD5')).toThrow(expect.objectContaining({ code: 'algorithm.unknown' }))
    expect(signatureAlgorithmByXmlUri('urn:x')).toBeUndefined()
    expect(digestByOid('2.16.840.1.101.3.4.2.1')).toBe('sha256')
    expect(digestByOid('1.2.3')).toBeUndefined()
    expect(digestByXmlUri('http://www.w3.org/2001/04/xmlenc#sha512')).toBe('sha512')
  })
})
