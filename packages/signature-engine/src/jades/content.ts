import { type DigestName, digestAlgorithms } from '../crypto/algorithms.ts'
import { digest } from '../crypto/digest.ts'
import { type Check, digestCheck, notChecked, worstCheck } from '../report/check.ts'
import { type Finding, finding } from '../report/report.ts'
import type { JadesHeader, SignedData } from './header.ts'
import { bodyCheck, type HttpMessage, payloadOf } from './http-message.ts'
import { fromBase64Url, type Jws, toBase64Url } from './jws.ts'

/** Contents that are not in the signature. */
export interface OutsideContents {
  /** By the URIs of the signature. */
  readonly contents?: Readonly<Record<string, Uint8Array>>
  /** The one content, for any URI. */
  readonly content?: Uint8Array
  /** Digests of that content, where it stays elsewhere itself. */
  readonly contentDigests?: Readonly<Partial<Record<DigestName, Uint8Array>>>
  /** The message, for a signature over header fields of HTTP. */
  readonly httpMessage?: HttpMessage
}

/** What a signature is over. */
export interface SignedContent {
  /** The payload as it is signed; undefined where it is not there. */
  readonly payload: Buffer | undefined
  /** Undefined where the content is what the signature value is over, and has no digest of its own. */
  readonly check: Check | undefined
  /** The bytes of the content as an archive timestamp takes them; undefined where they are not there. */
  readonly archived: Buffer | undefined
  readonly findings: readonly Finding[]
  readonly description: string
  /** There is more that the signature is not over. Default false. */
  readonly isPart?: boolean
}

export const mechanisms = {
  uriHash: 'http://uri.etsi.org/19182/ObjectIdByURIHash',
  uri: 'http://uri.etsi.org/19182/ObjectIdByURI',
  httpHeaders: 'http://uri.etsi.org/19182/HttpHeaders',
} as const

/** The content of a signature: in the JWS, beside it (RFC 7515 appendix F), or where `sigD` says. */
export function signedContent(jws: Jws, header: JadesHeader, outside: OutsideContents): SignedContent {
  const { signedData } = header
  if (!signedData) return jws.payload === undefined ? beside(header, outside) : inside(jws.payload, header)
  if (jws.payload !== undefined) return malformedContent('there is a payload beside sigD')
  if (signedData.mechanism === mechanisms.uriHash) return byHashes(header, signedData, outside)
  if (signedData.mechanism === mechanisms.uri) return byUris(header, signedData, outside)
  if (signedData.mechanism === mechanisms.httpHeaders) return ofMessage(header, signedData, outside)
  return {
    payload: undefined,
    check: notChecked('transform-refused'),
    archived: undefined,
    findings: [finding('jades.mechanism-unknown', { mechanism: signedData.mechanism })],
    description: signedData.uris.join(', '),
  }
}

const malformedContent = (reason: string): SignedContent => ({
  payload: undefined,
  check: notChecked('structure-malformed'),
  archived: undefined,
  findings: [finding('structure-malformed', { reason })],
  description: '',
})

const direct = (payload: Buffer, description: string, findings: readonly Finding[] = []): SignedContent => ({
  payload,
  check: undefined,
  archived: payload,
  findings,
  description,
})

const absent = (description: string, uri?: string): SignedContent => ({
  payload: undefined,
  check: notChecked('content-missing'),
  archived: undefined,
  findings: [finding('content-missing', uri === undefined ? undefined : { uri })],
  description,
})

function inside(payload: string, { encoded }: JadesHeader): SignedContent {
  // Other texts of the same bytes would not be what was signed, and are refused where they are read.
  if (encoded) fromBase64Url(payload)
  return direct(Buffer.from(payload, 'utf8'), 'the content inside the signature')
}

function beside(header: JadesHeader, { content }: OutsideContents): SignedContent {
  const description = 'the detached content'
  return content === undefined ? absent(description) : direct(asSigned(content, header), description)
}

/** Each content has its digest in `sigD`, and the payload is empty (§5.2.8.3.3). */
function byHashes({ encoded }: JadesHeader, { uris, hash }: SignedData, outside: OutsideContents): SignedContent {
  if (!hash) return malformedContent('sigD has no digests')
  const found = uris.map((uri) => contentOf(uri, outside))
  const { digest: name } = hash
  const checks = uris.map((_uri, at) =>
    digestCheck(name, hash.values[at]!, () => {
      const content = found[at]
      if (content) return digest(name!, asSigned(content, { encoded }))
      // A digest that somebody made of the file is one of the plain bytes.
      return encoded ? undefined : outside.contentDigests?.[name!]
    }),
  )
  const all = found.every((content) => content !== undefined)
  return {
    payload: Buffer.alloc(0),
    check: worstCheck(checks),
    archived: all ? Buffer.concat(found.map((content) => asSigned(content!, { encoded }))) : undefined,
    findings: [
      ...digestFindings(name, hash.algorithm),
      ...checks.flatMap((check, at) => checkFindings(check, uris[at]!)),
    ],
    description: uris.join(', '),
  }
}

function digestFindings(name: DigestName | undefined, algorithm: string): Finding[] {
  if (!name) return [finding('algorithm-unknown', { algorithm })]
  return digestAlgorithms[name].sound ? [] : [finding('algorithm-weak', { algorithm: name })]
}

function checkFindings(check: Check, uri: string): Finding[] {
  if (check.state === 'failed') return [finding('content-changed', { uri })]
  return check.state === 'not-checked' && check.reason === 'content-missing'
    ? [finding('content-missing', { uri })]
    : []
}

/** The contents one behind the other are the payload (§5.2.8.3.2). */
function byUris(header: JadesHeader, { uris }: SignedData, outside: OutsideContents): SignedContent {
  const found = uris.map((uri) => contentOf(uri, outside))
  const missing = found.indexOf(undefined)
  if (missing >= 0) return absent(uris.join(', '), uris[missing]!)
  return direct(Buffer.concat(found.map((content) => asSigned(content!, header))), uris.join(', '))
}

/** Header fields of a message; its body where the field `Digest` is among them (§5.2.8.2). */
function ofMessage({ encoded }: JadesHeader, { uris }: SignedData, { httpMessage }: OutsideContents): SignedContent {
  if (encoded) return malformedContent('header fields are not signed as they are')
  const description = uris.join(', ')
  if (!httpMessage) return absent(description)
  const read = payloadOf(uris, httpMessage)
  if ('missing' in read) return absent(description, read.missing)
  const isOverBody = uris.some((name) => name.toLowerCase() === 'digest')
  const check = isOverBody ? bodyCheck(httpMessage) : undefined
  return {
    // In an archive timestamp the body stands for the field, in a form that is nowhere said exactly.
    ...direct(read.payload, description, check ? bodyFindings(check) : []),
    check,
    archived: undefined,
    isPart: !isOverBody,
  }
}

const bodyFindings = (check: Check): Finding[] =>
  check.state === 'not-checked' && check.reason === 'algorithm-unknown'
    ? [finding('algorithm-unknown', { algorithm: 'Digest' })]
    : checkFindings(check, 'Digest')

const contentOf = (uri: string, { contents = {}, content }: OutsideContents): Uint8Array | undefined =>
  Object.hasOwn(contents, uri) ? contents[uri] : content

/** The bytes that a content contributes to what is signed: base64url unless `b64` says otherwise. */
export const asSigned = (content: Uint8Array, { encoded }: Pick<JadesHeader, 'encoded'>): Buffer =>
  encoded
    ? Buffer.from(toBase64Url(content), 'latin1')
    : Buffer.from(content.buffer, content.byteOffset, content.length)
