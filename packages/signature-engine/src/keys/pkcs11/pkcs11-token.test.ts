import type { KeyObject } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cachedKeys, createDemoPki, type DemoPki, type IssuedCertificate } from '@chancela/testkit/demo-pki'
import { openssl, runTool } from '@chancela/testkit/tools'
import type { PKCS11, Template } from 'pkcs11js'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { signatureAlgorithms } from '../../crypto/algorithms.ts'
import { digest } from '../../crypto/digest.ts'
import { ecdsaToDer } from '../../crypto/ecdsa-encoding.ts'
import { type SigningDigest, signingAlgorithm } from '../../crypto/signing-algorithm.ts'
import { isSignedBy } from '../../crypto/verify-signature.ts'
import { readDer } from '../../der/der-value.ts'
import { nothing, oid, sequence } from '../../der/der-writer.ts'
import { toPem } from '../../der/pem.ts'
import { EngineError } from '../../errors/engine-error.ts'
import type { DigestSigner } from '../digest-signer.ts'
import { isDigestSignedBy } from '../known-digest/is-digest-signed-by.ts'
import { listPkcs11Certificates } from './list-certificates.ts'
import { listPkcs11Tokens, openPkcs11, type Pkcs11Options, type Pkcs11Token } from './pkcs11-token.ts'
import { signDigestOnToken } from './sign-digest-on-token.ts'

const MODULE = ['/usr/lib/softhsm/libsofthsm2.so', `/usr/lib/${process.arch}-linux-gnu/softhsm/libsofthsm2.so`].find(
  (path) => existsSync(path),
)!
const PIN = '1234'
const TOKEN = 'cofre'

let folder: string
let pki: DemoPki
let people: Record<'ana' | 'bia' | 'caio' | 'edu' | 'gil' | 'iara' | 'joao' | 'lia', IssuedCertificate>
let cautious: IssuedCertificate
const opened: Pkcs11Token[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chancela-softhsm-'))
  mkdirSync(join(folder, 'tokens'))
  writeFileSync(join(folder, 'softhsm2.conf'), `directories.tokendir = ${join(folder, 'tokens')}\nlog.level = ERROR\n`)
  // The module reads it when it is loaded.
  process.env.SOFTHSM2_CONF = join(folder, 'softhsm2.conf')
  pki = await createDemoPki({ baseUrl: 'http://localhost:8087', clock: () => new Date(), keys: cachedKeys() })
  people = {
    ana: pki.certificate('ana-souza'),
    bia: await pki.issuePerson({ name: 'Bia no Cartao', cpf: '52998224725' }, { key: 'P-256' }),
    caio: await pki.issuePerson({ name: 'Caio no Cartao', cpf: '52998224725' }, { key: 'P-384' }),
    edu: await pki.issuePerson({ name: 'Edu no Cartao', cpf: '52998224725' }, { key: 'RSA-4096' }),
    gil: await pki.issuePerson({ name: 'Gil no Cartao', cpf: '52998224725' }, { key: 'Ed25519' }),
    iara: await pki.issuePerson({ name: 'Iara no Cartao', cpf: '52998224725' }, { key: 'RSA-PSS' }),
    joao: await pki.issuePerson({ name: 'Joao no Cartao', cpf: '52998224725' }, { key: 'P-521' }),
    lia: await pki.issuePerson({ name: 'Lia no Cartao', cpf: '52998224725' }, { key: 'RSA-PSS-SHA384' }),
  }
  cautious = await pki.issuePerson({ name: 'Hugo no Cartao', cpf: '52998224725' })
  await initToken(TOKEN)
  await importKeys()
  await storeCertificates()
})
afterEach(async () => {
  for (const token of opened.splice(0)) await token.close()
})
afterAll(() => rm(folder, { recursive: true }))

async function softhsm(...args: string[]): Promise<void> {
  const { ok, text } = await runTool('softhsm2-util', args)
  if (!ok) throw new Error(text)
}

const initToken = (label: string): Promise<void> =>
  softhsm('--init-token', '--free', '--label', label, '--so-pin', '87654321', '--pin', PIN)

async function importKeys(): Promise<void> {
  for (const [index, [name, { key }]] of Object.entries(people).entries()) {
    const file = join(folder, `${name}.pem`)
    writeFileSync(file, forToken(key.privateKey))
    await softhsm('--import', file, '--token', TOKEN, '--label', name, '--id', `0${index + 1}`, '--pin', PIN)
  }
}

