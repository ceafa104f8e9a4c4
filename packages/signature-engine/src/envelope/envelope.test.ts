import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, readdirSync, writeFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { DemoPki, IssuedCertificate, KeyKind } from '@chancela/testkit/demo-pki'
import { pkiOfToday } from '@chancela/testkit/test-files'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { holderWith } from '../cms/test-support/demo-signers.ts'
import { readDer } from '../der/der-value.ts'
import { EngineError } from '../errors/engine-error.ts'
import { openPkcs12 } from '../keys/pkcs12/open-pkcs12.ts'
import { Certificate } from '../x509/certificate.ts'
import { decryptToFile, decryptWith } from './decrypt.ts'
import { type EncryptOptions, encryptTo, encryptToFile } from './encrypt.ts'
import type { OpeningKey } from './open-recipient.ts'
import { recipientWarnings } from './recipients.ts'

let pki: DemoPki
let people: Record<'RSA-2048' | 'RSA-4096' | 'P-256' | 'P-384', IssuedCertificate>
let ed25519: IssuedCertificate
const now = new Date()

beforeAll(async () => {
  pki = (await pkiOfToday()).pki
  const person = (key: KeyKind) => holderWith(pki, key)
  people = {
    'RSA-2048': await person('RSA-2048'),
    'RSA-4096': await person('RSA-4096'),
    'P-256': await person('P-256'),
    'P-384': await person('P-384'),
  }
  ed25519 = await person('Ed25519')
})

const certificateOf = (issued: IssuedCertificate): Certificate => Certificate.read(issued.der)
const keyOf = (issued: IssuedCertificate): OpeningKey => ({
  privateKey: issued.key.privateKey,
  certificate: certificateOf(issued),
})

async function sealed(
  recipients: readonly IssuedCertificate[],
  content: Uint8Array | AsyncIterable<Uint8Array>,
  options: Partial<EncryptOptions> = {},
): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of encryptTo(recipients.map(certificateOf), content, { now, ...options }).bytes)
    pieces.push(piece)
  return Buffer.concat(pieces)
}

async function* chunks(content: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}

const codeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'done',
    (error: unknown) => (error instanceof EngineError ? error.code : `escaped: ${error}`),
  )

