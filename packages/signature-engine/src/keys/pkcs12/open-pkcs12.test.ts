import { execFileSync } from 'node:child_process'
import { createHmac, generateKeyPairSync, pbkdf2Sync, randomBytes, verify } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type DemoPki,
  type IssuedCertificate,
  type Pkcs12VariantName,
  pkcs12Variants,
} from '@chancela/testkit/demo-pki'
import { pkiOfToday } from '@chancela/testkit/test-files'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { holderWith } from '../../cms/test-support/demo-signers.ts'
import { digest } from '../../crypto/digest.ts'
import { signingAlgorithm } from '../../crypto/signing-algorithm.ts'
import { readDer } from '../../der/der-value.ts'
import { explicit, integer, nothing, octetString, oid, sequence, tlv } from '../../der/der-writer.ts'
import { EngineError } from '../../errors/engine-error.ts'
import { openPkcs12, pkcs12Signer } from './open-pkcs12.ts'
import { readPfx } from './read-pfx.ts'

let pki: DemoPki
beforeAll(async () => {
  pki = (await pkiOfToday()).pki
})

const codeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'opened',
    (error: unknown) => (error instanceof EngineError ? error.code : `escaped: ${error}`),
  )

/** Each is created once: one of them takes seconds. */
const made = new Map<Pkcs12VariantName, Buffer>()

const variantFile = (name: Pkcs12VariantName): { file: Buffer; holder: IssuedCertificate; password: string } => {
  const { holder: label, password } = pkcs12Variants[name].example
  const holder = pki.certificate(label)
  const file = made.get(name) ?? pki.pkcs12(holder, { password, variant: name })
  made.set(name, file)
  return { file: Buffer.from(file), holder, password }
}