/** PKCS#8. A token's RSA key has no padding of its own: only its certificate says that it is for PSS. */
function forToken(key: KeyObject): string {
  if (key.asymmetricKeyType !== 'rsa-pss') return key.export({ type: 'pkcs8', format: 'pem' }) as string
  const [version, , secret] = readDer(key.export({ format: 'der', type: 'pkcs8' })).members()
  return toPem('PRIVATE KEY', sequence(version!.raw, sequence(oid('1.2.840.113549.1.1.1'), nothing), secret!.raw))
}

/** Another user of the module in this process, such as a reader's monitor or an attacker. */
async function withModule<T>(use: (cryptoki: PKCS11) => T): Promise<T> {
  const { default: pkcs11js } = (await import('pkcs11js')) as unknown as { default: typeof import('pkcs11js') }
  const cryptoki = new pkcs11js.PKCS11()
  cryptoki.load(MODULE)
  return use(cryptoki)
}

const slotOf = (cryptoki: PKCS11): Buffer =>
  cryptoki.C_GetSlotList(true).find((slot) => cryptoki.C_GetTokenInfo(slot).label.trim() === TOKEN)!

/** The holders' certificates under the ids of their keys, and the issuers' in addition. */
const storeCertificates = (): Promise<void> =>
  withModule((cryptoki) => {
    cryptoki.C_Initialize()
    const session = cryptoki.C_OpenSession(slotOf(cryptoki), 4 | 2)
    cryptoki.C_Login(session, 1, PIN)
    const issuers = pki.chainOf(people.ana).slice(1)
    const all = [...Object.values(people), cautious, ...issuers]
    cryptoki.C_CreateObject(session, cautiousKey(Object.keys(people).length + 1))
    for (const [index, { der, label }] of all.entries()) {
      cryptoki.C_CreateObject(session, [
        { type: 0x000, value: 1 },
        { type: 0x001, value: true },
        { type: 0x080, value: 0 },
        { type: 0x003, value: label },
        { type: 0x102, value: Buffer.of(index + 1) },
        { type: 0x101, value: Buffer.from(label) },
        { type: 0x011, value: der },
      ])
    }
    cryptoki.C_Finalize()
    cryptoki.close()
  })

/** A key that requires the PIN for every signature; softhsm2-util cannot create one. */
function cautiousKey(id: number): Template {
  const jwk = cautious.key.privateKey.export({ format: 'jwk' }) as Record<string, string>
  const parts = ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'].map((name) => Buffer.from(jwk[name]!, 'base64url'))
  return [
    { type: 0x000, value: 3 },
    { type: 0x001, value: true },
    { type: 0x002, value: true },
    { type: 0x003, value: 'hugo' },
    { type: 0x100, value: 0 },
    { type: 0x102, value: Buffer.of(id) },
    { type: 0x108, value: true },
    { type: 0x202, value: true },
    ...parts.map((value, index) => ({ type: [0x120, 0x122, 0x123, 0x124, 0x125, 0x126, 0x127, 0x128][index]!, value })),
  ]
}

async function open(options: Partial<Pkcs11Options> = {}): Promise<Pkcs11Token> {
  const token = await openPkcs11({ module: MODULE, token: TOKEN, pin: PIN, ...options })
  opened.push(token)
  return token
}

const codeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'done',
    (error: unknown) => (error instanceof EngineError ? error.code : `escaped: ${error}`),
  )

const toSign = Buffer.from('o que se assina')

async function signOnce(signer: DigestSigner, hash?: SigningDigest): Promise<Uint8Array> {
  const algorithm = signingAlgorithm(signer.certificate.publicKey, hash)
  const signature = await signer.sign({ toSign, digest: digest(algorithm.digest, toSign), algorithm })
  expect(isSignedBy(signer.certificate.publicKey, algorithm, toSign, signature)).toBe(true)
  return signature
}

const flagsOf = async () => (await listPkcs11Tokens(MODULE)).find(({ label }) => label === TOKEN)!