/** Key and certificate as files for openssl. */
function filesOf(issued: IssuedCertificate, folder = temporaryFolder()) {
  writeFileSync(join(folder, 'key.pem'), issued.key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(join(folder, 'certificate.pem'), issued.x509.toString())
  return folder
}

async function openedByOpenssl(envelope: Uint8Array, issued: IssuedCertificate): Promise<Buffer> {
  const folder = filesOf(issued)
  const args = ['cms', '-decrypt', '-inform', 'DER', '-inkey', 'key.pem', '-recip', 'certificate.pem']
  const { ok, text, stdout } = await openssl(args, { input: envelope, folder })
  if (!ok) throw new Error(text)
  return stdout
}

async function sealedByOpenssl(content: Uint8Array, issued: IssuedCertificate, ...options: string[]): Promise<Buffer> {
  const folder = filesOf(issued)
  const args = ['cms', '-encrypt', '-binary', '-outform', 'DER', '-recip', 'certificate.pem', ...options]
  const { ok, text, stdout } = await openssl(args, { input: content, folder })
  if (!ok) throw new Error(text)
  return stdout
}

const oaep = ['-keyopt', 'rsa_padding_mode:oaep', '-keyopt', 'rsa_oaep_md:sha256', '-keyopt', 'rsa_mgf1_md:sha256']
const content = randomBytes(100_000)

describe('an envelope of ours', () => {
  test.each(['RSA-2048', 'RSA-4096', 'P-256', 'P-384'] as const)('to a %s key is opened by openssl', async (kind) => {
    const envelope = await sealed([people[kind]], content)
    expect(content.equals(await openedByOpenssl(envelope, people[kind]))).toBe(true)
  })

  test('with PKCS#1 v1.5 is opened by openssl', async () => {
    const envelope = await sealed([people['RSA-2048']], content, { rsaPadding: 'pkcs1v15' })
    expect(content.equals(await openedByOpenssl(envelope, people['RSA-2048']))).toBe(true)
  })

  test('of unknown size is streamed as BER, and opened by openssl', async () => {
    const envelope = await sealed([people['P-256']], chunks(content, 7001))
    expect(envelope.subarray(0, 2)).toEqual(Buffer.of(0x30, 0x80))
    expect(content.equals(await openedByOpenssl(envelope, people['P-256']))).toBe(true)
  })

  test('of known size is DER, whether it comes whole or in pieces', async () => {
    for (const source of [content, chunks(content, 7001)]) {
      const envelope = await sealed([people['RSA-2048']], source, { size: content.length })
      expect(readDer(envelope).sequence().next().oid()).toBe('1.2.840.113549.1.9.16.1.23')
      expect(content.equals(await decryptWith(keyOf(people['RSA-2048']), envelope))).toBe(true)
    }
  })

  test('to several is opened by each of them, by us and by openssl, and by nobody else', async () => {
    const recipients = Object.values(people)
    const envelope = await sealed(recipients, content)
    for (const recipient of recipients) {
      expect(content.equals(await openedByOpenssl(envelope, recipient))).toBe(true)
      expect(content.equals(await decryptWith(keyOf(recipient), envelope))).toBe(true)
      expect(content.equals(await decryptWith({ privateKey: recipient.key.privateKey }, envelope))).toBe(true)
    }
    const stranger = pki.certificate('bruno-lima')
    expect(await codeOf(decryptWith(keyOf(stranger), envelope))).toBe('envelope.no-recipient')
    expect(await codeOf(decryptWith({ privateKey: stranger.key.privateKey }, envelope))).toBe('envelope.no-recipient')
  })

  test.each([0, 1, 15, 16, 17, 127, 128, 65_536])('of %i bytes comes back', async (size) => {
    const plain = randomBytes(size)
    for (const source of [plain, chunks(plain, 1000)]) {
      const envelope = await sealed([people['P-256']], source)
      expect(plain.equals(await decryptWith(keyOf(people['P-256']), envelope))).toBe(true)
      expect(plain.equals(await openedByOpenssl(envelope, people['P-256']))).toBe(true)
    }
  })

  test('is opened with the contents of a PKCS#12 file', async () => {
    const holder = people['RSA-2048']
    const contents = await openPkcs12(pki.pkcs12(holder, { password: 'segredo' }), 'segredo')
    expect(content.equals(await decryptWith(contents, await sealed([holder], content)))).toBe(true)
  })

  test('is read however it is cut into chunks', async () => {
    const small = content.subarray(0, 3000)
    for (const source of [small, chunks(small, 700)]) {
      const envelope = await sealed([people['P-256'], people['RSA-2048']], source)
      for (const size of [1, 2, 3, 100]) {
        expect(small.equals(await decryptWith(keyOf(people['RSA-2048']), chunks(envelope, size)))).toBe(true)
      }
    }
  })
})

describe('an envelope of openssl', () => {
  test.each([
    ['RSA', 'RSA-2048', []],
    ['RSA with OAEP', 'RSA-2048', oaep],
    ['RSA with OAEP and SHA-1', 'RSA-2048', ['-keyopt', 'rsa_padding_mode:oaep']],
    ['RSA, named by key identifier', 'RSA-4096', ['-keyid']],
    ['P-256', 'P-256', ['-aes256-wrap', '-keyopt', 'ecdh_kdf_md:sha256']],
    ['P-256 with defaults', 'P-256', []],
    ['P-384', 'P-384', ['-aes256-wrap', '-keyopt', 'ecdh_kdf_md:sha384']],
    ['P-384, named by key identifier', 'P-384', ['-keyid']],
  ] as const)('to %s is opened', async (_how, kind, options) => {
    for (const streaming of [[], ['-stream']]) {
      const envelope = await sealedByOpenssl(content, people[kind], '-aes-256-gcm', ...options, ...streaming)
      expect(content.equals(await decryptWith(keyOf(people[kind]), envelope))).toBe(true)
      expect(content.equals(await decryptWith({ privateKey: people[kind].key.privateKey }, envelope))).toBe(true)
    }
  })

  test.each(['-aes-128-gcm', '-aes-192-gcm'])('with %s is opened', async (cipher) => {
    const envelope = await sealedByOpenssl(content, people['RSA-2048'], cipher)
    expect(content.equals(await decryptWith(keyOf(people['RSA-2048']), envelope))).toBe(true)
  })

  test.each(['-aes-128-cbc', '-aes-256-cbc', '-des3'])(
    'without authentication (%s) is opened on demand only',
    async (cipher) => {
      const holder = people['RSA-2048']
      for (const streaming of [[], ['-stream']]) {
        const envelope = await sealedByOpenssl(content, holder, cipher, ...streaming)
        expect(await codeOf(decryptWith(keyOf(holder), envelope))).toBe('envelope.unauthenticated')
        expect(content.equals(await decryptWith(keyOf(holder), envelope, { allowUnauthenticated: true }))).toBe(true)
      }
    },
  )
})

/** Offsets of the issuer's name, which says only who is meant: in another case it is the same name (RFC 5280 §7.1). */
function nameIn(envelope: Buffer, { der }: IssuedCertificate): ReadonlySet<number> {
  const name = Certificate.read(der).issuer.der
  const start = envelope.indexOf(name)
  return new Set(Array.from(name, (_, at) => start + at))
}

describe('what was changed', () => {
  const plain = Buffer.from('Pagar a quantia de mil reais')

  test('in any single byte is refused, and nothing is released', async () => {
    const folder = temporaryFolder()
    for (const [holder, source] of [
      [people['RSA-2048'], plain],
      [people['P-256'], chunks(plain, 10)],
    ] as const) {
      const envelope = await sealed([holder], source)
      const key = keyOf(holder)
      const name = nameIn(envelope, holder)
      for (let at = 0; at < envelope.length; at++) {
        if (name.has(at)) continue
        const changed = Buffer.from(envelope)
        changed[at]! ^= 1 << (at % 8)
        expect(await codeOf(decryptToFile(key, changed, join(folder, 'out')))).toMatch(/^envelope\./)
        expect(readdirSync(folder)).toEqual([])
      }
    }
  })

  test('in any single bit is refused', async () => {
    const holder = people['P-256']
    const envelope = await sealed([holder], plain)
    const key = keyOf(holder)
    const name = nameIn(envelope, holder)
    for (let bit = 0; bit < envelope.length * 8; bit++) {
      if (name.has(bit >> 3)) continue
      const changed = Buffer.from(envelope)
      changed[bit >> 3]! ^= 1 << (bit & 7)
      expect(await codeOf(decryptWith(key, changed))).toMatch(/^envelope\./)
    }
  })

  test('in the ciphertext or the tag is called tampered', async () => {
    const holder = people['RSA-2048']
    const envelope = await sealed([holder], content)
    for (const at of [envelope.length - 1, envelope.length - 16, envelope.length - 1000, envelope.length - 90_000]) {
      const changed = Buffer.from(envelope)
      changed[at]! ^= 0x80
      const folder = temporaryFolder()
      expect(await codeOf(decryptToFile(keyOf(holder), changed, join(folder, 'out')))).toBe('envelope.tampered')
      expect(readdirSync(folder)).toEqual([])
      expect(await codeOf(decryptWith(keyOf(holder), changed))).toBe('envelope.tampered')
    }
  })

  test('in an encrypted key says nothing about its padding', async () => {
    for (const rsaPadding of ['oaep', 'pkcs1v15'] as const) {
      const holder = people['RSA-2048']
      const envelope = await sealed([holder], plain, { rsaPadding })
      const changed = Buffer.from(envelope)
      const encryptedKey = envelope.indexOf(Buffer.of(0x04, 0x82, 0x01, 0x00)) + 4
      changed[encryptedKey + 100]! ^= 1
      expect(await codeOf(decryptWith(keyOf(holder), changed))).toBe('envelope.tampered')
    }
  })

  test('by cutting it off is called truncated', async () => {
    const holder = people['RSA-2048']
    for (const source of [plain, chunks(plain, 10)]) {
      const envelope = await sealed([holder], source)
      for (let length = 0; length < envelope.length; length += 5) {
        const code = await codeOf(decryptWith(keyOf(holder), envelope.subarray(0, length)))
        expect(code).toBe('envelope.truncated')
      }
    }
  })

  test('by adding to it is refused', async () => {
    const holder = people['RSA-2048']
    const longer = Buffer.concat([await sealed([holder], plain), Buffer.of(0)])
    expect(await codeOf(decryptWith(keyOf(holder), longer))).toBe('envelope.malformed')
  })

  test('into anything at all ends in a value or a named refusal', async () => {
    const holder = people['P-256']
    const seeds = await Promise.all([
      sealed([holder], plain),
      sealed([holder, people['RSA-2048']], chunks(plain, 10)),
      sealedByOpenssl(plain, holder, '-aes-256-gcm', '-stream'),
      sealedByOpenssl(plain, holder, '-aes-256-cbc'),
    ])
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...seeds),
        fc.array(fc.tuple(fc.nat(1500), fc.nat(255)), { maxLength: 5 }),
        fc.option(fc.nat(1500)),
        fc.integer({ min: 1, max: 64 }),
        async (seed, changes, cut, size) => {
          const mutated = Buffer.from(seed.subarray(0, cut === null ? seed.length : cut % seed.length))
          for (const [at, byte] of changes) if (mutated.length > 0) mutated[at % mutated.length] = byte
          const options = { allowUnauthenticated: true }
          const code = await codeOf(decryptWith(keyOf(holder), chunks(mutated, size), options))
          expect(code).toMatch(/^(done$|envelope\.)/)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('into another kind of file is no envelope', async () => {
    const holder = people['RSA-2048']
    const signed = await openssl(
      ['cms', '-sign', '-binary', '-outform', 'DER', '-signer', 'certificate.pem', '-inkey', 'key.pem'],
      { input: plain, folder: filesOf(holder) },
    )
    for (const file of [Buffer.from('%PDF-1.7 and so on'), holder.der, signed.stdout]) {
      expect(await codeOf(decryptWith(keyOf(holder), file))).toBe('envelope.not-an-envelope')
    }
  })
})

describe('recipients', () => {
  test('that only sign get a warning, and the envelope', () => {
    const seal = certificateOf(pki.certificate('tsa'))
    const { warnings } = encryptTo([seal, certificateOf(people['P-256'])], content, { now })
    expect(warnings).toEqual([{ code: 'recipient.signature-only', recipient: seal.subject.commonName }])
    expect(recipientWarnings([seal], now)).toEqual(warnings)
  })

  test('whose certificate is not valid are refused, unless asked for', async () => {
    const certificate = certificateOf(people['RSA-2048'])
    const later = new Date(+certificate.notAfter + 1000)
    const encrypt = (options: EncryptOptions) => encryptTo([certificate], content, options)
    expect(() => encrypt({ now: later })).toThrow(expect.objectContaining({ code: 'envelope.recipient-expired' }))
    expect(encrypt({ now: later, allowExpired: true }).warnings.map(({ code }) => code)).toContain('recipient.expired')
    const earlier = new Date(+certificate.notBefore - 1000)
    expect(recipientWarnings([certificate], earlier).map(({ code }) => code)).toContain('recipient.not-yet-valid')
  })

  test('whose key cannot hide another are refused', () => {
    expect(() => encryptTo([certificateOf(ed25519)], content, { now })).toThrow(
      expect.objectContaining({ code: 'envelope.recipient-unusable' }),
    )
    expect(() => encryptTo([], content, { now })).toThrow(expect.objectContaining({ code: 'envelope.no-recipients' }))
  })
})

describe('large content', () => {
  const MEBIBYTE = 1024 * 1024

  test('goes through in constant memory, both ways', async () => {
    const holder = people['P-256']
    const total = 64
    const chunk = randomBytes(MEBIBYTE)
    const expected = createHash('sha256')
    // Counted, not timed: the distance between reader and writer is what has to be kept in memory.
    let [read, taken, most] = [0, 0, 0]
    async function* source() {
      for (; read < total; read++) {
        expected.update(chunk)
        yield chunk
      }
    }
    const folder = temporaryFolder()
    const path = join(folder, 'content')
    const { bytes } = encryptTo([certificateOf(holder)], source(), { now, size: total * MEBIBYTE })
    async function* counted() {
      for await (const piece of bytes) {
        taken += piece.length
        most = Math.max(most, read * MEBIBYTE - taken)
        yield piece
      }
    }
    expect(await decryptToFile(keyOf(holder), counted(), path)).toEqual({ bytes: total * MEBIBYTE })
    expect(most).toBeLessThanOrEqual(MEBIBYTE)
    const actual = createHash('sha256')
    for await (const piece of createReadStream(path)) actual.update(piece)
    expect(actual.digest('hex')).toBe(expected.digest('hex'))
  })

  test('beyond what AES-GCM protects is refused before anything is read', () => {
    const recipients = [certificateOf(people['P-256'])]
    expect(() => encryptTo(recipients, [], { now, size: 2 ** 36 - 31 })).toThrow(
      expect.objectContaining({ code: 'envelope.too-large' }),
    )
  })

  test('that is not as large as announced leaves no file behind', async () => {
    const folder = temporaryFolder()
    const recipients = [certificateOf(people['P-256'])]
    for (const size of [content.length - 1, content.length + 1]) {
      const attempt = encryptToFile(recipients, chunks(content, 1000), join(folder, 'a.enc'), { now, size })
      expect(await codeOf(attempt)).toBe('envelope.size-mismatch')
    }
    expect(readdirSync(folder)).toEqual([])
  })

  test('is not taken into memory beyond the bound', async () => {
    const holder = people['P-256']
    const envelope = await sealed([holder], content)
    const attempt = decryptWith(keyOf(holder), envelope, { maxBytes: 1000 })
    expect(await codeOf(attempt)).toBe('envelope.too-large-for-memory')
  })

  test('in files goes there and back, readable by its owner only', async () => {
    const holder = people['RSA-2048']
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'plain'), content)
    const [enc, out] = [join(folder, 'plain.enc'), join(folder, 'out')]
    const recipients = [certificateOf(holder)]
    const source = createReadStream(join(folder, 'plain'))
    const { bytes } = await encryptToFile(recipients, source, enc, { now, size: content.length })
    expect((await stat(enc)).size).toBe(bytes)
    await decryptToFile(keyOf(holder), createReadStream(enc), out)
    expect(content.equals(await readFile(out))).toBe(true)
    expect((await stat(out)).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder).sort()).toEqual(['out', 'plain', 'plain.enc'])
  })

  test('whose source fails is reported as that failure', async () => {
    const folder = temporaryFolder()
    const missing = createReadStream(join(folder, 'missing'))
    const attempt = decryptToFile(keyOf(people['P-256']), missing, join(folder, 'out'))
    await expect(attempt).rejects.toMatchObject({ code: 'ENOENT' })
    expect(readdirSync(folder)).toEqual([])
  })
})
