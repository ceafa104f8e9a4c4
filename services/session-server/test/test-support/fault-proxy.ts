// A proxy in front of the signature service that fails as networks and services do.
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll } from 'vitest'
import type { SignatureService } from './signature-service.ts'

/** The calls of the signature service by what they are for. */
const calls = {
  upload: /^POST \/api\/uploads/,
  startWhole: /^POST \/api\/documents\/signature\/certificate$/,
  completeWhole: /^POST \/api\/documents\/signature$/,
  create: /^POST \/api\/documents$/,
  actionUrl: /^POST \/api\/documents\/[^/]+\/action-url$/,
  start: /^POST \/api\/documents\/(keys\/)?[^/]+\/signature\/certificate$/,
  complete: /^POST \/api\/documents\/(keys\/)?[^/]+\/signature$/,
  cancel: /^POST \/api\/documents\/[^/]+\/cancellation$/,
  list: /^GET \/api\/documents\?/,
  read: /^GET \/api\/documents\/[^/?]+$/,
  content: /^GET \/api\/documents\/[^/]+\/content/,
} as const

const START_BY_ID = /^POST \/api\/documents\/(?!keys\/)[^/]+\/signature\/certificate$/

/** A fault of a call: before it reaches the service, or in its answer. */
type Fault =
  /** The call is not passed on, and the connection is dropped. */
  | 'drop'
  /** The same, the next time only. */
  | 'drop-once'
  /** The call is passed on, and the connection is dropped before the answer. */
  | 'drop-answer'
  /** The call is passed on, and a proxy answers 500. */
  | 'answer-500'
  /** The call is passed on, and the answer is unreadable. */
  | 'garbage'
  /** The call is passed on, and the answer never comes. */
  | 'hang'
  /** The call waits until the proxy heals, and is then passed on. */
  | 'hold'
  /** The same with a call that is read to its end: it is passed on, whatever became of who made it. */
  | 'hold-read'
  /** The same, and a gateway answers 504 meanwhile. */
  | 'gateway-timeout'
  /** The proxy answers with this refusal. */
  | { readonly status: number; readonly body: object }

export interface FaultProxy extends Pick<SignatureService, 'baseUrl' | 'apiKey'> {
  /** From now on, until another fault is set. */
  fail(call: keyof typeof calls, fault: Fault | undefined): void
  /** Like a service at which nobody signs by the id of a document, until it heals. */
  refuseById(status: number): void
  /** Every connection is refused. */
  down(isDown: boolean): void
  heal(): void
  /** Number of calls received. */
  count(call: keyof typeof calls): number
}

interface ProxyOptions {
  /** How documents are signed there: as they come to be, or in the steps that every such service has. */
  readonly signs: 'whole' | 'in-steps'
}

/** One for the tests of a file or a describe. */
export function sharedFaultProxy(
  service: () => SignatureService,
  options: ProxyOptions = { signs: 'in-steps' },
): () => FaultProxy {
  let proxy: (FaultProxy & { close(): Promise<void> }) | undefined
  beforeAll(async () => {
    proxy = await startProxy(service(), options)
  })
  afterAll(() => proxy?.close())
  return () => proxy!
}

async function startProxy({ baseUrl: target, apiKey }: SignatureService, { signs }: ProxyOptions) {
  const faults = new Map<keyof typeof calls, Fault>()
  const counts = new Map<string, number>()
  const sockets = new Set<Socket>()
  let isDown = false
  let byId: number | undefined
  let held: (() => void)[] = []
  const server = createServer((request, response) => {
    const call = callOf(request)
    counts.set(call ?? '', (counts.get(call ?? '') ?? 0) + 1)
    const fault = call && faults.get(call)
    if (fault === 'drop-once') faults.delete(call!)
    if (isDown) request.socket.destroy()
    else if (signs === 'in-steps' && (call === 'startWhole' || call === 'completeWhole'))
      pass(target, request, response, { status: 404, body: { code: 'RouteNotFound', message: 'No such route.' } })
    else if (byId !== undefined && START_BY_ID.test(`${request.method} ${request.url}`))
      pass(target, request, response, { status: byId, body: {} })
    else if (fault === 'hold') held.push(() => pass(target, request, response, undefined))
    else if (fault === 'hold-read' || fault === 'gateway-timeout')
      void buffer(request).then((body) => {
        held.push(() => passLate(target, request, body))
        if (fault === 'gateway-timeout') response.writeHead(504).end('upstream timed out')
      })
    else pass(target, request, response, fault)
  })
  server.on('connection', (socket) => {
    if (isDown) socket.destroy()
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const heal = () => {
    faults.clear()
    isDown = false
    byId = undefined
    for (const go of held) go()
    held = []
  }
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey,
    fail: (call: keyof typeof calls, fault: Fault | undefined) =>
      fault === undefined ? void faults.delete(call) : void faults.set(call, fault),
    refuseById(status: number) {
      byId = status
    },
    down(value: boolean) {
      isDown = value
      if (value) for (const socket of sockets) socket.destroy()
    },
    heal,
    count: (call: keyof typeof calls) => counts.get(call) ?? 0,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const callOf = ({ method, url }: IncomingMessage): keyof typeof calls | undefined =>
  (Object.keys(calls) as (keyof typeof calls)[]).find((name) => calls[name].test(`${method} ${url}`))

type PassedFault = Exclude<Fault, 'hold' | 'hold-read' | 'gateway-timeout'>

function passLate(
  target: string,
  { method, url, headers: { host: _host, ...headers } }: IncomingMessage,
  body: Buffer,
) {
  const onward = httpRequest(`${target}${url}`, { method: method!, headers }, (answer) => answer.resume())
  onward.on('error', () => undefined)
  onward.end(body)
}

function pass(target: string, request: IncomingMessage, response: ServerResponse, fault?: PassedFault): void {
  if (fault === 'drop' || fault === 'drop-once') return void request.socket.destroy()
  if (typeof fault === 'object') {
    request.resume()
    response.writeHead(fault.status, { 'content-type': 'application/json' }).end(JSON.stringify(fault.body))
    return
  }
  const { host: _host, ...headers } = request.headers
  const onward = httpRequest(`${target}${request.url}`, { method: request.method!, headers }, (answer) =>
    back(answer, request, response, fault),
  )
  onward.on('error', () => request.socket.destroy())
  // An aborted body is aborted there, too; otherwise the service would wait for its rest.
  request.on('close', () => request.complete || onward.destroy())
  request.pipe(onward)
}

function back(
  answer: IncomingMessage,
  request: IncomingMessage,
  response: ServerResponse,
  fault: Exclude<PassedFault, object> | undefined,
): void {
  if (fault === undefined) {
    response.writeHead(answer.statusCode!, answer.headers)
    answer.pipe(response)
    return
  }
  answer.resume()
  if (fault === 'drop-answer') request.socket.destroy()
  else if (fault === 'answer-500') response.writeHead(500).end('upstream error')
  else if (fault === 'garbage') response.writeHead(200, { 'content-type': 'application/json' }).end('<html>')
}