describe('a token', () => {
  test('is listed without a PIN', async () => {
    expect(await flagsOf()).toMatchObject({ label: TOKEN, loginRequired: true, pinLocked: false, pinFinalTry: false })
  })

  test('shows its keys with certificate and chain', async () => {
    const keys = (await open()).keys()
    expect(keys.map(({ label, id }) => `${label} ${id}`).sort()).toEqual([
      'ana 01',
      'bia 02',
      'caio 03',
      'edu 04',
      'gil 05',
      'hugo 09',
      'iara 06',
      'joao 07',
      'lia 08',
    ])
    const ana = keys.find(({ label }) => label === 'ana')!
    expect([ana.certificate, ...ana.chain].map(({ der }) => der)).toEqual(pki.chainOf(people.ana).map(({ der }) => der))
  })

  test.each([
    ['iara', 'sha256', '32', 'RSA-PSS-SHA256'],
    ['iara', 'sha512', '64', 'RSA-PSS-SHA512'],
    ['lia', 'sha384', '48', 'RSA-PSS-SHA384'],
  ] as const)(
    'makes PSS signatures with the key of %s and %s, and openssl agrees',
    async (name, hash, salt, expected) => {
      const signer = (await open()).signer(name)
      expect(signingAlgorithm(signer.certificate.publicKey, hash).name).toBe(expected)
      writeFileSync(join(folder, 'signature'), await signOnce(signer, hash))
      writeFileSync(join(folder, 'public.pem'), signer.certificate.publicKey.export({ type: 'spki', format: 'pem' }))
      const options = ['rsa_padding_mode:pss', `rsa_pss_saltlen:${salt}`].flatMap((option) => ['-sigopt', option])
      const args = ['dgst', `-${hash}`, ...options, '-verify', 'public.pem', '-signature', 'signature']
      expect((await openssl(args, { input: toSign, folder })).text).toContain('Verified OK')
    },
  )

  test.each(['ana', 'bia', 'caio', 'edu', 'joao'] as const)(
    'signs with the key of %s, and openssl agrees',
    async (name) => {
      const signer = (await open()).signer(name)
      for (const hash of ['sha256', 'sha384', 'sha512'] as const) {
        const signature = ecdsaToDer(signer.certificate.publicKey, await signOnce(signer, hash))
        writeFileSync(join(folder, 'signature'), signature)
        writeFileSync(join(folder, 'public.pem'), signer.certificate.publicKey.export({ type: 'spki', format: 'pem' }))
        const args = ['dgst', `-${hash}`, '-verify', 'public.pem', '-signature', 'signature']
        expect((await openssl(args, { input: toSign, folder })).text).toContain('Verified OK')
      }
    },
  )

  test('signs with an Ed25519 key', async () => {
    expect(await signOnce((await open()).signer('gil'))).toHaveLength(64)
  })

  test('is given the PIN again for a key that wants it for every signature', async () => {
    const signer = (await open()).signer('hugo')
    for (let count = 0; count < 3; count++) await signOnce(signer)
    expect((await flagsOf()).pinCountLow).toBe(false)
  })

  test('signs many at once over few sessions', async () => {
    const signer = (await open({ sessions: 3 })).signer('bia')
    const signatures = await Promise.all(Array.from({ length: 50 }, () => signOnce(signer)))
    expect(new Set(signatures.map((signature) => Buffer.from(signature).toString('hex'))).size).toBe(50)
  })

  test('refuses an algorithm of another kind of key', async () => {
    const signer = (await open()).signer('bia')
    const algorithm = signatureAlgorithms['RSA-SHA256']
    const request = { toSign, digest: digest('sha256', toSign), algorithm }
    expect(await codeOf(signer.sign(request))).toBe('algorithm.unfit')
  })

  test('goes on signing after one request failed', async () => {
    const signer = (await open({ sessions: 1 })).signer('ana')
    const algorithm = signatureAlgorithms['RSA-SHA256']
    const oversized = { toSign, digest: Buffer.alloc(400), algorithm }
    expect(await codeOf(signer.sign(oversized))).toBe('pkcs11.failed')
    await signOnce(signer)
  })

  test('names its keys when the choice is not clear', async () => {
    const token = await open()
    expect(() => token.signer()).toThrow(expect.objectContaining({ code: 'pkcs11.ambiguous-key' }))
    expect(() => token.signer('zoe')).toThrow(expect.objectContaining({ code: 'pkcs11.unknown-key' }))
    const { fingerprint } = token.signer('caio').certificate
    expect(token.signer(fingerprint).certificate.der).toEqual(people.caio.der)
  })

  test('is refused a second time in the same process, whatever the PIN', async () => {
    await open()
    expect(await codeOf(open({ pin: 'any' }))).toBe('pkcs11.already-open')
  })

  test('signs no more after it was closed, and finishes what was under way', async () => {
    const token = await open({ sessions: 1 })
    const signer = token.signer('ana')
    const underWay = signOnce(signer)
    const waiting = codeOf(signOnce(signer))
    await token.close()
    expect((await underWay).length).toBe(256)
    expect(await waiting).toBe('pkcs11.closed')
    expect(await codeOf(signOnce(signer))).toBe('pkcs11.closed')
  })
})

