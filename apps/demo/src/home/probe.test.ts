import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { compactRoutes } from '@chancela/batch-signer/contract'
import type { AnonymousVerdict } from '@chancela/service-kernel/health'
import { Value } from 'typebox/value'
import { expect, onTestFinished, test } from 'vitest'
import { probe } from './probe.ts'

const well: AnonymousVerdict = { ready: true, checks: [{ name: 'database', ok: true }] }
// A check that does not gate readiness is shown red on a service that is ready.
const lame: AnonymousVerdict = { ready: true, checks: [{ name: 'signer', ok: false }] }
const ill: AnonymousVerdict = { ready: false, checks: [{ name: 'database', ok: false }] }
const compactWell = { ready: true, checks: { database: 'ok', 'output-folder': 'ok' } }
const compactIll = { ready: false, checks: { database: 'ok', 'signing-certificate': 'fail: cannot be used' } }

test('the samples of the compact variant are as its contract says', () => {
  for (const sample of [compactWell, compactIll]) expect(Value.Check(compactRoutes.ready.answer, sample)).toBe(true)
})

test.each([
  ['a list of checks', 200, well, { state: 'running', checks: [{ name: 'database', ok: true }] }],
  ['a red check that does not gate', 200, lame, { state: 'running', checks: [{ name: 'signer', ok: false }] }],
  ['a red check that gates', 503, ill, { state: 'degraded', checks: [{ name: 'database', ok: false }] }],
  [
    'checks by name, as the compact variant',
    200,
    compactWell,
    {
      state: 'running',
      checks: [
        { name: 'database', ok: true },
        { name: 'output-folder', ok: true },
      ],
    },
  ],
  [
    'a failed check by name',
    503,
    compactIll,
    {
      state: 'degraded',
      checks: [
        { name: 'database', ok: true },
        { name: 'signing-certificate', ok: false },
      ],
    },
  ],
  ['liveness alone', 200, { healthy: true, status: 'OK' }, { state: 'running', checks: [] }],
  ['readiness behind a key', 401, { code: 'auth.invalid-credentials' }, { state: 'running', checks: [] }],
  ['a fault of its own', 500, { code: 'internal' }, { state: 'degraded', checks: [{ name: 'answers', ok: false }] }],
  ['no JSON', 200, '<html>', { state: 'degraded', checks: [{ name: 'answers', ok: false }] }],
])('a service that answers %s is shown as it is', async (_name, status, body, shown) => {
  expect(await probe(await answering(status, body))).toEqual(shown)
})

test('a service that does not answer is degraded', async () => {
  expect(await probe('http://127.0.0.1:9/ready')).toEqual({
    state: 'degraded',
    checks: [{ name: 'answers', ok: false }],
  })
})

async function answering(status: number, body: unknown): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/ready`
}
