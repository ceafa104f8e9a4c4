import { digest } from '../crypto/digest.ts'
import { ecdsaToFixedWidth } from '../crypto/ecdsa-encoding.ts'
import type { SigningDigest } from '../crypto/signing-algorithm.ts'
import { requireArguments } from '../errors/arguments.ts'
import { requireClaims, type SignerClaims } from '../signing/signer-claims.ts'
import {
  type Prepared,
  prepared,
  requireFormat,
  requireSignature,
  type SigningState,
} from '../signing/signing-state.ts'
import type { Certificate } from '../x509/certificate.ts'
import { algForNew, nameOfDigest } from './algorithms.ts'
import { claimHeaders } from './claims.ts'
import { asSigned, mechanisms } from './content.ts'
import { refuseJades } from './errors.ts'
import { type Jws, type JwsSerialization, readJws, toBase64Url, writeJws } from './jws.ts'
import { tokenContainer } from './unsigned.ts'

export type JadesLevel = 'B-B' | 'B-T' | 'B-LT' | 'B-LTA'

/** A content outside of the signature. */
export interface DetachedJadesContent {
  readonly uri: string
  readonly content: Uint8Array
  /** Default: not said. */
  readonly mimeType?: string
}

export interface JadesOptions {
  /** The time of signing. */
  readonly now: Date
  /** Default B-B. */
  readonly level?: JadesLevel
  /** RSA: default SHA-256. For EC the curve decides. */
  readonly digest?: SigningDigest
  /** RSA: PSS instead of PKCS#1 v1.5; a key for PSS alone never signs otherwise. Default false. */
  readonly pss?: boolean
  /** Issuers to put into the signature, nearest first; default none. `signJades` takes those of the signer. */
  readonly chain?: readonly Certificate[]
  /** Default compact for B-B, else flattened: levels need a place outside of what is signed. */
  readonly serialization?: JwsSerialization
  /** Whether the content stays outside, named by `uri`; default attached. */
  readonly packaging?: 'attached' | 'detached'
  /** Detached: the name of the content. */
  readonly uri?: string
  /** Detached: further contents that the same signature is over. */
  readonly further?: readonly DetachedJadesContent[]
  /** Type of the content, such as `text/plain`; default: not said. */
  readonly mimeType?: string
  /**
   * Whether the content is signed in base64url; default attached true, detached false, so that the digests in the
   * signature are those of the files. False needs content that is text (RFC 7797 §5).
   */
  readonly encoded?: boolean
  /** Which header says the time: `iat` (TS 119 182-1 v1.2.1) or, for older readers, `sigT`. Default `iat`. */
  readonly timeHeader?: 'iat' | 'sigT'
  /** Roles, commitments and place that the signer states. Default none. */
  readonly claims?: SignerClaims
  /** Timestamps over what is signed, which are signed with it: `signJades` fetches one with `contentTimestamp`. */
  readonly contentTimestamps?: readonly Uint8Array[]
}

/** What a further signature has no say in: it is over the payload that is there. */
export type FurtherJadesOptions = Omit<JadesOptions, 'packaging' | 'serialization' | 'uri' | 'further' | 'encoded'>

/** Between prepare and complete. */
export type JadesStateData = {
  readonly serialization: JwsSerialization
  readonly protectedText: string
  /** As it will stand in the JWS; null where the content stays outside. */
  readonly payload: string | null
}

/** `document` is the JWS that is added to; null for a new one. */
export type JadesState = SigningState<JadesStateData>

/** A new signature over this content: returns what the key has to sign. */
export function prepareJades(
  content: Uint8Array,
  certificate: Certificate,
  options: JadesOptions,
): Prepared<JadesStateData> {
  const given = { content: [content, 'bytes'], certificate: [certificate, 'certificate'] } as const
  requireArguments('prepareJades', given, options, ['now'])
  const { packaging, serialization = (options.level ?? 'B-B') === 'B-B' ? 'compact' : 'flattened' } = options
  if (serialization === 'compact' && (options.level ?? 'B-B') !== 'B-B') throw refuseJades('jades.compact')
  const encoded = isEncoded(options)
  const detached = packaging === 'detached' ? detachedContents(content, options) : undefined
  const payload = detached ? Buffer.alloc(0) : asSigned(content, { encoded })
  if (!encoded && !detached) requireText(content, serialization)
  return preparedOver(payload, certificate, options, {
    serialization,
    payload: detached ? null : payload.toString('utf8'),
    encoded,
    detached,
    document: null,
  })
}

const isEncoded = ({ encoded, packaging }: JadesOptions): boolean => encoded ?? packaging !== 'detached'

/** What a content timestamp of a new signature is over (§5.2.6): the payload, or the contents that `sigD` names. */
export function stampedContent(content: Uint8Array, options: JadesOptions): Buffer {
  const further = options.packaging === 'detached' ? (options.further ?? []) : []
  const form = { encoded: isEncoded(options) }
  return Buffer.concat([content, ...further.map((one) => one.content)].map((one) => asSigned(one, form)))
}

