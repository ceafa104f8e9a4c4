import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunningDemoPki } from '@chancela/testkit/demo-pki'
import { pkiOfToday } from '@chancela/testkit/test-files'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { explicit, integer, nothing, oid, sequence, setOf, utf8String } from '../der/der-writer.ts'
import { toPem } from '../der/pem.ts'
import { Certificate } from './certificate.ts'
import { readCertificates } from './certificate-files.ts'
import { DistinguishedName } from './distinguished-name.ts'
import { authority, authorityKey, craft, extension, keyUsage, subjectKey } from './test-support/crafted-certificate.ts'

let running: RunningDemoPki
beforeAll(async () => {
  running = await pkiOfToday()
})

describe('every certificate of the demo', () => {
  test('is read as node reads it', () => {
    for (const { der, x509 } of running.pki.certificates()) {
      const certificate = Certificate.read(der)
      expect(certificate.version).toBe(3)
      expect(certificate.serialNumberHex).toBe(x509.serialNumber)
      expect(certificate.serialNumberDecimal).toBe(BigInt(`0x${x509.serialNumber}`).toString())
      expect(certificate.notBefore).toEqual(new Date(x509.validFrom))
      expect(certificate.notAfter).toEqual(new Date(x509.validTo))
      expect(certificate.fingerprint).toBe(x509.fingerprint256.replaceAll(':', '').toLowerCase())
      expect(certificate.extensions.isAuthority).toBe(x509.ca)
      expect(certificate.publicKey.equals(x509.publicKey)).toBe(true)
      expect(certificate.hasKnownKey).toBe(true)
    }
  })

  test('is known to have been issued by its issuer and nobody else', () => {
    for (const issued of running.pki.certificates()) {
      const certificate = Certificate.read(issued.der)
      for (const authority of running.pki.authorities()) {
        expect(Certificate.read(authority.der).issued(certificate)).toBe(authority.label === issued.issuer)
      }
    }
  })

  test('has the extensions openssl prints', async () => {
    const { der } = running.pki.certificate('ana-souza')
    const { extensions } = Certificate.read(der)
    const { text } = await openssl(['x509', '-inform', 'DER', '-noout', '-text'], { input: der })
    for (const url of [...extensions.crlUrls, ...extensions.ocspUrls, ...extensions.issuerUrls])
      expect(text).toContain(url)
    expect([extensions.crlUrls.length, extensions.ocspUrls.length, extensions.issuerUrls.length]).toEqual([2, 1, 2])
    expect(text).toContain(extensions.policies[0])
    expect([...extensions.keyUsage!]).toEqual(['digitalSignature', 'nonRepudiation', 'keyEncipherment'])
    const flat = text.replaceAll(':', '').toLowerCase()
    expect(flat).toContain(extensions.subjectKeyIdentifier!.toString('hex'))
    expect(flat).toContain(extensions.authorityKeyIdentifier!.toString('hex'))
  })
})

describe('the same bytes', () => {
  test('are the same certificate', () => {
    const { der } = running.pki.certificate('ana-souza')
    expect(Certificate.read(Buffer.from(der))).toBe(Certificate.read(new Uint8Array(der)))
  })

  test('changed by the caller afterwards do not change it', () => {
    const der = Buffer.from(craft().certificate.der)
    der[der.length - 1]! ^= 1
    const certificate = Certificate.read(der)
    const before = Buffer.from(certificate.der)
    der.fill(0)
    expect(certificate.der).toEqual(before)
  })
})

describe('serial numbers', () => {
  test.each([
    ['7F', '7F', '127'],
    ['80', '80', '128'],
    ['0123456789ABCDEF0123', '0123456789ABCDEF0123', '5373003642731685151011'],
  ])('%s', (bytes, hex, decimal) => {
    const { certificate } = craft({ serialNumber: Buffer.from(bytes, 'hex') })
    expect(certificate.serialNumberHex).toBe(hex)
    expect(certificate.serialNumberDecimal).toBe(decimal)
  })
})

describe('what is refused', () => {
  const refuses = (read: () => unknown) =>
    expect(read).toThrow(expect.objectContaining({ name: 'EngineError', code: 'certificate.malformed' }))

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('hello')],
    ['another structure', sequence(integer(1))],
    ['a certificate of a quarter of a megabyte', sequence(Buffer.alloc(300_000))],
  ])('%s', (_what, bytes) => refuses(() => Certificate.read(bytes)))

  test('bytes behind the certificate', () => {
    refuses(() => Certificate.read(Buffer.concat([craft().certificate.der, Buffer.of(0)])))
  })

  test('the same extension twice', () => {
    refuses(() => craft({ extensions: [keyUsage('digitalSignature'), keyUsage('keyCertSign')] }))
  })

  test('an extension that is not what it says', () => {
    refuses(() => craft({ extensions: [extension('2.5.29.19', nothing)] }))
    refuses(() => craft({ extensions: [extension('2.5.29.15', integer(1))] }))
  })

  test('an algorithm outside that is not the signed one', () => {
    const { der } = running.pki.certificate('ana-souza')
    const changed = Buffer.from(der)
    // The last byte of the outer identifier, sha512WithRSAEncryption, becomes sha256's.
    const at = changed.lastIndexOf(Buffer.from('2a864886f70d01010d', 'hex'))
    changed[at + 8] = 0x0b
    refuses(() => Certificate.read(changed))
  })

  test('anything with a byte changed, or nothing is wrong with reading it', () => {
    const { der } = running.pki.certificate('padaria-aurora')
    fc.assert(
      fc.property(fc.nat({ max: der.length - 1 }), fc.integer({ min: 1, max: 255 }), (offset, change) => {
        const changed = Buffer.from(der)
        changed[offset]! ^= change
        try {
          const certificate = Certificate.read(changed)
          void certificate.subject.toString()
          void certificate.serialNumberDecimal
          void certificate.keyHash()
          expect(Certificate.read(running.pki.certificate('level-2').der).issued(certificate)).toBe(false)
        } catch (error) {
          expect(error).toMatchObject({ name: 'EngineError' })
        }
      }),
      { numRuns: 400 },
    )
  })
})