describe('certificates', () => {
  const shown = async () => (await listPkcs11Certificates(MODULE)).find(({ info }) => info.label === TOKEN)!

  test('are listed without a PIN, each with its issuers, whoever is logged in', async () => {
    const ofAna = (certificates: Awaited<ReturnType<typeof shown>>['certificates']) =>
      certificates.find(({ certificate }) => certificate.der.equals(people.ana.der))!
    const before = await shown()
    expect(before.info.loginRequired).toBe(true)
    expect(before.certificates).toHaveLength(12)
    const ana = ofAna(before.certificates)
    expect([ana.id, ana.label]).toEqual(['01', people.ana.label])
    expect([ana.certificate, ...ana.chain].map(({ der }) => der)).toEqual(pki.chainOf(people.ana).map(({ der }) => der))
    const signer = (await open()).signer('ana')
    expect(ofAna((await shown()).certificates).chain).toHaveLength(ana.chain.length)
    // The other login is still there: a listing that ended it would cost another try of the PIN.
    await withModule((cryptoki) => {
      const session = cryptoki.C_OpenSession(slotOf(cryptoki), 4)
      expect(cryptoki.C_GetSessionInfo(session).state).toBe(1) // CKS_RO_USER_FUNCTIONS
      cryptoki.C_CloseSession(session)
    })
    await signOnce(signer)
  })

  test('that are listed never log anybody in', async () => {
    await shown()
    expect((await flagsOf()).pinCountLow).toBe(false)
    const token = await open({ pin: PIN }) // would be refused as open already if somebody were logged in
    expect(token.info.label).toBe(TOKEN)
  })
})

describe('a digest whose bytes are elsewhere', () => {
  test.each(['ana', 'bia', 'caio'] as const)('is signed with the key of %s', async (name) => {
    const token = await open()
    for (const hash of ['sha256', 'sha384', 'sha512'] as const) {
      const known = digest(hash, toSign)
      const signature = await signDigestOnToken(token, name, hash, known)
      expect(isDigestSignedBy(token.signer(name).certificate, hash, known, signature)).toBe(true)
    }
  })

  test('is refused by an Ed25519 key, and when its length is not that of its algorithm', async () => {
    const token = await open()
    expect(await codeOf(signDigestOnToken(token, 'gil', 'sha512', digest('sha512', toSign)))).toBe(
      'key.digest-unsupported',
    )
    expect(await codeOf(signDigestOnToken(token, 'ana', 'sha512', digest('sha256', toSign)))).toBe('key.wrong-digest')
  })
})

describe('the PIN', () => {
  test('when wrong is tried once, and told', async () => {
    expect(await codeOf(open({ pin: '9999' }))).toBe('pkcs11.wrong-pin')
    expect((await flagsOf()).pinCountLow).toBe(true)
    await open()
    expect((await flagsOf()).pinCountLow).toBe(false)
  })

  test('is asked for where it is needed', async () => {
    expect(await codeOf(openPkcs11({ module: MODULE, token: TOKEN }))).toBe('pkcs11.pin-needed')
    expect((await flagsOf()).pinCountLow).toBe(false)
  })
})

