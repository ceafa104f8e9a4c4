/** Why a call has no response, grouped by how a caller reacts. */
const httpProblems = {
  /** The address policy refuses it, by its URL or by what its name resolves to. Nothing was sent. */
  'address-refused': 'The address must not be called.',
  /** Nothing was sent. */
  unreachable: 'No connection came about.',
  /** The proxy did not open a tunnel: it refused, failed, or was not reached itself. Nothing was sent. */
  proxy: 'The proxy opened no tunnel.',
  /** One side does not accept the other's certificate, or they share no protocol or cipher. Nothing was sent. */
  untrusted: 'No TLS connection came about.',
  /** `wasSent` says whether the other side may have processed the request. */
  deadline: 'No answer came in time.',
  /** The caller aborted; `wasSent` as above. */
  aborted: 'The call was given up.',
  /** The other side may have processed the request. */
  lost: 'The connection broke before the answer was complete.',
  /** The response is not HTTP. */
  'broken-answer': 'The answer cannot be read.',
  /** The header or the body; the rest was not read. */
  'too-large': 'The answer is too long.',
  'too-many-redirects': 'The answer leads on and on.',
} as const

export type HttpProblemKind = keyof typeof httpProblems

interface Account {
  /** Whether the request was being sent. */
  readonly wasSent?: boolean
  /** The code of the network, TLS or parser error. */
  readonly code?: string | undefined
  /** The status of the response that was not read to its end, or of a proxy's refusal. */
  readonly status?: number | undefined
  /** A more specific sentence than that of the kind. */
  readonly sentence?: string | undefined
}

/**
 * Why a call has no response. Callers map kinds to their own errors, in a table. The underlying error is not kept: a
 * parser's error contains the bytes it failed on.
 */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem'
  readonly kind: HttpProblemKind
  readonly wasSent: boolean
  readonly code: string | undefined
  readonly status: number | undefined

  constructor(kind: HttpProblemKind, { wasSent = false, code, status, sentence }: Account = {}) {
    super(sentence || httpProblems[kind])
    this.kind = kind
    this.wasSent = wasSent
    this.code = code
    this.status = status
  }
}

interface NetworkError {
  readonly name: string
  readonly message: string
  readonly code?: string
  /** What a proxy answered instead of opening a tunnel. */
  readonly status?: number
}

/** Classifies a network error, mostly by whether the request was being sent. */
export function problemOfNetwork({ name, message, code, status }: NetworkError, wasSent: boolean): HttpProblem {
  return new HttpProblem(kindOf(name, code ?? '', wasSent), { wasSent, code, status, sentence: message })
}

/** The name of the error of a tunnel that a proxy did not open. */
export const PROXY_FAILED = 'ProxyFailed'

function kindOf(name: string, code: string, wasSent: boolean): HttpProblemKind {
  if (name === PROXY_FAILED) return 'proxy'
  const known = kindsByCode[code]
  if (known) return known
  if (!wasSent) return isTlsCode(code) ? 'untrusted' : 'unreachable'
  return name === 'HTTPParserError' ? 'broken-answer' : 'lost'
}

const kindsByCode: Readonly<Record<string, HttpProblemKind>> = {
  AddressRefused: 'address-refused',
  UND_ERR_CONNECT_TIMEOUT: 'deadline',
  UND_ERR_BODY_TIMEOUT: 'deadline',
  UND_ERR_HEADERS_OVERFLOW: 'too-large',
}

// Node names TLS alerts and broken handshakes ERR_SSL_…/EPROTO, and a certificate it does not accept by OpenSSL's name.
const isTlsCode = (code: string): boolean =>
  /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|CRL_)/.test(code)
