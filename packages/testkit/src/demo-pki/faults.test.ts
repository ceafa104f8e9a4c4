import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openssl } from '../tools/run-tool.ts'
import { type FaultArea, faultKinds } from './faults.ts'
import { cachedKeys } from './keys.ts'
import { type RunningDemoPki, startDemoPki } from './start-demo-pki.ts'

let demo: RunningDemoPki
let folder: string
let ocspRequest: Buffer
let timeStampRequest: Buffer

beforeAll(async () => {
  demo = await startDemoPki({ keys: cachedKeys() })
  folder = await mkdtemp(join(tmpdir(), 'demo-pki-faults-'))
  for (const label of ['root', 'level-1', 'level-2', 'ana-souza']) {
    await writeFile(file(`${label}.pem`), demo.pki.certificate(label).x509.toString())
  }
  const authorities = ['level-1', 'level-2'].map((label) => demo.pki.certificate(label).x509.toString())
  await writeFile(file('authorities.pem'), authorities.join(''))
  await openssl(['ocsp', '-issuer', file('level-2.pem'), '-cert', file('ana-souza.pem'), '-reqout', file('ocsp.req')])
  await openssl([
    'ts',
    '-query',
    '-digest',
    createHash('sha256').digest('hex'),
    '-sha256',
    '-cert',
    '-out',
    file('tsa.req'),
  ])
  ocspRequest = await readFile(file('ocsp.req'))
  timeStampRequest = await readFile(file('tsa.req'))
})
afterEach(() => demo.faults.clear())
afterAll(async () => {
  await demo.stop()
  await rm(folder, { recursive: true })
})

const file = (name: string): string => join(folder, name)

