import { randomUUID } from 'node:crypto'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import { createServer as createTlsServer, type ServerOptions as TlsServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { SECOND } from '../clock/index.ts'
import type { FrameworkFailure } from '../errors/index.ts'
import type { Pair, ServedCertificate } from '../tls/index.ts'
import type { Kernel } from './kernel.ts'
import { renderFailure } from './output/answer-failure.ts'

/** The Node server under an app: its timeouts, and responses in the service's dialect instead of Node's own. */
export function nodeServer(kernel: Kernel, listener: RequestListener): Server {
  const { settings } = kernel
  const requestTimeout = (settings.requestTimeoutSeconds ?? 120) * SECOND
  // Node takes no longer time for the headers than for the request they begin.
  const headersTimeout = Math.min((settings.headersTimeoutSeconds ?? 15) * SECOND, requestTimeout)
  const limits = {
    headersTimeout,
    requestTimeout,
    keepAliveTimeout: (settings.keepAliveTimeoutSeconds ?? 65) * SECOND,
    // How often Node checks for connections past their limit: its default of 30 s makes short limits meaningless.
    connectionsCheckingInterval: Math.min(5 * SECOND, headersTimeout),
    maxHeaderSize: settings.maxHeaderBytes ?? 16 * 1024,
    // A request without Host is refused on arrival, in the dialect.
    requireHostHeader: false,
  }
  const server = settings.tls
    ? tlsServer(kernel, settings.tls, { ...limits, handshakeTimeout: headersTimeout }, listener)
    : createServer(limits, listener)
  server.on('clientError', (error, socket) => answerClientError(kernel, error, socket as Socket))
  server.on('checkExpectation', (request, response) => answerExpectation(kernel, request, response))
  server.on('connection', (socket) => track(kernel, socket))
  kernel.servers.push(server)
  return server
}

function track(kernel: Kernel, socket: Socket): void {
  if (kernel.draining) return void socket.destroy()
  kernel.sockets.add(socket)
  socket.once('close', () => void kernel.sockets.delete(socket))
}

function tlsServer(
  kernel: Kernel,
  certificate: ServedCertificate,
  options: TlsServerOptions,
  listener: RequestListener,
): Server {
  const server = createTlsServer({ ...options, ...secureContext(certificate.pair) }, listener)
  // Both the connection and what runs inside it are tracked: a drain ends those whose handshake never ends, too.
  server.on('secureConnection', (socket) => track(kernel, socket))
  certificate.onRenewal((pair) => server.setSecureContext(secureContext(pair)))
  return server
}

// Said here, because the environment of the process may lower Node's own minimum.
const secureContext = ({ cert, key, passphrase }: Pair) =>
  ({ cert, key, ...(passphrase !== undefined && { passphrase }), minVersion: 'TLSv1.2' }) as const

const clientErrors: Readonly<Record<string, FrameworkFailure>> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
}

/** Any other token is a method, too (RFC 9110 §9.1), which Node does not parse: no route has it. */
const OTHER_METHOD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ \S+ HTTP\/1\.[01]\r?\n/

interface ClientError extends NodeJS.ErrnoException {
  /** What was parsed when it failed. */
  readonly rawPacket?: Buffer
}

function kindOf({ code = '', rawPacket }: ClientError): FrameworkFailure {
  if (code === 'HPE_INVALID_METHOD' && OTHER_METHOD.test(rawPacket?.toString('latin1') ?? '')) return 'unknown-route'
  return clientErrors[code] ?? 'malformed-request'
}

/** A request Node could not parse, so no route and no hook ever sees it. */
function answerClientError(kernel: Kernel, error: ClientError, socket: Socket): void {
  // A reset connection cannot be answered, nor one without TLS yet; one whose response has begun must not get a second
  // one in the middle.
  if (error.code === 'ECONNRESET' || !socket.writable || isShaking(kernel, socket) || isAnswering(kernel, socket)) {
    socket.destroy()
    return
  }
  const answer = bareAnswer(kernel, kindOf(error))
  const head = [`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`, ...Object.entries(answer.headers).map(line)]
  socket.end(`${head.join('\r\n')}\r\n\r\n${answer.body}`, () => socket.destroySoon())
  logBareAnswer(kernel, answer, { client: socket.remoteAddress, reason: error.code })
}

const line = ([name, value]: [string, string]): string => `${name}: ${value}`

/** Whether a TLS handshake did not succeed: only what has succeeded is tracked under this socket. */
const isShaking = (kernel: Kernel, socket: Socket): boolean =>
  (socket as TLSSocket).encrypted === true && !kernel.sockets.has(socket)

const isAnswering = (kernel: Kernel, socket: Socket): boolean =>
  [...kernel.inFlight].some((reply) => reply.raw.socket === socket && reply.raw.headersSent)

/** RFC 9110 §10.1.1: an expectation other than 100-continue cannot be met. */
function answerExpectation(kernel: Kernel, request: IncomingMessage, response: ServerResponse): void {
  const answer = bareAnswer(kernel, 'expectation-failed')
  response.writeHead(answer.status, answer.headers).end(answer.body)
  logBareAnswer(kernel, answer, { client: request.socket.remoteAddress, method: request.method })
}

interface BareAnswer {
  readonly correlationId: string
  readonly code: string
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

function bareAnswer(kernel: Kernel, kind: FrameworkFailure): BareAnswer {
  const failure = kernel.failures.named(kind)
  const correlationId = randomUUID()
  const { contentType, body } = renderFailure(kernel, failure, { correlationId, path: '', environment: 'production' })
  const headers = {
    ...kernel.headers.api,
    [kernel.correlationHeader]: correlationId,
    ...(contentType && { 'content-type': contentType }),
    'content-length': String(Buffer.byteLength(body)),
    date: new Date().toUTCString(),
    connection: 'close',
  }
  return { correlationId, code: failure.code, status: failure.status, headers, body }
}

function logBareAnswer(kernel: Kernel, { correlationId, code, status }: BareAnswer, more: object): void {
  if (kernel.accessLog) kernel.logger.warn({ correlationId, status, code, ...more }, 'request')
}
