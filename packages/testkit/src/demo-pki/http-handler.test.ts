import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOUR } from '@chancela/service-kernel/clock'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { testClock } from '../clock/index.ts'
import { openssl } from '../tools/run-tool.ts'
import { addresses } from './addresses.ts'
import { Faults } from './faults.ts'
import { demoPkiHandler } from './http-handler.ts'
import { cachedKeys } from './keys.ts'
import { type RunningDemoPki, startDemoPki } from './start-demo-pki.ts'

const clock = testClock()
let demo: RunningDemoPki

beforeAll(async () => {
  demo = await startDemoPki({ keys: cachedKeys(), clock })
})
afterAll(() => demo.stop())

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${demo.baseUrl}${path}`, { headers })
const bytes = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

describe('what is served', () => {
  test('every address inside a certificate leads somewhere', async () => {
    const at = addresses(demo.baseUrl)
    const urls = [
      ...at.issuerCertificates('level-2'),
      ...at.revocationLists('level-2'),
      at.practiceStatement,
      at.trustAnchors,
    ]
    for (const url of urls) expect((await fetch(url)).status).toBe(200)
  })

  test('the trust anchors are the root and not the unknown one', async () => {
    expect(await (await get('/roots.pem')).text()).toBe(demo.pki.certificate('root').x509.toString())
  })

  test('the practice statement says that nobody should trust this', async () => {
    const answer = await get('/cps.txt')
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await answer.text()).toContain('Trust it nowhere else.')
  })

  test('an issuer certificate is DER', async () => {
    const answer = await get('/aia/level-2.crt')
    expect(answer.headers.get('content-type')).toBe('application/pkix-cert')
    expect(await bytes(answer)).toEqual(demo.pki.certificate('level-2').der)
  })

  test('an issuer bundle has the authority and those above it, as openssl reads it', async () => {
    const answer = await get('/aia/level-2.p7b')
    expect(answer.headers.get('content-type')).toBe('application/pkcs7-mime')
    const { ok, text } = await openssl(['pkcs7', '-inform', 'DER', '-print_certs', '-noout'], {
      input: await bytes(answer),
    })
    expect(ok).toBe(true)
    expect(
      text
        .match(/^subject=.*CN = (.*)$/gm)
        ?.map((line) => line.split('CN = ')[1])
        .toSorted(),
    ).toEqual(['AC Pessoas Demo v1', 'AC Raiz Demo v1', 'AC Secretaria Demo v1'])
  })

  test('both distribution points have the same list', async () => {
    const [first, second] = [await get('/crl/level-2.crl'), await get('/crl-mirror/level-2.crl')]
    expect(first.headers.get('content-type')).toBe('application/pkix-crl')
    expect(await bytes(first)).toEqual(await bytes(second))
  })

  test('a list that did not change is not sent again', async () => {
    const first = await get('/crl/level-2.crl')
    const etag = first.headers.get('etag')!
    expect(first.headers.get('last-modified')).toBe('Mon, 02 Mar 2026 12:00:00 GMT')
    expect((await get('/crl/level-2.crl', { 'if-none-match': etag })).status).toBe(304)
    expect((await get('/crl/level-2.crl', { 'if-modified-since': 'Mon, 02 Mar 2026 12:00:00 GMT' })).status).toBe(304)
    expect((await get('/crl/level-2.crl', { 'if-modified-since': 'Mon, 02 Mar 2026 11:59:59 GMT' })).status).toBe(200)
    clock.advance(13 * HOUR)
    expect((await get('/crl/level-2.crl', { 'if-none-match': etag })).status).toBe(200)
  })

  test('HEAD answers without a body', async () => {
    const answer = await fetch(`${demo.baseUrl}/crl/level-2.crl`, { method: 'HEAD' })
    expect(answer.status).toBe(200)
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(500)
    expect((await bytes(answer)).length).toBe(0)
  })

  test('the 5 MB list arrives whole', async () => {
    const [answer, { der }] = [
      await get('/crl/bulky.crl'),
      await demo.pki.revocationList(demo.pki.certificate('bulky')),
    ]
    expect(der.length).toBeGreaterThan(5_000_000)
    expect((await bytes(answer)).equals(der)).toBe(true)
  })
})

describe('what is not served', () => {
  const send = (path: string, method: string, type: string, body: string) =>
    fetch(`${demo.baseUrl}${path}`, { method, headers: { 'content-type': type }, body })

  test.each(['/', '/crl/nobody.crl', '/aia/nobody.crt', '/aia/nobody.p7b', '/aia/ana-souza.crt', '/aia/../roots'])(
    '%s is not found',
    async (path) => {
      expect((await get(path)).status).toBe(404)
    },
  )

  test('another method is told which ones there are', async () => {
    const answer = await fetch(`${demo.baseUrl}/tsa`)
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('POST')
  })

  test('another media type is refused', async () => {
    expect((await send('/ocsp', 'POST', 'application/octet-stream', 'x')).status).toBe(415)
    expect((await send('/tsa', 'POST', 'application/json', '{}')).status).toBe(415)
  })

  test('a request longer than any honest one is refused', async () => {
    expect((await send('/ocsp', 'POST', 'application/ocsp-request', 'x'.repeat(70_000))).status).toBe(413)
  })
})

describe('inside another server', () => {
  /** A server that has the PKI's routes before its own. */
  async function mounted(onError: (error: unknown) => void = () => {}): Promise<string> {
    const handler = demoPkiHandler(demo.pki, { faults: new Faults(), onError })
    const server = createServer((request, response) => handler(request, response, () => response.end('the host')))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  test('the PKI answers its own paths and leaves the others to the host', async () => {
    const host = await mounted()
    expect(await (await fetch(`${host}/roots.pem`)).text()).toBe(demo.pki.trustAnchors())
    expect(await (await fetch(`${host}/anything`)).text()).toBe('the host')
  })

  test('a failure inside the PKI is a 500, and its owner learns of it', async () => {
    const errors: unknown[] = []
    const host = await mounted((error) => errors.push(error))
    const trustAnchors = demo.pki.trustAnchors
    onTestFinished(() => void Object.assign(demo.pki, { trustAnchors }))
    Object.assign(demo.pki, {
      trustAnchors: () => {
        throw new Error('lost')
      },
    })
    expect((await fetch(`${host}/roots.pem`)).status).toBe(500)
    expect(errors).toEqual([new Error('lost')])
  })
})

describe('starting', () => {
  test('on a busy port is a problem that names the setting', async () => {
    const port = Number(new URL(demo.baseUrl).port)
    const problem = await startDemoPki({ port, keys: cachedKeys() }).catch((error) => error)
    expect(problem).toBeInstanceOf(StartupProblem)
    expect(problem.setting).toBe('demo-pki Http:Port')
  })

  test('from a damaged folder frees the port again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'demo-pki-start-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'pki.json'), 'nonsense')
    const free = await startDemoPki({ keys: cachedKeys() })
    await free.stop()
    const port = Number(new URL(free.baseUrl).port)
    await expect(startDemoPki({ port, folder, keys: cachedKeys() })).rejects.toBeInstanceOf(StartupProblem)
    await (await startDemoPki({ port, keys: cachedKeys() })).stop()
  })
})