test('a key of an unknown kind signed nothing, and is no error until somebody asks for it', () => {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  const issuer = craft({ subject: { CN: 'Signs' }, extensions: authority() })
  const strange = craft({ issuer, keys: { publicKey, privateKey } }).certificate
  expect(strange.hasKnownKey).toBe(false)
  expect(strange.issued(issuer.certificate)).toBe(false)
  expect(issuer.certificate.issued(strange)).toBe(true)
})

describe('files of certificates', () => {
  test('are read whatever form authorities publish', async () => {
    const folder = temporaryFolder()
    const chain = running.pki.chainOf(running.pki.certificate('level-2'))
    const pem = chain.map(({ x509 }) => x509.toString()).join('')
    writeFileSync(join(folder, 'chain.pem'), pem)
    const bundle = ['crl2pkcs7', '-nocrl', '-certfile', join(folder, 'chain.pem')]
    const { stdout: p7bPem } = await openssl(bundle)
    const { stdout: p7bDer } = await openssl([...bundle, '-outform', 'DER'])
    const mislabelled = p7bPem.toString().replaceAll('PKCS7', 'CERTIFICATE')
    const expected = chain.map(({ der }) => Certificate.read(der))
    for (const file of [Buffer.from(pem), p7bPem, p7bDer, Buffer.from(mislabelled)]) {
      expect(new Set(readCertificates(file))).toEqual(new Set(expected))
    }
    expect(readCertificates(chain[0]!.der)).toEqual([expected[0]])
    expect(readCertificates(Buffer.from(chain[0]!.der.toString('base64')))).toEqual([expected[0]])
  })

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a page', Buffer.from('<html>')],
    ['a block with nothing in it', Buffer.from(toPem('CERTIFICATE', Buffer.alloc(0)))],
    ['a block with noise', Buffer.from(toPem('CERTIFICATE', Buffer.from('noise')))],
  ])('%s is refused', (_what, file) => {
    expect(() => readCertificates(file)).toThrow(expect.objectContaining({ name: 'EngineError' }))
  })

  test('key identifiers are those openssl would compute', () => {
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { certificate } = craft({ keys, extensions: [subjectKey(keys.publicKey), authorityKey(keys.publicKey)] })
    expect(certificate.extensions.subjectKeyIdentifier).toEqual(certificate.keyHash())
    expect(new X509Certificate(certificate.der).checkIssued(new X509Certificate(certificate.der))).toBe(true)
  })
})

describe('names', () => {
  const name = (...parts: [string, Buffer][]) =>
    new DistinguishedName(sequence(...parts.map(([type, value]) => setOf(sequence(oid(type), value)))))

  test('are written as RFC 4514 writes them, as openssl does too', async () => {
    const { der } = running.pki.certificate('ana-souza')
    const { stdout } = await openssl(
      ['x509', '-inform', 'DER', '-noout', '-subject', '-nameopt', 'RFC2253,-esc_msb,utf8'],
      {
        input: der,
      },
    )
    expect(`subject=${Certificate.read(der).subject.toString()}`).toBe(stdout.toString().trim())
  })

  test.each([
    ['a, b', 'CN=a\\, b'],
    ['#x', 'CN=\\#x'],
    ['#00,O=b', 'CN=\\#00\\,O\\=b'],
    [' x ', 'CN=\\ x\\ '],
    ['a+b="c"<d>;\\', 'CN=a\\+b\\=\\"c\\"\\<d\\>\\;\\\\'],
    ['a\0b', 'CN=a\\00b'],
  ])('%j is escaped', (text, written) => {
    expect(name(['2.5.4.3', utf8String(text)]).toString()).toBe(written)
  })

  test('are found by attribute, the last one counting, and shown when they are no text', () => {
    expect(name(['2.5.4.3', utf8String('x')], ['2.5.4.3', utf8String('y')]).commonName).toBe('y')
    expect(name(['1.2.3.4', integer(5)]).toString()).toBe('1.2.3.4=#020105')
    expect(name(['2.5.4.3', explicit(0, nothing)]).attributes[0]?.value).toBe('#a0020500')
  })
})
