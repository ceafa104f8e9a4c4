import { randomFillSync } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PKCS11 } from 'pkcs11js'
import type { IssuedCertificate } from '../demo-pki/index.ts'
import { runTool } from '../tools/index.ts'

export interface SoftTokenContents {
  readonly label: string
  readonly pin: string
  /** The holders whose keys and certificates are on it. */
  readonly holders: readonly IssuedCertificate[]
  /** Further certificates. */
  readonly issuers?: readonly IssuedCertificate[]
}

/** A token, in its reader until it is removed. */
export interface SoftToken {
  /** Path of its module. */
  readonly module: string
  pull(): Promise<void>
  putBack(): Promise<void>
  /** Fails inside OpenSSL on this thread, as modules do, and leaves the errors in OpenSSL's queue. */
  leaveErrors(): void
  /** Permanently. */
  destroy(): void
}

const modules = ['/usr/lib/softhsm/libsofthsm2.so', `/usr/lib/${process.arch}-linux-gnu/softhsm/libsofthsm2.so`]

interface Reader {
  readonly folder: string
  readonly tokens: string
}

let reader: Reader | undefined

/** One folder for all tokens of the process: the module reads its settings when it is loaded. */
function readerOfProcess(): Reader {
  if (reader) return reader
  const folder = mkdtempSync(join(tmpdir(), 'chancela-tokens-'))
  const tokens = join(folder, 'tokens')
  mkdirSync(tokens)
  writeFileSync(join(folder, 'softhsm2.conf'), `directories.tokendir = ${tokens}\nlog.level = ERROR\n`)
  process.env.SOFTHSM2_CONF = join(folder, 'softhsm2.conf')
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  reader = { folder, tokens }
  return reader
}

/** Creates a token and inserts it into the reader. */
export async function newSoftToken({ label, pin, holders, issuers = [] }: SoftTokenContents): Promise<SoftToken> {
  const { folder, tokens } = readerOfProcess()
  const module = modules.find((path) => existsSync(path))
  if (module === undefined) throw new Error('SoftHSM2 is not installed.')
  const before = readdirSync(tokens)
  await softhsm('--init-token', '--free', '--label', label, '--so-pin', '87654321', '--pin', pin)
  const name = readdirSync(tokens).find((each) => !before.includes(each))!
  for (const [index, { label: holder, key }] of holders.entries()) {
    const file = join(folder, 'key.pem')
    writeFileSync(file, key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
    await softhsm('--import', file, '--token', label, '--label', holder, '--id', idOf(index), '--pin', pin)
    rmSync(file)
  }
  await storeCertificates(module, { label, pin, certificates: [...holders, ...issuers] })
  await noticeTokenChange(module)
  const [inside, outside] = [join(tokens, name), join(folder, name)]
  const cryptoki = await loaded(module)
  return {
    module,
    leaveErrors: () => leaveErrors(cryptoki),
    pull: async () => {
      renameSync(inside, outside)
      await noticeTokenChange(module)
    },
    putBack: async () => {
      renameSync(outside, inside)
      await noticeTokenChange(module)
    },
    destroy: () => {
      for (const place of [inside, outside]) rmSync(place, { recursive: true, force: true })
    },
  }
}

async function softhsm(...args: string[]): Promise<void> {
  const { ok, text } = await runTool('softhsm2-util', args)
  if (!ok) throw new Error(text)
}

const idOf = (index: number): string => (index + 1).toString(16).padStart(2, '0')

interface Stored {
  readonly label: string
  readonly pin: string
  readonly certificates: readonly IssuedCertificate[]
}

/** softhsm2-util cannot store certificates. */
const storeCertificates = (module: string, { label, pin, certificates }: Stored): Promise<void> =>
  withModule(module, (cryptoki) => {
    const isOurs = initialized(cryptoki)
    const slot = cryptoki.C_GetSlotList(true).find((each) => cryptoki.C_GetTokenInfo(each).label.trim() === label)!
    const session = cryptoki.C_OpenSession(slot, SERIAL_AND_WRITABLE)
    cryptoki.C_Login(session, USER, pin)
    for (const [index, certificate] of certificates.entries())
      cryptoki.C_CreateObject(session, templateOf(certificate, idOf(index)))
    cryptoki.C_CloseSession(session)
    if (isOurs) cryptoki.C_Finalize()
  })

const SERIAL_AND_WRITABLE = 4 | 2
const USER = 1

/** CKA_CLASS, _TOKEN, _PRIVATE, _CERTIFICATE_TYPE, _LABEL, _ID, _SUBJECT, _VALUE. */
const templateOf = ({ label, der }: IssuedCertificate, id: string) => [
  { type: 0x000, value: 1 },
  { type: 0x001, value: true },
  { type: 0x002, value: false },
  { type: 0x080, value: 0 },
  { type: 0x003, value: label },
  { type: 0x102, value: Buffer.from(id, 'hex') },
  { type: 0x101, value: Buffer.from(label) },
  { type: 0x011, value: Buffer.from(der) },
]

/**
 * What a reader's driver does when a card is removed or inserted: all sessions and logins are gone. Each process that
 * uses the token has a driver of its own.
 */
export const noticeTokenChange = (module: string): Promise<void> =>
  withModule(module, (cryptoki) => {
    if (initialized(cryptoki)) {
      // No one else in the process uses it: it rescans at its next use.
      cryptoki.C_Finalize()
      return
    }
    cryptoki.C_Finalize()
    cryptoki.C_Initialize()
  })

/** Whether this call initialized it; another user of the process may have. */
function initialized(cryptoki: PKCS11): boolean {
  try {
    cryptoki.C_Initialize()
    return true
  } catch {
    return false
  }
}

/** An invalid signature under a valid key: OpenSSL queues two errors. */
function leaveErrors(cryptoki: PKCS11): void {
  const isOurs = initialized(cryptoki)
  const session = cryptoki.C_OpenSession(cryptoki.C_GetSlotList(true)[0]!, SERIAL)
  cryptoki.C_VerifyInit(session, { mechanism: RSA_PKCS }, cryptoki.C_CreateObject(session, somePublicKey))
  try {
    cryptoki.C_Verify(session, Buffer.from('x'), Buffer.alloc(256, 1))
  } catch {
    // CKR_SIGNATURE_INVALID is expected.
  }
  cryptoki.C_CloseSession(session)
  if (isOurs) cryptoki.C_Finalize()
}

const SERIAL = 4
const RSA_PKCS = 1

/** CKA_CLASS, _TOKEN, _KEY_TYPE, _VERIFY, _MODULUS, _PUBLIC_EXPONENT; deleted with its session. */
const somePublicKey = [
  { type: 0x000, value: 2 },
  { type: 0x001, value: false },
  { type: 0x100, value: 0 },
  { type: 0x10a, value: true },
  { type: 0x120, value: Buffer.alloc(256, 0xff) },
  { type: 0x122, value: Buffer.of(1, 0, 1) },
]

async function loaded(module: string): Promise<PKCS11> {
  const { default: pkcs11js } = (await import('pkcs11js')) as unknown as { default: typeof import('pkcs11js') }
  const cryptoki = new pkcs11js.PKCS11()
  cryptoki.load(module)
  return cryptoki
}

async function withModule(module: string, use: (cryptoki: PKCS11) => void): Promise<void> {
  try {
    use(await loaded(module))
  } finally {
    // The engine clears OpenSSL's error queue after its own calls of a module; these calls are the test kit's.
    randomFillSync(Buffer.alloc(1))
  }
}
