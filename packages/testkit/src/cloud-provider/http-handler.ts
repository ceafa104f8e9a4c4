import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type Fault, flawIn } from './faults.ts'
import { type Answer, json, type Question, type Route, text } from './http.ts'
import type { Context } from './provider-context.ts'

/** A handler for node:http. */
export type CloudProviderHandler = (request: IncomingMessage, response: ServerResponse) => void

/** Enough for some hundreds of hashes. */
const MAX_BODY_BYTES = 1024 * 1024
const GARBAGE_BYTES = 512

/** Serves the routes; faults apply to those with an operation. */
export function providerHandler(context: Context, routes: readonly Route[]): CloudProviderHandler {
  return (request, response) => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', context.baseUrl)
    const atPath = routes.filter((route) => route.path.test(path))
    const route = atPath.find(({ method }) => method === request.method)
    if (!route) return send(response, text(atPath.length > 0 ? 405 : 404, 'There is no such thing here.'))
    const parts = route.path.exec(path)!.slice(1)
    serve(context, route, { path, query, parts }, request, response).catch((error) => {
      if (response.destroyed) return // The client disconnected: no error, and no response possible.
      console.error(error)
      send(response, text(500, 'The cloud provider failed; its log says why.'))
    })
  }
}

type Asked = Pick<Question, 'path' | 'query' | 'parts'>

async function serve(
  context: Context,
  route: Route,
  asked: Asked,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const question = { ...asked, ...(await readRequest(request, asked.query)) }
  const { operation } = route
  if (operation) context.calls.push({ operation, at: context.clock(), body: question.body })
  const fault = operation && context.faults.take(operation)
  if (fault === 'drop') return void request.socket.resetAndDestroy()
  if (fault === 'hang') return // Until the client gives up, or the provider stops.
  const told = toldBy(fault)
  if (told) return send(response, told)
  if (typeof fault === 'object' && 'delayMs' in fault) await wait(fault.delayMs, undefined, { ref: false })
  if (typeof fault === 'object' && 'until' in fault) await fault.until
  const answer = await route.answer({ ...question, flaw: flawIn(fault) })
  if (fault === 'drop-after-signing') return void request.socket.resetAndDestroy()
  send(response, answer)
}

/** The response of the fault itself. */
function toldBy(fault: Fault | undefined): Answer | undefined {
  if (fault === 'garbage') {
    return { status: 200, headers: { 'content-type': 'application/json' }, body: randomBytes(GARBAGE_BYTES) }
  }
  if (typeof fault !== 'object' || !('status' in fault)) return undefined
  const { status, body = '', headers = {} } = fault
  return typeof body === 'string' ? { ...text(status, body), headers } : json(status, body, headers)
}

async function readRequest(
  request: IncomingMessage,
  query: URLSearchParams,
): Promise<Pick<Question, 'headers' | 'mediaType' | 'body'>> {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
  const mediaType = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (request.method === 'GET') return { headers, mediaType, body: Object.fromEntries(query) }
  return { headers, mediaType, body: parsed(mediaType, await bodyOf(request)) }
}

function parsed(mediaType: string | undefined, body: string): Question['body'] {
  if (mediaType === 'application/x-www-form-urlencoded') return Object.fromEntries(new URLSearchParams(body))
  if (mediaType !== 'application/json') return {}
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Question['body']) : {}
  } catch {
    return {} // An unreadable body is empty; the route reports missing fields.
  }
}

/** A body that is too long is truncated and then no longer JSON. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  if (response.destroyed || response.headersSent) return
  response
    .writeHead(status, {
      'x-content-type-options': 'nosniff',
      ...headers,
      'content-length': Buffer.byteLength(body),
    })
    .end(body)
}
