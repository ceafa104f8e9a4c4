import type { DigestName } from '../crypto/algorithms.ts'
import { type Finding, finding } from '../report/report.ts'
import { tried } from '../report/tried.ts'
import { Certificate } from '../x509/certificate.ts'
import { digestNamed } from './algorithms.ts'
import { identifierOf } from './claims.ts'
import { malformed } from './errors.ts'
import { fromBase64, fromBase64Url, type JwsSignature } from './jws.ts'
import { isObject, type JsonObject } from './strict-json.ts'
import { tokensOf } from './unsigned.ts'

export interface CertificateDigest {
  /** Undefined for an algorithm that is not known. */
  readonly digest: DigestName | undefined
  readonly algorithm: string
  readonly value: Buffer
}

/** `sigD` (TS 119 182-1 §5.2.8): where the content of a detached signature is. */
export interface SignedData {
  readonly mechanism: string
  readonly uris: readonly string[]
  readonly hash:
    | { readonly digest: DigestName | undefined; readonly algorithm: string; readonly values: readonly Buffer[] }
    | undefined
}

/** What the protected header says. */
export interface JadesHeader {
  readonly alg: string
  /** Whether the payload is signed in base64url (RFC 7797). */
  readonly encoded: boolean
  readonly signingTime: Date | null
  /** `x5c`, the signer's first. */
  readonly chain: readonly Certificate[]
  /** Whether the signature is over it. */
  readonly isChainSigned: boolean
  readonly digests: readonly CertificateDigest[]
  readonly signedData: SignedData | undefined
  readonly policy: { readonly id: string } | undefined
  /** `adoTst`: timestamps over what is signed. */
  readonly contentTimestamps: readonly Buffer[]
}

/** Reads the header of a signature; what is wrong with it is reported. */
export function readHeader({ header, unprotected }: JwsSignature, findings: Finding[]): JadesHeader {
  findings.push(...criticalFindings(header), ...unsignedFindings(unprotected))
  return {
    alg: typeof header.alg === 'string' ? header.alg : '',
    encoded: header.b64 !== false,
    signingTime: tried(findings, () => signingTimeOf(header)) ?? null,
    chain: tried(findings, () => chainOf(header.x5c ?? unprotected.x5c)) ?? [],
    isChainSigned: header.x5c !== undefined,
    digests: tried(findings, () => digestsOf(header)) ?? [],
    signedData: tried(findings, () => signedDataOf(header.sigD)),
    policy: tried(findings, () => (isObject(header.sigPId) ? { id: identifierOf(header.sigPId.id) } : undefined)),
    contentTimestamps: tried(findings, () => (header.adoTst === undefined ? [] : tokensOf(header.adoTst))) ?? [],
  }
}

/** Extensions that this engine processes, or that change nothing of what is verified. */
const understood: ReadonlySet<unknown> = new Set([
  ...['b64', 'sigD', 'sigT', 'x5t#o', 'sigX5ts', 'iat'],
  ...['srCms', 'srAts', 'sigPl', 'sigPId', 'adoTst'],
])

/** RFC 7515 §4.1.11 and RFC 7797 §6. */
function criticalFindings(header: JsonObject): Finding[] {
  const { crit, b64 } = header
  const wrong = (reason: string) => [finding('structure-malformed', { reason })]
  if (b64 !== undefined && typeof b64 !== 'boolean') return wrong('b64 is neither true nor false')
  if (b64 === false && !(Array.isArray(crit) && crit.includes('b64'))) return wrong('b64 is not marked as critical')
  if (crit === undefined) return []
  if (!Array.isArray(crit) || crit.length === 0 || new Set(crit).size !== crit.length)
    return wrong('crit is no list of names')
  const absent = crit.find((name) => typeof name !== 'string' || !Object.hasOwn(header, name))
  if (absent !== undefined) return wrong('crit names what is not there')
  const unknown = crit.filter((name) => !understood.has(name))
  return unknown.map((name) => finding('jades.critical-unknown', { name: String(name) }))
}

/** What changes how a signature is read stands where the signature is over it (RFC 7515 §4.1.11, RFC 7797 §3). */
const unsignedFindings = (unprotected: JsonObject): Finding[] =>
  ['alg', 'crit', 'b64', 'sigD']
    .filter((name) => Object.hasOwn(unprotected, name))
    .map((name) => finding('structure-malformed', { reason: `${name} is not signed` }))

/** `iat` (seconds since 1970) or, in older signatures, `sigT`. */
function signingTimeOf({ iat, sigT }: JsonObject): Date | null {
  if (iat === undefined && sigT === undefined) return null
  const time = new Date(
    typeof iat === 'number' ? iat * 1_000 : typeof sigT === 'string' && RFC_3339.test(sigT) ? sigT : Number.NaN,
  )
  if (Number.isNaN(time.getTime())) throw malformed('its signing time cannot be read')
  return time
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

const MAX_CHAIN = 64

/** RFC 7515 §4.1.6: base64, not base64url. */
function chainOf(x5c: unknown): Certificate[] {
  if (x5c === undefined) return []
  if (!Array.isArray(x5c) || x5c.length > MAX_CHAIN) throw malformed('x5c is no list of certificates')
  return x5c.map((text) => Certificate.read(fromBase64(text)))
}

/** The digests of the signer's certificate (§5.1.7, §5.2.2): every one that is there must be right. */
function digestsOf(header: JsonObject): CertificateDigest[] {
  const thumbprint = header['x5t#S256']
  const [first] = Array.isArray(header.sigX5ts) ? header.sigX5ts : []
  const others = [header['x5t#o'], first].filter((other) => other !== undefined)
  return [
    ...(thumbprint === undefined ? [] : [{ digest: 'sha256' as const, algorithm: 'S256', value: textOf(thumbprint) }]),
    ...others.map(digestOf),
  ]
}

function digestOf(value: unknown): CertificateDigest {
  if (!isObject(value) || typeof value.digAlg !== 'string')
    throw malformed('a digest of the certificate cannot be read')
  return { digest: digestNamed(value.digAlg), algorithm: value.digAlg, value: textOf(value.digVal) }
}

function textOf(value: unknown): Buffer {
  if (typeof value !== 'string') throw malformed('a digest is no text')
  return fromBase64Url(value)
}

function signedDataOf(sigD: unknown): SignedData | undefined {
  if (sigD === undefined) return undefined
  if (!isObject(sigD) || typeof sigD.mId !== 'string' || !isTexts(sigD.pars)) throw malformed('sigD cannot be read')
  const { mId: mechanism, pars: uris, hashM, hashV } = sigD
  if (hashV === undefined) return { mechanism, uris, hash: undefined }
  if (typeof hashM !== 'string' || !isTexts(hashV) || hashV.length !== uris.length)
    throw malformed('the digests of sigD are not those of its contents')
  return { mechanism, uris, hash: { digest: digestNamed(hashM), algorithm: hashM, values: hashV.map(fromBase64Url) } }
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')
