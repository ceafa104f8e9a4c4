import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { SECOND } from '@chancela/service-kernel/clock'
import type { DemoPki } from './demo-pki.ts'
import { type Fault, type Faults, flawIn } from './faults.ts'
import { type Answer, type Question, type Route, routes, text } from './http-routes.ts'

export interface DemoPkiHandlerOptions {
  readonly faults: Faults
  /** Called with errors that no request may cause; the client gets a 500. Default: standard error. */
  readonly onError?: (error: unknown) => void
}

/** A handler for node:http. Any other request goes to `next`, or gets a 404 without it. */
export type DemoPkiHandler = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void

/** OCSP and time-stamp requests are a few hundred bytes. */
const MAX_BODY_BYTES = 64 * 1024
const DEFAULT_DELAY = 5 * SECOND
const GARBAGE_BYTES = 512

/** Serves the PKI's routes; mount it in any server with node's request and response, before its body parsers. */
export function demoPkiHandler(
  pki: DemoPki,
  { faults, onError = console.error }: DemoPkiHandlerOptions,
): DemoPkiHandler {
  return (request, response, next = () => send(request, response, text(404, 'Not found.'))) => {
    const path = (request.url ?? '/').split('?', 1)[0]!
    const atPath = routes.filter((route) => route.path.test(path))
    if (atPath.length === 0) return next()
    const route = atPath.find(({ method }) => method === methodOf(request))
    if (!route) return send(request, response, text(405, `Use ${methodsOf(atPath)}.`), { allow: methodsOf(atPath) })
    const parts = route.path.exec(path)!.slice(1)
    serve(route, { pki, faults, parts }, request, response).catch((error) => {
      if (response.destroyed) return // The client disconnected during its request: no error, and no response possible.
      onError(error)
      send(request, response, text(500, 'The demo PKI failed; its log says why.'))
    })
  }
}

type Asked = Pick<Question, 'pki' | 'faults' | 'parts'>

async function serve(route: Route, asked: Asked, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const fault = route.area && asked.faults.take(route.area)
  if (fault?.kind === 'reset') return void request.socket.resetAndDestroy()
  if (fault?.kind === 'late' && !(await waited(fault, response))) return
  const answer = outages[fault?.kind ?? ''] ?? (await answerTo(route, asked, fault, request))
  send(request, response, fault?.kind === 'garbage' ? { ...answer, body: randomBytes(GARBAGE_BYTES) } : answer)
}

const outages: Partial<Record<string, Answer>> = {
  down: text(503, 'Out of service.'),
  'http-500': text(500, 'Internal error.'),
}

async function answerTo(
  route: Route,
  asked: Asked,
  fault: Fault | undefined,
  request: IncomingMessage,
): Promise<Answer> {
  if (route.takes && mediaTypeOf(request) !== route.takes) return text(415, `Send ${route.takes}.`)
  const body = await bodyOf(request)
  if (!body) return text(413, `Send at most ${MAX_BODY_BYTES} bytes.`)
  return route.answer({ ...asked, body, flaw: flawIn(fault) })
}

/** Undefined when the body is too long. It is read to its end, or the client would never get the response. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  return length <= MAX_BODY_BYTES ? Buffer.concat(chunks) : undefined
}

/** Whether the client was still connected after the delay. */
async function waited({ delayMs = DEFAULT_DELAY }: Fault, response: ServerResponse): Promise<boolean> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return wait(delayMs, true, { signal: gone.signal }).catch(() => false)
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  more: Record<string, string> = {},
): void {
  if (response.destroyed || response.headersSent) return
  const headers = { ...headersOf(answer), ...more }
  if (isUnchanged(request, headers)) response.writeHead(304, headers).end()
  else
    response.writeHead(answer.status, { ...headers, 'content-length': Buffer.byteLength(answer.body) }).end(answer.body)
}

/** Validators, so that a client can cache a revocation list and ask whether it changed. */
function headersOf({ status, type, body, lastModified, cacheSeconds }: Answer): Record<string, string> {
  return {
    'content-type': type,
    ...(status === 200 && { etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }),
    ...(lastModified && { 'last-modified': lastModified.toUTCString() }),
    ...(cacheSeconds && { 'cache-control': `max-age=${cacheSeconds}, public, no-transform, must-revalidate` }),
  }
}

/** RFC 9110 §13.2.2: If-None-Match decides; If-Modified-Since counts only without it. */
function isUnchanged({ method, headers: asked }: IncomingMessage, has: Record<string, string>): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const knownTags = asked['if-none-match']
  if (knownTags) return has.etag !== undefined && knownTags.includes(has.etag)
  const [since, modified] = [asked['if-modified-since'], has['last-modified']]
  return Boolean(since && modified && Date.parse(since) >= Date.parse(modified))
}

const methodOf = ({ method }: IncomingMessage): string | undefined => (method === 'HEAD' ? 'GET' : method)

const methodsOf = (some: readonly Route[]): string => some.map(({ method }) => method).join(', ')

const mediaTypeOf = ({ headers }: IncomingMessage): string | undefined =>
  headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
