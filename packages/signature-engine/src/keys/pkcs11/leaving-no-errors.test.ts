// A module shares OpenSSL's error queue with Node. vitest.config.ts makes SoftHSM2 leave errors whenever it is
// initialised; a damaged key makes it leave some on any machine.
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { connect, createServer, type TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { cachedKeys, createDemoPki } from '@chancela/testkit/demo-pki'
import { newSoftToken, type SoftToken } from '@chancela/testkit/soft-token'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import type { PKCS11, Template } from 'pkcs11js'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { digest } from '../../crypto/digest.ts'
import { signingAlgorithm } from '../../crypto/signing-algorithm.ts'
import { listPkcs11Certificates } from './list-certificates.ts'
import { listPkcs11Tokens, openPkcs11, type Pkcs11Token } from './pkcs11-token.ts'

const PIN = '1234'
const LABEL = 'com chaves danificadas'

let token: SoftToken
let opened: Pkcs11Token | undefined
const good = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }) as string

beforeAll(async () => {
  const pki = await createDemoPki({ baseUrl: 'http://localhost:8087', clock: () => new Date(), keys: cachedKeys() })
  const [whole, curve, modulus] = [
    pki.certificate('ana-souza'),
    await pki.issuePerson({ name: 'Sem Curva', cpf: '52998224725' }, { key: 'P-256' }),
    await pki.issuePerson({ name: 'Sem Modulo', cpf: '52998224725' }),
  ]
  // Only certificates under 02 and 03: their keys are added later.
  token = await newSoftToken({ label: LABEL, pin: PIN, holders: [whole], issuers: [curve, modulus] })
  await putDamagedKeys()
})
afterEach(async () => {
  await opened?.close()
  opened = undefined
})
afterAll(() => token.destroy())

/** Another user of the module, which does not clear the queue. */
async function withModule(use: (cryptoki: PKCS11) => void): Promise<void> {
  const { default: pkcs11js } = (await import('pkcs11js')) as unknown as { default: typeof import('pkcs11js') }
  const cryptoki = new pkcs11js.PKCS11()
  cryptoki.load(token.module)
  cryptoki.C_Initialize()
  use(cryptoki)
  cryptoki.C_Finalize()
}

const putDamagedKeys = () =>
  withModule((cryptoki) => {
    const slot = cryptoki.C_GetSlotList(true).find((each) => cryptoki.C_GetTokenInfo(each).label.trim() === LABEL)!
    const session = cryptoki.C_OpenSession(slot, 4 | 2)
    cryptoki.C_Login(session, 1, PIN)
    for (const key of [keyWithoutCurve, keyWithoutModulus]) cryptoki.C_CreateObject(session, key)
  })

/** CKA_CLASS, _TOKEN, _PRIVATE, _LABEL, _KEY_TYPE, _ID, _SIGN. */
const privateKey = (label: string, kind: number, id: number): Template => [
  { type: 0x000, value: 3 },
  { type: 0x001, value: true },
  { type: 0x002, value: true },
  { type: 0x003, value: label },
  { type: 0x100, value: kind },
  { type: 0x102, value: Buffer.of(id) },
  { type: 0x108, value: true },
]

/** OpenSSL reports an error when a signature begins, which is on the JavaScript thread. */
const keyWithoutCurve = [
  ...privateKey('sem curva', 3, 2),
  { type: 0x180, value: Buffer.from('rubbish') },
  { type: 0x011, value: Buffer.alloc(32, 1) },
]

/** OpenSSL reports an error when it signs, which is on a pool thread. */
const keyWithoutModulus = [
  ...privateKey('sem modulo', 0, 3),
  ...[0x120, 0x122, 0x123, 0x124, 0x125, 0x126, 0x127, 0x128].map((type) => ({ type, value: Buffer.alloc(256) })),
]