/** A further signature over the content of a JWS, beside those that are there; the result is in general serialization. */
export function prepareJadesSignature(
  existing: Uint8Array,
  certificate: Certificate,
  options: FurtherJadesOptions,
): Prepared<JadesStateData> {
  const given = { existing: [existing, 'bytes'], certificate: [certificate, 'certificate'] } as const
  requireArguments('prepareJadesSignature', given, options, ['now'])
  const { payload, signatures } = readJws(existing)
  if (payload === undefined) throw refuseJades('jades.content-needed')
  const [{ header }] = signatures as [Jws['signatures'][number]]
  const encoded = header.b64 !== false
  // RFC 7797 §3: all signatures of one JWS take its payload in one form.
  if (signatures.some((one) => (one.header.b64 !== false) !== encoded)) throw refuseJades('jades.other-payload')
  return preparedOver(Buffer.from(payload, 'utf8'), certificate, options, {
    serialization: 'general',
    payload,
    encoded,
    detached: undefined,
    document: existing,
  })
}

/** The finished signature. Throws if the certificate's key did not make the signature value. */
export function completeJades(anyState: SigningState<unknown>, signature: Uint8Array): Buffer {
  requireArguments('completeJades', { state: [anyState, 'state'], signature: [signature, 'bytes'] })
  const state = requireFormat<JadesStateData>(anyState, 'jades')
  requireSignature(state, signature)
  const { certificate, algorithm, document, data } = state
  const value = algorithm.key === 'ec' ? ecdsaToFixedWidth(certificate.publicKey, signature) : signature
  const added = {
    protectedText: data.protectedText,
    header: {},
    unprotected: {},
    signatureText: toBase64Url(value),
    signature: Buffer.from(value),
  }
  return writeJws({
    serialization: data.serialization,
    payload: data.payload ?? undefined,
    signatures: [...(document ? readJws(document).signatures : []), added],
  })
}

interface Terms {
  readonly serialization: JwsSerialization
  readonly payload: string | null
  readonly encoded: boolean
  readonly detached: readonly DetachedJadesContent[] | undefined
  readonly document: Uint8Array | null
}

function preparedOver(
  payload: Buffer,
  certificate: Certificate,
  options: JadesOptions,
  terms: Terms,
): Prepared<JadesStateData> {
  if (options.claims) requireClaims(options.claims)
  const { alg, algorithm } = algForNew(certificate, options)
  const protectedText = toBase64Url(JSON.stringify(headerOf(alg, certificate, options, terms)))
  const { serialization, payload: text, document } = terms
  return prepared({
    format: 'jades',
    certificate,
    algorithm,
    toSign: Buffer.concat([Buffer.from(`${protectedText}.`, 'latin1'), payload]),
    document,
    data: { serialization, protectedText, payload: text },
  })
}

/** The protected header: TS 119 182-1 §6.3, requirements of B-B. */
function headerOf(alg: string, certificate: Certificate, options: JadesOptions, { encoded, detached }: Terms) {
  const { now, chain = [], mimeType, timeHeader = 'iat', claims = {}, contentTimestamps = [] } = options
  const seconds = Math.floor(now.getTime() / 1_000)
  const sigD = detached && signedData(detached, options, encoded)
  const critical = [...(encoded ? [] : ['b64']), ...(sigD ? ['sigD'] : [])]
  // Roots are left out: a verifier that trusts one has it.
  const certificates = [certificate, ...chain.filter(({ selfIssued }) => !selfIssued)]
  return {
    alg,
    ...(mimeType !== undefined && !sigD && { cty: shortType(mimeType) }),
    'x5t#S256': digest('sha256', certificate.der).toString('base64url'),
    x5c: [...new Set(certificates)].map(({ der }) => der.toString('base64')),
    ...(encoded ? {} : { b64: false }),
    ...(timeHeader === 'iat' ? { iat: seconds } : { sigT: `${new Date(seconds * 1_000).toISOString().slice(0, 19)}Z` }),
    ...claimHeaders(claims),
    ...(contentTimestamps.length > 0 && { adoTst: tokenContainer(...contentTimestamps) }),
    ...(sigD && { sigD }),
    ...(critical.length > 0 && { crit: critical }),
  }
}

/** §5.2.8.3.3: contents by URI and digest. */
function signedData(contents: readonly DetachedJadesContent[], options: JadesOptions, encoded: boolean) {
  const name = options.digest ?? 'sha256'
  const types = contents.map(({ mimeType }) => shortType(mimeType ?? 'application/octet-stream'))
  return {
    mId: mechanisms.uriHash,
    pars: contents.map(({ uri }) => uri),
    hashM: nameOfDigest(name),
    hashV: contents.map(({ content }) => digest(name, asSigned(content, { encoded })).toString('base64url')),
    ctys: types,
  }
}

function detachedContents(content: Uint8Array, { uri, mimeType, further = [] }: JadesOptions): DetachedJadesContent[] {
  const all = [{ uri: uri ?? '', content, ...(mimeType !== undefined && { mimeType }) }, ...further]
  if (all.some((one) => one.uri === '')) throw refuseJades('jades.uri-missing')
  return all
}

/** RFC 7515 §4.1.10: `application/` is left out where no other slash follows. */
const shortType = (type: string): string => type.replace(/^application\/(?=[^/]*$)/, '')

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** RFC 7797 §5: a content that stands in the JWS as it is must be text, in the compact form without full stops. */
function requireText(content: Uint8Array, serialization: JwsSerialization): void {
  let text: string
  try {
    text = utf8.decode(content)
  } catch (error) {
    throw refuseJades('jades.payload-unsafe', { reason: 'it is not in UTF-8' }, error)
  }
  if (serialization === 'compact' && !/^[\x20-\x2d\x2f-\x7e]+$/.test(text))
    throw refuseJades('jades.payload-unsafe', { reason: 'a compact JWS takes only ASCII without full stops' })
}
