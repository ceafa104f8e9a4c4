// A server that gives prepared answers in turn, and records the requests.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface RecordedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Arrival time, in milliseconds. */
  readonly at: number
  form(): Promise<FormData>
}

/** What the server does with a request: answer, break the connection, or nothing at all. */
export type Reaction =
  | { readonly status: number; readonly body: string | Uint8Array; readonly headers?: Readonly<Record<string, string>> }
  | 'break'
  | 'wait'

export const CORRELATION_ID = '3f1c1c3e-8c1b-4f0e-9a53-1d2f5b7c9e10'

/** An answer in the contract's format. */
export const answer = (status: number, body: unknown): Reaction => ({
  status,
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json' },
})

/** An error in the contract's format. */
export const refusal = (status: number, code: string, details?: object): Reaction =>
  answer(status, { error: { code, message: `Refused with ${code}.`, details } })

export const pdf = (bytes: Uint8Array): Reaction => ({
  status: 200,
  body: bytes,
  headers: { 'Content-Type': 'application/pdf' },
})

/** Starts a server for one test; the last reaction is used for every further request. */
export async function recordedServer(...reactions: readonly Reaction[]) {
  const requests: RecordedRequest[] = []
  const server = createServer(async (request, response) => {
    const at = performance.now()
    const body = await bytesOf(request)
    const reaction = reactions[Math.min(requests.length, reactions.length - 1)]!
    requests.push(recorded(request, body, at))
    react(reaction, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const recorded = ({ method, url, headers }: IncomingMessage, body: Buffer, at: number): RecordedRequest => ({
  method: method!,
  url: url!,
  headers,
  body,
  at,
  form: () => new Response(new Uint8Array(body), { headers: { 'Content-Type': headers['content-type']! } }).formData(),
})

function react(reaction: Reaction, response: ServerResponse): void {
  if (reaction === 'wait') return
  if (reaction === 'break') response.destroy()
  else
    response.writeHead(reaction.status, { 'X-Correlation-Id': CORRELATION_ID, ...reaction.headers }).end(reaction.body)
}

/** An address at which nothing listens. */
export async function deserted(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}