describe('a token that goes away', () => {
  const tokens = () => join(folder, 'tokens')
  const away = () => join(folder, 'away')
  /** What a reader's driver does when the card is removed or inserted: every session and login is gone. */
  const reinsert = () =>
    withModule((cryptoki) => {
      cryptoki.C_Finalize()
      cryptoki.C_Initialize()
    })

  test('and whose sessions only were lost is logged in to again', async () => {
    const signer = (await open()).signer('ana')
    await signOnce(signer)
    await withModule((cryptoki) => cryptoki.C_CloseAllSessions(slotOf(cryptoki)))
    await signOnce(signer)
  })

  test('is missed by name, and signs again when it is back', async () => {
    const signer = (await open()).signer('bia')
    await signOnce(signer)
    renameSync(tokens(), away())
    mkdirSync(tokens())
    await reinsert()
    expect(await codeOf(signOnce(signer))).toBe('pkcs11.token-absent')
    expect(await codeOf(signOnce(signer))).toBe('pkcs11.token-absent')
    await rm(tokens(), { recursive: true })
    renameSync(away(), tokens())
    await reinsert()
    await Promise.all(Array.from({ length: 5 }, () => signOnce(signer)))
    expect((await flagsOf()).pinCountLow).toBe(false)
  })

  test('never has its PIN tried on another token in its place', async () => {
    const signer = (await open()).signer('bia')
    renameSync(tokens(), away())
    mkdirSync(tokens())
    await softhsm('--init-token', '--free', '--label', TOKEN, '--so-pin', '87654321', '--pin', '555555')
    await reinsert()
    expect(await codeOf(signOnce(signer))).toBe('pkcs11.token-absent')
    expect((await flagsOf()).pinCountLow).toBe(false)
    await rm(tokens(), { recursive: true })
    renameSync(away(), tokens())
    await reinsert()
    await signOnce(signer)
  })

  test('without a word of its driver is missed by name, and signs again when it is back', async () => {
    const token = await open()
    const signer = token.signer('ana')
    await signOnce(signer)
    renameSync(tokens(), away())
    const tries = await Promise.all(Array.from({ length: 4 }, () => codeOf(signOnce(signer))))
    expect(new Set([...tries, await codeOf(signOnce(signer))])).toEqual(new Set(['pkcs11.failed']))
    expect(() => token.keys()).toThrow(expect.objectContaining({ code: 'pkcs11.failed' }))
    expect(await codeOf(open({ token: 'outro' }))).toBe('pkcs11.failed')
    mkdirSync(tokens())
    expect(await codeOf(signOnce(signer))).toBe('pkcs11.token-absent')
    await rm(tokens(), { recursive: true })
    renameSync(away(), tokens())
    await Promise.all(Array.from({ length: 5 }, () => signOnce(signer)))
    expect((await flagsOf()).pinCountLow).toBe(false)
  })

  test('and comes back with another PIN is tried once and never again', async () => {
    const signer = (await open()).signer('bia')
    await changePin(PIN, '4321')
    await reinsert()
    expect(await codeOf(signOnce(signer))).toBe('pkcs11.wrong-pin')
    expect((await flagsOf()).pinCountLow).toBe(true)
    await changePin('4321', PIN)
    // The PIN would be right again, but it was refused once: only a person may decide to try it again.
    expect(await codeOf(signOnce(signer))).toBe('pkcs11.wrong-pin')
  })

  const changePin = (from: string, to: string) =>
    withModule((cryptoki) => {
      cryptoki.C_CloseAllSessions(slotOf(cryptoki))
      const session = cryptoki.C_OpenSession(slotOf(cryptoki), 4 | 2)
      cryptoki.C_Login(session, 1, from)
      cryptoki.C_SetPIN(session, from, to)
      cryptoki.C_CloseSession(session)
    })
})

describe('what is wrong is named', () => {
  test('a module that is no module', async () => {
    expect(await codeOf(listPkcs11Tokens('/no/such/module.so'))).toBe('pkcs11.module-unusable')
    expect(await codeOf(listPkcs11Tokens(process.execPath))).toBe('pkcs11.module-unusable')
  })

  test('a token that is not there', async () => {
    expect(await codeOf(open({ token: 'outro' }))).toBe('pkcs11.token-absent')
  })

  test('several tokens and no choice', async () => {
    await initToken('segundo')
    expect(await codeOf(openPkcs11({ module: MODULE, pin: PIN }))).toBe('pkcs11.ambiguous-token')
    const empty = await openPkcs11({ module: MODULE, token: 'segundo', pin: PIN })
    opened.push(empty)
    expect(() => empty.signer()).toThrow(expect.objectContaining({ code: 'pkcs11.no-key' }))
  })
})