/** Tries to sign with a key of the token; returns the code of the refusal. */
async function trySigning(name: string, times = 1): Promise<readonly unknown[]> {
  opened ??= await openPkcs11({ module: token.module, token: LABEL, pin: PIN, sessions: 4 })
  const signer = opened.signer(name)
  const algorithm = signingAlgorithm(signer.certificate.publicKey, 'sha256')
  const toSign = Buffer.from('o que se assina')
  const request = { toSign, digest: digest('sha256', toSign), algorithm }
  const tries = await Promise.allSettled(Array.from({ length: times }, () => signer.sign(request)))
  return tries.map((each) => (each.status === 'rejected' ? each.reason.code : 'signed'))
}

const openKey = (): KeyObject => createPrivateKey(good)

test('what a module leaves in the queue is what Node would throw at the next private key, and once', () => {
  token.leaveErrors()
  expect(openKey).toThrow(expect.objectContaining({ code: expect.stringMatching(/^ERR_OSSL_/) }))
  expect(openKey().asymmetricKeyType).toBe('ed25519')
})

test('a look at tokens and certificates leaves nothing there', async () => {
  await listPkcs11Tokens(token.module)
  expect(openKey().asymmetricKeyType).toBe('ed25519')
  await listPkcs11Certificates(token.module)
  expect(openKey().asymmetricKeyType).toBe('ed25519')
})

test('nor does a signature, be it made or not', async () => {
  expect(await trySigning('sem curva')).toEqual(['pkcs11.failed'])
  expect(openKey().asymmetricKeyType).toBe('ed25519')
  expect(await trySigning('ana-souza')).toEqual(['signed'])
  expect(openKey().asymmetricKeyType).toBe('ed25519')
})

test('nor does the end of it', async () => {
  await trySigning('ana-souza')
  await opened!.close()
  expect(openKey().asymmetricKeyType).toBe('ed25519')
})

test('a TLS connection that is open outlives what the module complains of', async () => {
  const { socket, errors } = await openTlsConnection()
  for (let count = 0; count < 3; count++) {
    await listPkcs11Tokens(token.module)
    expect(await trySigning('sem curva')).toEqual(['pkcs11.failed'])
    socket.write('ping')
    expect(String((await once(socket, 'data'))[0])).toBe('ping')
  }
  expect(errors).toEqual([])
})

/** A connection to an echo server, and the errors at either end. */
async function openTlsConnection() {
  const folder = temporaryFolder()
  const args = 'req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost'.split(' ')
  expect(await openssl([...args, '-addext', 'subjectAltName=DNS:localhost'], { folder })).toMatchObject({ ok: true })
  const [key, cert] = [readFileSync(join(folder, 'key.pem')), readFileSync(join(folder, 'cert.pem'))]
  const errors: Error[] = []
  const watch = (each: TLSSocket): TLSSocket => each.on('error', (error) => void errors.push(error))
  const server = createServer({ key, cert }, (each) => watch(each).pipe(each)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socket = watch(connect({ host: '127.0.0.1', port, ca: cert, servername: 'localhost' }))
  onTestFinished(() => {
    socket.destroy()
    server.close()
  })
  await once(socket, 'secureConnect')
  return { socket, errors }
}

test('what signatures leave on the threads of the pool is no harm to what Node does there', async () => {
  expect(new Set(await trySigning('sem modulo', 16))).toEqual(new Set(['pkcs11.failed']))
  const [content, key] = [Buffer.from('x'), openKey()]
  const signed = await everyThread(() => promisify(sign)(null, content, key))
  const verified = await everyThread(() => promisify(verify)(null, content, createPublicKey(key), signed[0]!))
  expect(new Set(verified)).toEqual(new Set([true]))
  const made = await everyThread(() => promisify(generateKeyPair)('ed25519'))
  expect(new Set(made.map((each) => each.privateKey.type))).toEqual(new Set(['private']))
})

/** More concurrent calls than the pool has threads. */
const everyThread = <T>(work: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 16 }, work))
