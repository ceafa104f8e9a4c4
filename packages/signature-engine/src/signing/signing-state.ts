import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { type SignatureAlgorithm, signatureAlgorithmByName } from '../crypto/algorithms.ts'
import { digest, fingerprint } from '../crypto/digest.ts'
import { isSignedBy } from '../crypto/verify-signature.ts'
import { requireArguments } from '../errors/arguments.ts'
import { Certificate } from '../x509/certificate.ts'
import { refuseSigning } from './errors.ts'

/** Plain values a format keeps between prepare and complete. */
export type StateData =
  | null
  | boolean
  | number
  | string
  | Uint8Array
  | readonly StateData[]
  | { readonly [name: string]: StateData }

export type StateFormat = 'cades' | 'xades' | 'pades' | 'asic' | 'jades'

/** The state between `prepare` and `complete`. In memory it is just this; to leave the process it is sealed. */
export interface SigningState<Data = { readonly [name: string]: StateData }> {
  readonly format: StateFormat
  readonly certificate: Certificate
  readonly algorithm: SignatureAlgorithm
  /** The exact bytes the key signs. */
  readonly toSign: Uint8Array
  /** The document being signed; null where completing does not need it (detached signatures). */
  readonly document: Uint8Array | null
  readonly data: Data
}

/** The result of every `prepare`: what the key needs, and the state that `complete` takes. */
export interface Prepared<Data = { readonly [name: string]: StateData }> {
  readonly toSign: Uint8Array
  /** Digest of `toSign` by `algorithm.digest`. */
  readonly digest: Uint8Array
  readonly algorithm: SignatureAlgorithm
  readonly state: SigningState<Data>
}

/** Makes the result of a `prepare` from its state. */
export const prepared = <Data>(state: SigningState<Data>): Prepared<Data> => ({
  toSign: state.toSign,
  digest: digest(state.algorithm.digest, state.toSign),
  algorithm: state.algorithm,
  state,
})

/** Throws unless the certificate's key made the signature. */
export function requireSignature(
  { certificate, algorithm, toSign }: SigningState<unknown>,
  signature: Uint8Array,
): void {
  if (!isSignedBy(certificate.publicKey, algorithm, toSign, signature)) throw refuseSigning('signing.wrong-signature')
}

/** The state; refused if it is of another format. */
export function requireFormat<Data>(state: SigningState<unknown>, expected: StateFormat): SigningState<Data> {
  if (state.format !== expected) throw refuseSigning('signing.state-format', { format: state.format, expected })
  return state as SigningState<Data>
}

export interface SealOptions {
  /** Whether the document is inside; else only its digest, and `openState` needs the document. Default inside. */
  readonly document?: 'inside' | 'outside'
}

const MAGIC = Buffer.from('CHANCELA-STATE-1')
const MAC_BYTES = 32

/** The state as bytes that another instance can open, and nobody without the secret (≥ 32 bytes) can change. */
export function sealState(state: SigningState<unknown>, secret: Uint8Array, options: SealOptions = {}): Buffer {
  requireArguments('sealState', { state: [state, 'state'], secret: [secret, 'bytes'] }, options)
  const { document = 'inside' } = options
  const parts: Uint8Array[] = []
  const keep = (bytes: Uint8Array) => parts.push(bytes) - 1
  const header = {
    format: state.format,
    algorithm: state.algorithm.name,
    certificate: keep(state.certificate.der),
    toSign: keep(state.toSign),
    document: state.document && document === 'inside' ? keep(state.document) : null,
    outside: state.document && document === 'outside' ? fingerprint(state.document) : null,
    data: flatten(state.data as StateData, keep),
    lengths: [] as number[],
  }
  header.lengths = parts.map(({ length }) => length)
  const json = Buffer.from(JSON.stringify(header))
  const size = Buffer.alloc(4)
  size.writeUInt32BE(json.length)
  const body = Buffer.concat([MAGIC, size, json, ...parts])
  return Buffer.concat([body, mac(body, secret)])
}

/** Opens what `sealState` sealed; a state sealed without its document needs it again. */
export function openState(
  sealed: Uint8Array,
  secret: Uint8Array,
  document?: Uint8Array,
): SigningState<{ readonly [name: string]: StateData }> {
  requireArguments('openState', { sealed: [sealed, 'bytes'], secret: [secret, 'bytes'] })
  const { header, parts } = readSealed(checked(Buffer.from(sealed), secret))
  return {
    format: header.format,
    algorithm: signatureAlgorithmByName(header.algorithm),
    certificate: Certificate.read(parts[header.certificate]!),
    toSign: parts[header.toSign]!,
    document: header.document === null ? documentOutside(header.outside, document) : parts[header.document]!,
    data: unflatten(header.data, parts) as { readonly [name: string]: StateData },
  }
}

interface SealedHeader {
  readonly format: StateFormat
  readonly algorithm: string
  readonly certificate: number
  readonly toSign: number
  readonly document: number | null
  readonly outside: string | null
  readonly data: unknown
  readonly lengths: readonly number[]
}

// Only bytes with a valid seal are parsed, so the parser below only sees what was written here.
function checked(sealed: Buffer, secret: Uint8Array): Buffer {
  const end = sealed.length - MAC_BYTES
  if (end < MAGIC.length + 4 || !sealed.subarray(0, MAGIC.length).equals(MAGIC))
    throw refuseSigning('signing.state-unknown')
  const body = sealed.subarray(0, end)
  if (!timingSafeEqual(mac(body, secret), sealed.subarray(end))) throw refuseSigning('signing.state-tampered')
  return body
}

function readSealed(body: Buffer): { header: SealedHeader; parts: Buffer[] } {
  const start = MAGIC.length + 4
  const jsonEnd = start + body.readUInt32BE(MAGIC.length)
  const header = JSON.parse(body.toString('utf8', start, jsonEnd)) as SealedHeader
  const parts: Buffer[] = []
  let at = jsonEnd
  for (const length of header.lengths) {
    parts.push(body.subarray(at, at + length))
    at += length
  }
  return { header, parts }
}

function documentOutside(expected: string | null, document: Uint8Array | undefined): Uint8Array | null {
  if (expected === null) return null
  if (!document) throw refuseSigning('signing.document-missing')
  if (fingerprint(document) !== expected) throw refuseSigning('signing.document-changed')
  return document
}

function mac(body: Buffer, secret: Uint8Array): Buffer {
  if (secret.length < 32) throw refuseSigning('signing.secret-too-short')
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'chancela signing state', 32))
  return createHmac('sha256', key).update(body).digest()
}

const BYTES = '$bytes'

/** Bytes leave the JSON and become parts; everything else stays as it is. */
function flatten(value: StateData, keep: (bytes: Uint8Array) => number): unknown {
  if (value instanceof Uint8Array) return { [BYTES]: keep(value) }
  if (Array.isArray(value)) return value.map((member) => flatten(member, keep))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, flatten(member, keep)]))
}

function unflatten(value: unknown, parts: readonly Buffer[]): StateData {
  if (Array.isArray(value)) return value.map((member) => unflatten(member, parts))
  if (value === null || typeof value !== 'object') return value as StateData
  if (BYTES in value) return parts[value[BYTES] as number]!
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unflatten(member, parts)]))
}