const post = (path: string, type: string, body: Buffer, signal?: AbortSignal) =>
  fetch(`${demo.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: new Uint8Array(body),
    ...(signal && { signal }),
  })

/** One valid request to each area. */
const ask: Record<FaultArea, (signal?: AbortSignal) => Promise<Response>> = {
  aia: (signal) => fetch(`${demo.baseUrl}/aia/level-2.crt`, { ...(signal && { signal }) }),
  crl: (signal) => fetch(`${demo.baseUrl}/crl/level-2.crl`, { ...(signal && { signal }) }),
  'crl-mirror': (signal) => fetch(`${demo.baseUrl}/crl-mirror/level-2.crl`, { ...(signal && { signal }) }),
  ocsp: (signal) => post('/ocsp', 'application/ocsp-request', ocspRequest, signal),
  tsa: (signal) => post('/tsa', 'application/timestamp-query', timeStampRequest, signal),
}

/** openssl's verdict on the area's response. */
const verdictOn: Record<FaultArea, (answer: Buffer) => Promise<string>> = {
  aia: async (answer) => {
    const issued = await openssl(['x509', '-inform', 'DER'], { input: answer })
    return (
      await openssl(['verify', '-CAfile', file('root.pem'), '-untrusted', file('level-1.pem')], {
        input: issued.stdout,
      })
    ).text
  },
  crl: (answer) => verdictOnList(answer),
  'crl-mirror': (answer) => verdictOnList(answer),
  ocsp: async (answer) => {
    await writeFile(file('ocsp.res'), answer)
    const trust = ['-CAfile', file('root.pem'), '-verify_other', file('authorities.pem')]
    // With the request openssl compares nonces; with the certificate it checks the times. It never does both.
    const asRequested = await openssl(['ocsp', '-respin', file('ocsp.res'), '-reqin', file('ocsp.req'), ...trust])
    const question = ['-issuer', file('level-2.pem'), '-cert', file('ana-souza.pem'), '-no_nonce']
    const asAsked = await openssl(['ocsp', '-respin', file('ocsp.res'), ...question, ...trust])
    return asRequested.text + asAsked.text
  },
  tsa: async (answer) => {
    await writeFile(file('tsa.res'), answer)
    return (
      await openssl([
        'ts',
        '-verify',
        '-in',
        file('tsa.res'),
        '-queryfile',
        file('tsa.req'),
        '-CAfile',
        file('root.pem'),
      ])
    ).text
  },
}

const verdictOnList = async (answer: Buffer): Promise<string> =>
  (await openssl(['crl', '-inform', 'DER', '-noout', '-CAfile', file('level-2.pem'), '-nextupdate'], { input: answer }))
    .text

const bytes = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer())

const good: Record<FaultArea, RegExp> = {
  aia: /stdin: OK/,
  crl: /verify OK/,
  'crl-mirror': /verify OK/,
  ocsp: /Response verify OK[\s\S]*: good/,
  tsa: /Verification: OK/,
}

describe.each(Object.keys(faultKinds) as FaultArea[])('the area %s', (area) => {
  test('is well without a fault', async () => {
    expect(await verdictOn[area](await bytes(await ask[area]()))).toMatch(good[area])
  })

  test('is out of service when down', async () => {
    demo.faults.set(area, { kind: 'down' })
    expect((await ask[area]()).status).toBe(503)
  })

  test('fails with an internal error', async () => {
    demo.faults.set(area, { kind: 'http-500' })
    expect((await ask[area]()).status).toBe(500)
  })

  test('resets the connection', async () => {
    demo.faults.set(area, { kind: 'reset' })
    const error = await ask[area]().catch((thrown) => thrown)
    expect(error.cause?.code).toMatch(/ECONNRESET|UND_ERR_SOCKET/)
  })

  test('answers well, but later than a client will wait', async () => {
    demo.faults.set(area, { kind: 'late', delayMs: 60_000 })
    await expect(ask[area](AbortSignal.timeout(100))).rejects.toThrow()
    demo.faults.set(area, { kind: 'late', delayMs: 20 })
    expect(await verdictOn[area](await bytes(await ask[area]()))).toMatch(good[area])
  })

  test('answers garbage under the right media type', async () => {
    const well = await ask[area]()
    demo.faults.set(area, { kind: 'garbage' })
    const answer = await ask[area]()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe(well.headers.get('content-type'))
    expect(await verdictOn[area](await bytes(answer))).not.toMatch(good[area])
  })

  test('is well again after as many requests as the fault was set for', async () => {
    demo.faults.set(area, { kind: 'down', times: 2 })
    const statuses = [(await ask[area]()).status, (await ask[area]()).status, (await ask[area]()).status]
    expect(statuses).toEqual([503, 503, 200])
  })
})

describe('a wrong answer', () => {
  test.each([
    ['aia', 'wrong-signature', /certificate signature failure|error 7 at/],
    ['crl', 'wrong-signature', /verify failure/],
    ['crl-mirror', 'wrong-signature', /verify failure/],
    ['ocsp', 'wrong-signature', /Response Verify Failure[\s\S]*ocsp_verify:signature failure/],
    ['ocsp', 'wrong-nonce', /Nonce Verify error/],
    ['ocsp', 'stale', /Status times invalid|status expired/],
    ['ocsp', 'try-later', /Responder Error: trylater/],
    ['tsa', 'wrong-signature', /Verification: FAILED[\s\S]*signature failure/],
    ['tsa', 'wrong-nonce', /Verification: FAILED[\s\S]*nonce mismatch/],
    ['tsa', 'try-later', /Verification: FAILED[\s\S]*failure codes: timeNotAvailable/],
  ] as const)('of %s, %s, is noticed by openssl', async (area, kind, verdict) => {
    demo.faults.set(area as 'ocsp', { kind: kind as 'stale' })
    expect(await verdictOn[area](await bytes(await ask[area]()))).toMatch(verdict)
  })

  test.each(['crl', 'crl-mirror'] as const)('of %s, stale, is signed but past its next update', async (area) => {
    demo.faults.set(area, { kind: 'stale' })
    const text = await verdictOn[area](await bytes(await ask[area]()))
    expect(text).toContain('verify OK')
    expect(Date.parse(/nextUpdate=(.*)/.exec(text)?.[1] ?? '')).toBeLessThan(Date.now())
  })

  test('of the bundle, wrong-signature, spoils its certificates too', async () => {
    demo.faults.set('aia', { kind: 'wrong-signature' })
    const bundle = await bytes(await fetch(`${demo.baseUrl}/aia/level-2.p7b`))
    expect(bundle.includes(demo.pki.certificate('level-2').der)).toBe(false)
  })

  test('does not linger: the honest list comes back unchanged', async () => {
    const before = await bytes(await ask.crl())
    demo.faults.set('crl', { kind: 'wrong-signature', times: 1 })
    expect((await bytes(await ask.crl())).equals(before)).toBe(false)
    expect((await bytes(await ask.crl())).equals(before)).toBe(true)
  })
})

describe('faults over HTTP', () => {
  const put = (area: string, body: string) =>
    fetch(`${demo.baseUrl}/faults/${area}`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body })
  const inForce = async () => (await fetch(`${demo.baseUrl}/faults`)).json()

  test('are set, listed and cleared, one area at a time or all', async () => {
    expect((await put('ocsp', '{"kind": "stale", "times": 3}')).status).toBe(200)
    expect((await put('tsa', '{"kind": "late", "delayMs": 10}')).status).toBe(200)
    expect(await inForce()).toEqual({ ocsp: { kind: 'stale', times: 3 }, tsa: { kind: 'late', delayMs: 10 } })
    await fetch(`${demo.baseUrl}/faults/ocsp`, { method: 'DELETE' })
    expect(await inForce()).toEqual({ tsa: { kind: 'late', delayMs: 10 } })
    await fetch(`${demo.baseUrl}/faults`, { method: 'DELETE' })
    expect(await inForce()).toEqual({})
  })

  test.each([
    ['ocsp', '{"kind": "tired"}', 400],
    ['crl', '{"kind": "wrong-nonce"}', 400],
    ['ocsp', '{"kind": "late", "delayMs": -1}', 400],
    ['ocsp', '{"kind": "late", "times": 0}', 400],
    ['ocsp', '{"kind": "late", "more": true}', 400],
    ['ocsp', '{"kind"', 400],
    ['ocsp', '', 400],
    ['coffee', '{"kind": "down"}', 404],
    ['constructor', '{"kind": "down"}', 404],
  ])('for %s, %s is refused with %d and changes nothing', async (area, body, status) => {
    expect((await put(area, body)).status).toBe(status)
    expect(await inForce()).toEqual({})
  })

  test('of an area that does not exist cannot be cleared', async () => {
    expect((await fetch(`${demo.baseUrl}/faults/coffee`, { method: 'DELETE' })).status).toBe(404)
  })
})