/** A file made by openssl from a holder's key and chain. */
async function opensslFile(options: readonly string[], password: string, holder = pki.certificate('ana-souza')) {
  const folder = temporaryFolder()
  const [own, ...issuers] = pki.chainOf(holder)
  const [key, certificate, chain, out] = ['key.pem', 'own.pem', 'chain.pem', 'out.p12'].map((name) =>
    join(folder, name),
  )
  writeFileSync(key!, holder.key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(certificate!, own!.x509.toString())
  writeFileSync(chain!, issuers.map(({ x509 }) => x509.toString()).join(''))
  const { ok, text } = await openssl(
    ['pkcs12', '-export', '-inkey', key!, '-in', certificate!, '-certfile', chain!, '-out', out!].concat(
      ['-passout', 'env:PASSWORD'],
      options,
    ),
    { password },
  )
  if (!ok) throw new Error(text)
  return readFile(out!)
}

describe.each(Object.keys(pkcs12Variants) as Pkcs12VariantName[])('a file of the variant %s', (name) => {
  test('opens to the key, its certificate and the chain in order', async () => {
    const { file, holder, password } = variantFile(name)
    const contents = await openPkcs12(file, password)
    expect(contents.privateKey.equals(holder.key.privateKey)).toBe(true)
    expect([contents.certificate, ...contents.chain].map(({ der }) => der)).toEqual(
      pki.chainOf(holder).map(({ der }) => der),
    )
    expect(contents.friendlyName).toBe(holder.label)
  })

  test('is refused with another password', async () => {
    const { file, password } = variantFile(name)
    expect(await codeOf(openPkcs12(file, `${password}x`))).toBe('pkcs12.wrong-password')
  })
})

describe('a file written by openssl', () => {
  test.each([
    ['as old Windows writes it', ['-legacy']],
    ['with RC2-128', ['-legacy', '-certpbe', 'PBE-SHA1-RC2-128', '-keypbe', 'PBE-SHA1-RC2-128']],
    ['with two-key 3DES', ['-legacy', '-certpbe', 'PBE-SHA1-2DES', '-keypbe', 'PBE-SHA1-2DES']],
    ['with 3DES for both', ['-certpbe', 'PBE-SHA1-3DES', '-keypbe', 'PBE-SHA1-3DES', '-macalg', 'sha1']],
    ['with AES-128', ['-certpbe', 'AES-128-CBC', '-keypbe', 'AES-128-CBC']],
    ['with AES-192 and a SHA-384 MAC', ['-certpbe', 'AES-192-CBC', '-keypbe', 'AES-192-CBC', '-macalg', 'sha384']],
    ['with AES-256 and a SHA-512 MAC', ['-macalg', 'sha512']],
    ['without MAC', ['-nomac']],
    ['with nothing encrypted', ['-certpbe', 'NONE', '-keypbe', 'NONE']],
    ['with one round only', ['-noiter', '-nomaciter']],
  ])('%s opens', async (_how, options) => {
    const holder = pki.certificate('ana-souza')
    const contents = await openPkcs12(await opensslFile(options, 'segredo'), 'segredo')
    expect(contents.privateKey.equals(holder.key.privateKey)).toBe(true)
    expect(contents.certificate.der).toEqual(holder.der)
    expect(contents.chain).toHaveLength(3)
  })

  test.each([
    ['accents and a euro sign, old form', ['-legacy'], 'Coração€Ação'],
    ['accents and a euro sign, new form', [], 'Coração€Ação'],
    ['a character outside the basic plane', ['-legacy'], 'chave🔑'],
    ['no character at all, old form', ['-legacy'], ''],
    ['no character at all, new form', [], ''],
  ])('opens with a password of %s', async (_what, options, password) => {
    const file = await opensslFile(options, password)
    expect((await openPkcs12(file, password)).chain).toHaveLength(3)
    expect(await codeOf(openPkcs12(file, `${password}?`))).toBe('pkcs12.wrong-password')
  })

  test.each(['P-256', 'P-384', 'Ed25519', 'RSA-4096'] as const)('holds a %s key that signs', async (kind) => {
    const holder = await holderWith(pki, kind)
    const signer = await pkcs12Signer(await opensslFile([], 'segredo', holder), 'segredo')
    const algorithm = signingAlgorithm(signer.certificate.publicKey)
    const toSign = Buffer.from('documento')
    const signature = await signer.sign({ toSign, digest: digest(algorithm.digest, toSign), algorithm })
    const hash = kind === 'Ed25519' ? null : algorithm.digest
    expect(verify(hash, toSign, holder.x509.publicKey, signature)).toBe(true)
  })
})

describe('a file in other shapes', () => {
  test('an empty password is found in both of its forms', async () => {
    // openssl writes the zero-terminated form; the MAC over the same safes without any password bytes is the other.
    const file = await opensslFile(['-certpbe', 'NONE', '-keypbe', 'NONE', '-nomac'], '')
    const withoutBytes = withMac(file, (safes) => {
      const salt = randomBytes(8)
      const key = deriveWithoutPassword(salt)
      const mac = createHmac('sha1', key).update(safes).digest()
      return sequence(
        sequence(sequence(oid('1.3.14.3.2.26'), nothing), octetString(mac)),
        octetString(salt),
        integer(1),
      )
    })
    expect((await openPkcs12(withoutBytes, '')).chain).toHaveLength(3)
    expect(await codeOf(openPkcs12(withoutBytes, 'x'))).toBe('pkcs12.wrong-password')
  })

  test('a MAC by PBMAC1 (RFC 9579) confirms the password', async () => {
    const file = withMac(await opensslFile(['-nomac'], 'segredo'), (safes) => pbmac1Over(safes, 'segredo'))
    expect((await openPkcs12(file, 'segredo')).chain).toHaveLength(3)
    expect(await codeOf(openPkcs12(file, 'outra'))).toBe('pkcs12.wrong-password')
  })

  test('indefinite lengths and strings in pieces open', async () => {
    const { file, holder, password } = variantFile('aes-256')
    const contents = await openPkcs12(inPieces(file), password)
    expect(contents.privateKey.equals(holder.key.privateKey)).toBe(true)
  })

  test('of several keys the alias chooses, and without one the aliases are named', async () => {
    const [ana, davi] = [pki.certificate('ana-souza'), pki.certificate('davi-moreira')]
    const both = mergedWithoutMac(
      await opensslFile(['-nomac', '-name', 'ana'], 'segredo', ana),
      await opensslFile(['-nomac', '-name', 'davi'], 'segredo', davi),
    )
    const refusal = await openPkcs12(both, 'segredo').catch((error: EngineError) => error)
    expect(refusal).toMatchObject({ code: 'pkcs12.ambiguous', details: { aliases: ['ana', 'davi'] } })
    const contents = await openPkcs12(both, 'segredo', { alias: 'davi' })
    expect(contents.certificate.der).toEqual(davi.der)
    expect(contents.friendlyName).toBe('davi')
    expect(await codeOf(openPkcs12(both, 'segredo', { alias: 'bia' }))).toBe('pkcs12.unknown-alias')
    const byFingerprint = { alias: contents.certificate.fingerprint }
    expect((await openPkcs12(both, 'segredo', byFingerprint)).certificate.der).toEqual(davi.der)
  })

  test('a key without its certificate, and certificates without a key, are told apart', async () => {
    const folder = temporaryFolder()
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    writeFileSync(join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
    writeFileSync(join(folder, 'own.pem'), pki.certificate('ana-souza').x509.toString())
    const run = (...args: string[]) => openssl(['pkcs12', '-export', '-passout', 'pass:x', ...args], { folder })
    const certificatesOnly = await run('-nokeys', '-in', 'own.pem')
    expect(await codeOf(openPkcs12(certificatesOnly.stdout, 'x'))).toBe('pkcs12.no-key')
    const keyOnly = await run('-nocerts', '-inkey', 'key.pem', '-in', 'key.pem')
    expect(await codeOf(openPkcs12(keyOnly.stdout, 'x'))).toBe('pkcs12.no-certificate')
  })
})

describe('what is wrong is named', () => {
  test('another kind of file is no PKCS#12 file', async () => {
    for (const file of [Buffer.alloc(0), Buffer.from('%PDF-1.7'), pki.certificate('ana-souza').der]) {
      expect(await codeOf(openPkcs12(file, 'x'))).toBe('pkcs12.not-pkcs12')
    }
  })

  test('a file cut off is damaged', async () => {
    const { file, password } = variantFile('aes-256')
    for (const length of [20, 500, file.length - 1]) {
      expect(await codeOf(openPkcs12(file.subarray(0, length), password))).toBe('pkcs12.damaged')
    }
  })

  test('one flipped byte in an encrypted part is damage, not a wrong password', async () => {
    for (const name of ['rc2-40', '3des', 'aes-256'] as const) {
      const { file, password } = variantFile(name)
      const spoilt = Buffer.from(file)
      spoilt[Math.floor(file.length / 2)]! ^= 1
      expect(await codeOf(openPkcs12(spoilt, password))).toBe('pkcs12.damaged')
      expect(await codeOf(openPkcs12(spoilt, 'outra'))).toBe('pkcs12.wrong-password')
    }
  })

  test('a file that asks for more rounds than allowed is refused before they are spent', async () => {
    // For the MAC, the certificates and the key.
    const file = await opensslFile(['-iter', '10000'], 'segredo')
    expect(await codeOf(openPkcs12(file, 'segredo', { maxIterations: 29_999 }))).toBe('pkcs12.too-expensive')
    expect(await codeOf(openPkcs12(file, 'segredo', { maxIterations: 30_000 }))).toBe('opened')
  })

  test('a file larger than allowed is refused', async () => {
    const { file, password } = variantFile('aes-256')
    expect(await codeOf(openPkcs12(file, password, { maxBytes: 1000 }))).toBe('pkcs12.too-large')
  })

  test('an algorithm nobody should use is named', async () => {
    const file = await opensslFile(['-legacy', '-certpbe', 'PBE-SHA1-RC4-128'], 'x')
    const refusal = await openPkcs12(file, 'x').catch((error: EngineError) => error)
    expect(refusal).toMatchObject({
      code: 'pkcs12.unsupported',
      details: { algorithm: 'the password encryption 1.2.840.113549.1.12.1.1' },
    })
  })

  test('no message, detail or stack carries the password', async () => {
    const { file } = variantFile('aes-256')
    const refusal = await openPkcs12(file, 'senha-muito-secreta').catch((error: EngineError) => error)
    const { message, stack, details, cause } = refusal as EngineError
    expect(JSON.stringify({ message, stack, details, cause: String(cause) })).not.toContain('muito-secreta')
  })
})

test('files are opened off the event loop, several at once', async () => {
  const file = await opensslFile(['-iter', '100000'], 'segredo')
  let turns = 0
  const ticking = setInterval(() => turns++, 1)
  const opened = await Promise.all(Array.from({ length: 2 }, () => openPkcs12(file, 'segredo')))
  clearInterval(ticking)
  expect(opened).toHaveLength(2)
  // Half a second of work each: a blocked event loop would have turned only a few times.
  expect(turns).toBeGreaterThan(20)
})

test('the thread does not keep a program alive that has opened a file', () => {
  const folder = temporaryFolder()
  const { file, password } = variantFile('aes-256')
  writeFileSync(join(folder, 'a.p12'), file)
  const program = `import { readFileSync } from 'node:fs'
    const { openPkcs12 } = await import(${JSON.stringify(new URL('./open-pkcs12.ts', import.meta.url).href)})
    const { friendlyName } = await openPkcs12(readFileSync('a.p12'), process.env.PASSWORD)
    console.log(friendlyName)`
  const out = execFileSync(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', program],
    {
      cwd: folder,
      env: { ...process.env, PASSWORD: password },
      timeout: 120_000,
    },
  )
  expect(out.toString().trim()).toBe('ana-souza')
})

test('any mutated file ends in a value or a named refusal', () => {
  const seeds = (['rc2-40', 'aes-256', 'no-mac', 'unencrypted', 'ec-key'] as const).map((name) => variantFile(name))
  const limits = { maxIterations: 20_000, maxBytes: 1 << 20 }
  fc.assert(
    fc.property(
      fc.constantFrom(...seeds),
      fc.array(fc.tuple(fc.nat(4000), fc.nat(255)), { minLength: 1, maxLength: 4 }),
      fc.option(fc.nat(4000)),
      ({ file, password }, changes, cut) => {
        const mutated = Buffer.from(file.subarray(0, cut === null ? file.length : cut % file.length))
        for (const [at, byte] of changes) if (mutated.length > 0) mutated[at % mutated.length] = byte
        try {
          readPfx(mutated, Buffer.from(password), limits)
        } catch (error) {
          if (!(error instanceof EngineError && error.code.startsWith('pkcs12.'))) throw error
        }
      },
    ),
    { numRuns: 400 },
  )
})

// --- files that openssl does not write ---

/** The same safes under another MAC. */
function withMac(file: Uint8Array, macOver: (safes: Buffer) => Buffer): Buffer {
  const [version, authSafe] = readDer(file).sequence().rest()
  const safes = authSafe!.members()[1]!.unwrap().octets()
  return sequence(version!.raw, authSafe!.raw, macOver(safes))
}

function mergedWithoutMac(...files: Uint8Array[]): Buffer {
  const infos = files.flatMap((file) => {
    const authSafe = readDer(file).members()[1]!
    return readDer(authSafe.members()[1]!.unwrap().octets())
      .members()
      .map(({ raw }) => raw)
  })
  const data = sequence(oid('1.2.840.113549.1.7.1'), explicit(0, octetString(sequence(...infos))))
  return sequence(integer(3), data)
}

function pbmac1Over(safes: Buffer, password: string): Buffer {
  const salt = randomBytes(16)
  const hmac = sequence(oid('1.2.840.113549.2.9'), nothing)
  const parameters = sequence(octetString(salt), integer(2048), integer(32), hmac)
  const kdf = sequence(oid('1.2.840.113549.1.5.12'), parameters)
  const algorithm = sequence(oid('1.2.840.113549.1.5.14'), sequence(kdf, hmac))
  const mac = createHmac('sha256', pbkdf2Sync(password, salt, 2048, 32, 'sha256'))
    .update(safes)
    .digest()
  return sequence(sequence(algorithm, octetString(mac)), octetString(Buffer.from('NOT USED')), integer(1))
}

/** RFC 7292 appendix B.2 with one round and no password bytes: the input is the salt alone. */
function deriveWithoutPassword(salt: Buffer): Buffer {
  return digest('sha1', Buffer.concat([Buffer.alloc(64, 3), Buffer.alloc(64, salt)]))
}

/** Every constructed value with an indefinite length, every OCTET STRING that holds more than 100 bytes in pieces. */
function inPieces(file: Uint8Array): Buffer {
  const endless = (tag: number, ...content: Uint8Array[]) =>
    Buffer.concat([Buffer.of(tag, 0x80), ...content, Buffer.alloc(2)])
  const rewritten = (value: ReturnType<typeof readDer>): Buffer => {
    if (value.tag & 0x20) return endless(value.tag, ...value.members().map(rewritten))
    if (![0x04, 0x80].includes(value.tag) || value.length < 100) return value.raw
    const half = Math.floor(value.length / 2)
    return endless(value.tag | 0x20, tlv(4, value.content.subarray(0, half)), tlv(4, value.content.subarray(half)))
  }
  return rewritten(readDer(file))
}
