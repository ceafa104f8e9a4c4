import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import type { SuiteView, WalkView } from '@chancela/demo/contract'

/** No inline code, no other origins: the strictest policy a service may send with the console. */
const STRICT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Addresses of the bundle's page. */
const pages = ['/', '/walk']

export interface BundleServer {
  origin: string
  /** The answer of `GET /api/suite`; a function may send anything, or delay the response. */
  answer: SuiteView | ((response: ServerResponse) => void)
  /** The answer for a walk, when it is begun or read; without it the walk is unknown. */
  walk?: WalkView
  /** Closes the port and every connection, like a stopped server. */
  stop(): Promise<void>
  /** Opens the same port again. */
  start(): Promise<void>
}

/** Serves a built bundle under the strict policy, and the suite its page asks for. */
export async function serveBundle(folder: string, answer: BundleServer['answer']): Promise<BundleServer> {
  const http = createServer((request, response) => void respond(request, response))
  const listen = (port: number) => new Promise<void>((done) => http.listen(port, '127.0.0.1', done))
  await listen(0)
  const { port } = http.address() as AddressInfo
  const server: BundleServer = { origin: `http://localhost:${port}`, answer, stop, start: () => listen(port) }
  return server

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const path = new URL(request.url ?? '/', 'http://bundle').pathname
    response.setHeader('content-security-policy', STRICT_POLICY)
    if (path === '/api/suite') answerSuite(response)
    else if (path.startsWith('/api/walks')) answerWalk(response)
    else await answerFile(pages.includes(path) ? '/index.html' : path, response)
  }

  function answerSuite(response: ServerResponse) {
    if (typeof server.answer === 'function') return server.answer(response)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(server.answer))
  }

  function answerWalk(response: ServerResponse) {
    response.setHeader('content-type', 'application/json')
    if (server.walk) response.end(JSON.stringify(server.walk))
    else response.writeHead(404).end(JSON.stringify({ code: 'walk.not-found', status: 404 }))
  }

  async function answerFile(path: string, response: ServerResponse) {
    const content = await readFile(join(folder, normalize(path))).catch(() => undefined)
    if (!content) return void response.writeHead(404).end()
    response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream').end(content)
  }

  async function stop() {
    const closed = new Promise((done) => http.close(done))
    http.closeAllConnections()
    await closed
  }
}
