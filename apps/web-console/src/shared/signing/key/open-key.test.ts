import { createHash, verify } from 'node:crypto'
import {
  cachedKeys,
  createDemoPki,
  type DemoPki,
  type Pkcs12VariantName,
  pkcs12Variants,
} from '@chancela/testkit/demo-pki'
import { beforeAll, describe, expect, test } from 'vitest'
import { KeyProblem } from './key-problem.ts'
import { openKey } from './open-key.ts'

let pki: DemoPki
beforeAll(async () => {
  pki = await createDemoPki({ baseUrl: 'http://localhost:8087', clock: () => new Date(), keys: cachedKeys() })
})

const faultOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'opened',
    (error: unknown) => (error instanceof KeyProblem ? error.fault : `escaped: ${error}`),
  )

const variantFile = (variant: Pkcs12VariantName, password = pkcs12Variants[variant].example.password) => {
  const holder = pki.certificate(pkcs12Variants[variant].example.holder)
  return { holder, password, bytes: pki.pkcs12(holder, { password, variant }) }
}

const { 'ec-key': _, ...rsa } = pkcs12Variants
const { unencrypted: __, ...encrypted } = rsa

test.each(Object.keys(rsa) as Pkcs12VariantName[])(
  'a PKCS#12 file of the variant %s opens to its certificate and a key that signs digests',
  async (variant) => {
    const { holder, bytes, password } = variantFile(variant)
    const opened = await openKey(bytes, password)
    expect(Buffer.from(opened.certificate.certificate, 'base64')).toEqual(holder.der)
    for (const [name, algorithm] of [
      ['SHA-256', 'sha256'],
      ['SHA-512', 'sha512'],
    ] as const) {
      const content = Buffer.from('contrato')
      const digest = createHash(algorithm).update(content).digest('base64')
      const signature = Buffer.from(opened.sign(digest, name), 'base64')
      expect(verify(algorithm, content, holder.x509.publicKey, signature)).toBe(true)
    }
  },
)

test.each(Object.keys(encrypted) as Pkcs12VariantName[])(
  'a PKCS#12 file of the variant %s is refused with another password',
  async (variant) => {
    const { bytes, password } = variantFile(variant)
    expect(await faultOf(openKey(bytes, `${password}x`))).toBe('wrong-password')
  },
)

test('the holder is named as ICP-Brasil writes it, with how long the certificate is valid', async () => {
  const holder = await pki.issuePerson({ name: 'Ana Souza', cpf: '52998224725' })
  const { certificate } = await openKey(pki.pkcs12(holder, { password: 'segredo' }), 'segredo')
  expect(certificate).toMatchObject({ name: 'ANA SOUZA', identifier: '52998224725' })
  expect(certificate.issuer).not.toBe('')
  expect(new Date(certificate.notAfter)).toEqual(new Date(holder.x509.validTo))
})

test('a newer certificate has the CPF in an attribute of its own', async () => {
  const holder = pki.certificate('helena-prado')
  const { certificate } = await openKey(pki.pkcs12(holder, { password: 'segredo' }), 'segredo')
  expect(certificate.identifier).toMatch(/^246813579\d\d$/)
})

test('what is no PKCS#12 file is said to be none, and a key that is not RSA is said not to be', async () => {
  expect(await faultOf(openKey(Buffer.from('%PDF-1.7'), 'x'))).toBe('not-pkcs12')
  expect(await faultOf(openKey(Buffer.alloc(0), 'x'))).toBe('not-pkcs12')
  const { bytes, password } = variantFile('ec-key')
  expect(await faultOf(openKey(bytes, password))).toBe('not-rsa')
})

test('a digest of another algorithm or length is not signed', async () => {
  const { bytes, password } = variantFile('aes-256')
  const opened = await openKey(bytes, password)
  expect(() => opened.sign('AAAA', 'SHA-256')).toThrow('unknown-digest')
  expect(() => opened.sign('AAAA', 'MD5')).toThrow('unknown-digest')
})

describe('without the cryptography of the browser, as on pages over plain http', () => {
  test('a file opens all the same', async () => {
    const { bytes, password } = variantFile('aes-256')
    const { subtle } = globalThis.crypto
    Object.defineProperty(globalThis.crypto, 'subtle', { value: undefined, configurable: true })
    try {
      expect(await faultOf(openKey(bytes, password))).toBe('opened')
    } finally {
      Object.defineProperty(globalThis.crypto, 'subtle', { value: subtle, configurable: true })
    }
  })
})
