import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' }

/**
 * A proxy in front of a running service that replaces its built pages with those of a bundle folder, built from the
 * current sources. The rest, including the pages' headers and content policy, is the service's own response. A service
 * that must know this address before it starts is given as a function; `below` is the path of the bundle's files.
 */
export async function swapBundle(folder: string, service: string | (() => string), below = '') {
  const http = createServer((asked, answer) => {
    const { pathname } = new URL(asked.url ?? '/', 'http://proxy')
    const file = pathname.slice(below.length)
    if (pathname.startsWith(`${below}/assets/`)) void answerFile(join(folder, normalize(file)), answer)
    else forward(asked, answer)
  })
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
  const stop = async () => {
    const closed = new Promise((done) => http.close(done))
    http.closeAllConnections()
    await closed
  }
  return { origin: `http://localhost:${(http.address() as AddressInfo).port}`, stop }

  function forward(asked: IncomingMessage, answer: ServerResponse) {
    // Uncompressed, so that a page can be replaced without decompressing it.
    const headers = { ...asked.headers, 'accept-encoding': 'identity' }
    const origin = typeof service === 'string' ? service : service()
    const onward = request(new URL(asked.url ?? '/', origin), { method: asked.method ?? 'GET', headers }, (said) => {
      const { 'content-length': _, etag: __, ...page } = said.headers
      if (!isOfBundle(said)) {
        said.pipe(answer.writeHead(said.statusCode!, said.headers))
        return
      }
      said.resume()
      answer.writeHead(said.statusCode!, page)
      void readFile(join(folder, 'index.html')).then((html) => answer.end(html))
    })
    // A service that is down is down for the browser, too.
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    asked.pipe(onward)
  }
}

/** Pages that the service writes itself have no scripts, and a policy that allows none. */
const isOfBundle = ({ headers }: IncomingMessage): boolean =>
  !!headers['content-type']?.startsWith('text/html') &&
  !!headers['content-security-policy']?.toString().includes('script-src')

async function answerFile(path: string, answer: ServerResponse) {
  const content = await readFile(path).catch(() => undefined)
  if (content) answer.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' })
  else answer.writeHead(404)
  answer.end(content)
}
