import { malformed } from './errors.ts'
import { isObject, type JsonObject, strictJson } from './strict-json.ts'

export type JwsSerialization = 'compact' | 'flattened' | 'general'

/** A JWS (RFC 7515) as it was written; nothing is judged. */
export interface Jws {
  readonly serialization: JwsSerialization
  /** As it stands there, base64url or plain; undefined where the content is elsewhere. */
  readonly payload: string | undefined
  readonly signatures: readonly JwsSignature[]
}

export interface JwsSignature {
  /** The protected header as it is signed: base64url. */
  readonly protectedText: string
  readonly header: JsonObject
  readonly unprotected: JsonObject
  readonly signatureText: string
  readonly signature: Buffer
}

const JSON_OBJECT = /^(\xef\xbb\xbf)?\s*\{\s*"/
/** The header of a compact JWS begins with `{"` in base64url. */
const COMPACT = /^\s*ey[\w-]+(\.|$)/

/** Whether a file that begins so (its bytes as Latin-1) can only be a JWS, or other JSON. */
export const startsLikeJws = (start: string): boolean => JSON_OBJECT.test(start) || COMPACT.test(start)

const MAX_SIGNATURES = 256
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads a JWS in any serialization. */
export function readJws(bytes: Uint8Array): Jws {
  const text = decoded(bytes).trim()
  return text.startsWith('{') ? fromJson(text) : fromCompact(text)
}

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch (error) {
    throw malformed('it is not in UTF-8', error)
  }
}

function fromCompact(text: string): Jws {
  const parts = text.split('.')
  if (parts.length !== 3) throw malformed('it has neither three parts nor JSON')
  const [protectedText, payload, signatureText] = parts as [string, string, string]
  return {
    serialization: 'compact',
    payload: payload === '' ? undefined : payload,
    signatures: [signatureOf(protectedText, signatureText, undefined)],
  }
}

function fromJson(text: string): Jws {
  const value = strictJson(text)
  if (!isObject(value)) throw malformed('its JSON is no object')
  const { payload } = value
  if (payload !== undefined && typeof payload !== 'string') throw malformed('its payload is no text')
  const isGeneral = 'signatures' in value
  if (isGeneral && ('signature' in value || 'protected' in value || 'header' in value))
    throw malformed('it has one signature and several')
  const members: unknown = isGeneral ? value.signatures : [value]
  if (!Array.isArray(members) || members.length === 0 || members.length > MAX_SIGNATURES)
    throw malformed('it has no signature, or too many')
  return {
    serialization: isGeneral ? 'general' : 'flattened',
    payload: payload === '' ? undefined : payload,
    signatures: members.map(memberOf),
  }
}

function memberOf(value: unknown): JwsSignature {
  if (!isObject(value)) throw malformed('a signature is no object')
  const { protected: protectedText, signature, header } = value
  if (typeof protectedText !== 'string' || typeof signature !== 'string')
    throw malformed('a signature lacks its protected header or its value')
  if (header !== undefined && !isObject(header)) throw malformed('a header is no object')
  return signatureOf(protectedText, signature, header)
}

function signatureOf(protectedText: string, signatureText: string, unprotected: JsonObject = {}): JwsSignature {
  const header = strictJson(decoded(fromBase64Url(protectedText)))
  if (!isObject(header)) throw malformed('a protected header is no object')
  // RFC 7515 §4: a name in both headers would have two values.
  if (Object.keys(unprotected).some((name) => Object.hasOwn(header, name)))
    throw malformed('the two headers of a signature share a name')
  return { protectedText, header, unprotected, signatureText, signature: fromBase64Url(signatureText) }
}

/** Strict: no padding, no other alphabet, no bits that nothing reads. */
export function fromBase64Url(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text) throw malformed('a value is not in base64url')
  return bytes
}

/** Base64 with padding, and nothing else in it. */
export function fromBase64(text: unknown): Buffer {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'base64') : undefined
  if (bytes?.toString('base64') !== text) throw malformed('a value is not in base64')
  return bytes!
}

export const toBase64Url = (bytes: Uint8Array | string): string =>
  (typeof bytes === 'string'
    ? Buffer.from(bytes, 'utf8')
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  ).toString('base64url')

/** Writes a JWS in its serialization. */
export function writeJws({ serialization, payload, signatures }: Jws): Buffer {
  const [first] = signatures as readonly [JwsSignature, ...JwsSignature[]]
  if (serialization === 'compact')
    return Buffer.from(`${first.protectedText}.${payload ?? ''}.${first.signatureText}`, 'utf8')
  const members = signatures.map(({ protectedText, unprotected, signatureText }) => ({
    protected: protectedText,
    ...(Object.keys(unprotected).length > 0 && { header: unprotected }),
    signature: signatureText,
  }))
  const whole = payload === undefined ? {} : { payload }
  return Buffer.from(
    JSON.stringify(serialization === 'general' ? { ...whole, signatures: members } : { ...whole, ...members[0] }),
    'utf8',
  )
}
