import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ApiFailure, getJson } from './get-json.ts'

test('brings what the server answers', async () => {
  const address = await serve((_request, response) => response.end('{"version":"0.1.0"}'))
  expect(await getJson(address)).toEqual({ version: '0.1.0' })
})

test('asks for JSON', async () => {
  const address = await serve((request, response) => response.end(JSON.stringify(request.headers.accept)))
  expect(await getJson(address)).toBe('application/json')
})

test('a refusal carries its status', async () => {
  const address = await serve((_request, response) => response.writeHead(503).end('{}'))
  expect(await failureOf(getJson(address))).toEqual({ kind: 'refused', status: 503 })
})

test('an answer that is not JSON is unreadable', async () => {
  const address = await serve((_request, response) => response.end('<!doctype html>'))
  expect(await failureOf(getJson(address))).toEqual({ kind: 'unreadable' })
})

test('a closed port is unreachable', async () => {
  const address = await serve((_request, response) => response.end(), { closeAtOnce: true })
  expect(await failureOf(getJson(address))).toEqual({ kind: 'unreachable' })
})

test('a connection that breaks in the middle of the answer is unreachable', async () => {
  const address = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"version":')
    setImmediate(() => response.destroy())
  })
  expect(await failureOf(getJson(address))).toEqual({ kind: 'unreachable' })
})

test('a server that never answers is unreachable once the time is up', async () => {
  const address = await serve(() => {})
  expect(await failureOf(getJson(address, { timeoutSeconds: 0.05 }))).toEqual({ kind: 'unreachable' })
})

test('a caller that cancels gets its own reason back, not a failure of the server', async () => {
  const address = await serve(() => {})
  const reason = new Error('the page was left')
  await expect(getJson(address, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})

async function failureOf(request: Promise<unknown>) {
  const error = await request.catch((error: unknown) => error)
  expect(error).toBeInstanceOf(ApiFailure)
  return (error as ApiFailure).reason
}

async function serve(listener: RequestListener, { closeAtOnce = false } = {}): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const close = async () => {
    const closed = new Promise((done) => server.close(done))
    server.closeAllConnections()
    await closed
  }
  if (closeAtOnce) await close()
  else onTestFinished(close)
  return `http://127.0.0.1:${port}/`
}
