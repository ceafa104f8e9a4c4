import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { integer, sequence } from '../der/der-writer.ts'
import {
  digestByOid,
  digestByXmlUri,
  requireFit,
  type SignatureAlgorithmName,
  signatureAlgorithmByOid,
  signatureAlgorithmByXmlUri,
  signatureAlgorithms,
  signingAlgorithm,
} from './algorithms.ts'
import { ecdsaToDer, ecdsaToFixedWidth } from './ecdsa-encoding.ts'
import { isSignedBy } from './verify-signature.ts'

const bytes = Buffer.from('what is signed')
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ed25519 = generateKeyPairSync('ed25519')
const curves = Object.fromEntries(
  ['P-256', 'P-384', 'P-521'].map((namedCurve) => [namedCurve, generateKeyPairSync('ec', { namedCurve })]),
)
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }

const signers: readonly [
  SignatureAlgorithmName,
  { publicKey: KeyObject; privateKey: KeyObject },
  (key: KeyObject) => Buffer,
][] = [
  ['RSA-SHA1', rsa, (key) => sign('sha1', bytes, key)],
  ['RSA-SHA256', rsa, (key) => sign('sha256', bytes, key)],
  ['RSA-SHA384', rsa, (key) => sign('sha384', bytes, key)],
  ['RSA-SHA512', rsa, (key) => sign('sha512', bytes, key)],
  ['RSA-PSS-SHA256', rsa, (key) => sign('sha256', bytes, { key, ...pss })],
  ['RSA-PSS-SHA512', rsa, (key) => sign('sha512', bytes, { key, ...pss })],
  ['ECDSA-SHA256', curves['P-256']!, (key) => sign('sha256', bytes, key)],
  ['ECDSA-SHA384', curves['P-384']!, (key) => sign('sha384', bytes, key)],
  ['ECDSA-SHA512', curves['P-521']!, (key) => sign('sha512', bytes, key)],
  ['Ed25519', ed25519, (key) => sign(null, bytes, key)],
]

describe.each(signers)('%s', (name, { publicKey, privateKey }, signed) => {
  const algorithm = signatureAlgorithms[name]

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
    expect(signatureAlgorithmByOid(algorithm.oid, algorithm.digest)).toBe(algorithm)
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
      expect(() => ecdsaToFixedWidth(curves['P-256']!.publicKey, signature)).toThrow(
        expect.objectContaining({ name: 'EngineError' }),
      )
    },
  )
})

describe('choosing an algorithm', () => {
  test('the key and the digest decide', () => {
    expect(signingAlgorithm('rsa').name).toBe('RSA-SHA256')
    expect(signingAlgorithm('rsa', 'sha512').name).toBe('RSA-SHA512')
    expect(signingAlgorithm('ec', 'sha512').name).toBe('ECDSA-SHA512')
    expect(signingAlgorithm('ed25519').name).toBe('Ed25519')
  })

  test('a key that does not fit is refused', () => {
    requireFit('rsa', signatureAlgorithms['RSA-SHA256'])
    expect(() => requireFit('ec', signatureAlgorithms['RSA-SHA256'])).toThrow(
      expect.objectContaining({ code: 'algorithm.unfit' }),
    )
  })

  test('rsaEncryption needs the digest named elsewhere, and what is unknown is undefined', () => {
    expect(signatureAlgorithmByOid('1.2.840.113549.1.1.1', 'sha256')?.name).toBe('RSA-SHA256')
    expect(signatureAlgorithmByOid('1.2.840.113549.1.1.1')).toBeUndefined()
    expect(signatureAlgorithmByOid('1.2.840.113549.1.1.4')).toBeUndefined()
    expect(signatureAlgorithmByXmlUri('urn:x')).toBeUndefined()
    expect(digestByOid('2.16.840.1.101.3.4.2.1')).toBe('sha256')
    expect(digestByOid('1.2.3')).toBeUndefined()
    expect(digestByXmlUri('http://www.w3.org/2001/04/xmlenc#sha512')).toBe('sha512')
  })
})
