import { createPublicKey, type KeyObject } from 'node:crypto'
import { requireArguments } from '../../errors/arguments.ts'
import { EngineError } from '../../errors/engine-error.ts'
import { Certificate } from '../../x509/certificate.ts'
import type { DigestSigner } from '../digest-signer.ts'
import { issuersOf } from '../issuers-of.ts'
import { keySigner } from '../key-signer.ts'
import { samePublicKey } from '../same-public-key.ts'
import { refusePkcs12 } from './errors.ts'
import { openInWorker } from './pkcs12-workers.ts'
import type { Pkcs12Bags, Pkcs12Limits } from './read-pfx.ts'

export interface Pkcs12Options extends Partial<Pkcs12Limits> {
  /** Which key, where the file holds several: its friendly name, its local key id or its certificate's fingerprint. */
  readonly alias?: string
}

/** A key, its certificate and its known issuers. */
export interface Pkcs12Contents {
  readonly certificate: Certificate
  /** The issuers found in the file, nearest first. */
  readonly chain: readonly Certificate[]
  readonly privateKey: KeyObject
  readonly friendlyName: string | null
}

const defaults: Pkcs12Limits = { maxIterations: 5_000_000, maxBytes: 1024 * 1024 }

/** Opens a PKCS#12 file, off the event loop. */
export async function openPkcs12(
  file: Uint8Array,
  password: string,
  options: Pkcs12Options = {},
): Promise<Pkcs12Contents> {
  requireArguments('openPkcs12', { file: [file, 'bytes'], password: [password, 'text'] }, options)
  const { alias, ...limits } = options
  const wanted = { ...defaults, ...limits }
  if (file.length > wanted.maxBytes) {
    throw refusePkcs12('pkcs12.too-large', { bytes: file.length, limit: wanted.maxBytes })
  }
  const task = { file: Uint8Array.from(file), password: ownBytes(password), limits: wanted }
  return chosen(entriesOf(await openInWorker(task)), alias)
}

/** Opens a PKCS#12 file and signs with its key. */
export const pkcs12Signer = async (
  file: Uint8Array,
  password: string,
  options: Pkcs12Options = {},
): Promise<DigestSigner> => keySigner(await openPkcs12(file, password, options))

// `Buffer.from` would put the password into a shared slab, and the whole slab would be sent to the worker.
function ownBytes(password: string): Uint8Array {
  const bytes = Buffer.alloc(Buffer.byteLength(password))
  bytes.write(password)
  return bytes
}

interface Entry extends Pkcs12Contents {
  readonly localKeyId: string | null
}

type KeyBag = Pkcs12Bags['keys'][number]
interface CertificateBag {
  readonly certificate: Certificate
  readonly friendlyName: string | null
  readonly localKeyId: string | null
}

/** Every key with the certificate of its public key. */
function entriesOf({ keys, certificates }: Pkcs12Bags): Entry[] {
  if (keys.length === 0) throw refusePkcs12('pkcs12.no-key')
  const readable = certificates.flatMap(readBag)
  const entries = keys.flatMap((key) => {
    const holder = holderOf(key, readable)
    return holder ? [entryOf(key, holder, readable)] : []
  })
  if (entries.length === 0) throw refusePkcs12('pkcs12.no-certificate')
  return entries
}

/** A bag whose certificate cannot be parsed is skipped: only the holder's and its issuers' matter. */
function readBag({ der, friendlyName, localKeyId }: Pkcs12Bags['certificates'][number]): CertificateBag[] {
  try {
    const certificate = Certificate.read(der)
    void certificate.publicKey
    return [{ certificate, friendlyName, localKeyId }]
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return []
  }
}

/** The key decides, not the order; of certificates over one key, the one tied by id or the later one is taken. */
function holderOf({ privateKey, localKeyId }: KeyBag, bags: readonly CertificateBag[]): CertificateBag | undefined {
  const publicKey = createPublicKey(privateKey)
  const matching = bags.filter(({ certificate }) => samePublicKey(certificate.publicKey, publicKey))
  const tied = localKeyId === null ? undefined : matching.find((bag) => bag.localKeyId === localKeyId)
  return tied ?? matching.toSorted((a, b) => +b.certificate.notAfter - +a.certificate.notAfter)[0]
}

function entryOf(key: KeyBag, holder: CertificateBag, bags: readonly CertificateBag[]): Entry {
  return {
    certificate: holder.certificate,
    chain: issuersOf(
      holder.certificate,
      bags.map(({ certificate }) => certificate),
    ),
    privateKey: key.privateKey,
    friendlyName: key.friendlyName ?? holder.friendlyName,
    localKeyId: key.localKeyId ?? holder.localKeyId,
  }
}

function chosen(entries: readonly Entry[], alias: string | undefined): Pkcs12Contents {
  const named = alias === undefined ? entries : entries.filter((entry) => answersTo(entry, alias))
  if (named.length === 0) throw refusePkcs12('pkcs12.unknown-alias', { alias, aliases: aliasesOf(entries) })
  if (named.length > 1) throw refusePkcs12('pkcs12.ambiguous', { aliases: aliasesOf(named) })
  const { certificate, chain, privateKey, friendlyName } = named[0]!
  return { certificate, chain, privateKey, friendlyName }
}

const answersTo = ({ friendlyName, localKeyId, certificate }: Entry, alias: string): boolean =>
  [friendlyName, localKeyId, certificate.fingerprint].includes(alias)

const aliasesOf = (entries: readonly Entry[]): string[] =>
  entries.map(({ friendlyName, localKeyId, certificate }) => friendlyName ?? localKeyId ?? certificate.fingerprint)
