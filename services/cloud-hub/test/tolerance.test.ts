// Requests of real clients of this contract, by raw HTTP (cloud-hub facts 3.3 and 3.7).
import { request } from 'node:http'
import { type RunningCloudProvider, startCloudProvider } from '@chancela/testkit/cloud-provider'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allowRedirects, authorizedSession, REDIRECT_URI } from './test-support/authorized.ts'
import { sharedHub } from './test-support/hub-world.ts'
import { running } from './test-support/pki.ts'
import { addProvider } from './test-support/providers.ts'

const ANA = '52998224725'

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

describe('tolerances of real clients', () => {
  const world = sharedHub('SQLite')
  let provider: RunningCloudProvider

  beforeAll(async () => {
    provider = await startCloudProvider({ pki: running.pki, clock: world().clock })
    await addProvider(world(), provider, { protocol: 'psc', serviceName: 'BirdSim' })
    await allowRedirects(world())
  })
  afterAll(() => provider.stop())

  /** Sends the bytes as given: neither the path nor a header is changed, and a GET may have a body. */
  const send = (path: string, { method = 'GET', headers = {}, body }: Sent = {}) =>
    new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
      const { hostname, port } = new URL(world().baseUrl)
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const options = {
        hostname,
        port,
        path,
        method,
        headers: { 'x-api-key': world().client.apiKey, ...length, ...headers },
      }
      const call = request(options, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.on('end', () =>
          resolve({ status: answer.statusCode!, headers: answer.headers, text: Buffer.concat(chunks).toString() }),
        )
      })
      call.on('error', reject).end(body)
    })
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    send(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })

  test.each([
    ['POST', '/api/sessions/'],
    ['POST', '/api/sessions/services/BirdSim/'],
    ['POST', '/api/sessions/chooser/'],
    ['POST', '//api//sessions'],
    ['POST', '/API/Sessions'],
  ])('%s %s: a slash at the end, doubled slashes and any case are no other path', async (_method, path) => {
    expect((await post(path, { redirectUri: REDIRECT_URI })).status).toBe(200)
  })

  test.each(['/api/sessions/services/', '/api/sessions/services/birdsim/availability/'])('GET %s', async (path) => {
    expect((await send(`${path}?identifier=${ANA}`)).status).toBe(200)
  })

  test.each(['/api/sessions/custom-state/', '/api/sessions/certificate/', '/api/v2/sessions/certificate/'])(
    'GET %s with a slash at its end',
    async (path) => {
      const session = await authorizedSession(world(), provider, { holder: 'ana-souza', serviceName: 'BirdSim' })
      expect((await send(`${path}?session=${session}`)).status).toBe(200)
    },
  )

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json-patch+json',
    'application/json-patch+json; charset=utf-8',
    'text/json',
    'application/vnd.example+json',
    'APPLICATION/JSON',
  ])('a body of the type %s is JSON', async (type) => {
    expect((await post('/api/sessions', { redirectUri: REDIRECT_URI }, { 'content-type': type })).status).toBe(200)
  })

  test('a body that is no JSON type is refused', async () => {
    expect((await post('/api/sessions', { redirectUri: REDIRECT_URI }, { 'content-type': 'text/plain' })).status).toBe(
      415,
    )
  })

  test('nulls, empty text and unknown fields are as if they were not there', async () => {
    const empty = { identifierType: null, customState: null, discover: null, type: null, hashes: null }
    const php = { ...empty, redirectUri: REDIRECT_URI, identifier: ANA, lifetimeInSeconds: 300 }
    const answer = await post('/api/sessions/', php)
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.text).services).toHaveLength(1)
    const python = {
      redirectUri: REDIRECT_URI,
      identifier: '',
      type: '1',
      identifierType: '',
      customState: '',
      more: { x: 1 },
    }
    expect((await post('/api/sessions', python)).status).toBe(200)
  })

  test('names of fields, of query values and of the header of the key are read in any case', async () => {
    const written = { RedirectUri: REDIRECT_URI, IDENTIFIER: ANA, Type: 'SINGLESIGNATURE' }
    expect((await post('/api/sessions', written)).status).toBe(200)
    const { apiKey } = world().client
    const found = await send(`/api/sessions/services?Identifier=${ANA}&IDENTIFIERTYPE=cpf`, {
      headers: { 'X-API-KEY': apiKey },
    })
    expect(found.status).toBe(200)
  })

  test.each([
    ['no body', undefined],
    ['an empty body', ''],
    ['a body', '{}'],
  ])('a JSON content type on GET with %s changes nothing', async (_what, body) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const answer = await send(`/api/sessions/services?identifier=${ANA}`, {
      headers,
      ...(body !== undefined && { body }),
    })
    expect(answer.status).toBe(200)
  })

  test.each(['/api/sessions', '/api/sessions/services/BirdSim', '/api/sessions/chooser'])(
    'POST %s without a byte of body is a validation problem that names redirectUri',
    async (path) => {
      const answer = await send(path, { method: 'POST', body: '', headers: { 'content-type': 'application/json' } })
      expect(answer.status).toBe(400)
      expect(answer.headers['content-type']).toMatch('application/problem+json')
      expect(JSON.parse(answer.text)).toEqual({
        type: expect.any(String),
        title: 'One or more validation errors occurred.',
        status: 400,
        errors: { redirectUri: ['is required'] },
        traceId: expect.any(String),
      })
    },
  )

  test.each([
    ['missing', {}],
    ['empty', { 'x-api-key': '' }],
    ['unknown', { 'x-api-key': 'c2VjcmV0L3dpdGgrc2xhc2hlcz0=' }],
  ])('a key that is %s answers 401 with no body and no content type', async (_what, headers) => {
    const { hostname, port } = new URL(world().baseUrl)
    const answer = await fetch(`http://${hostname}:${port}/api/sessions`, {
      method: 'POST',
      headers: headers as Record<string, string>,
    })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('content-type')).toBeNull()
    expect(await answer.text()).toBe('')
  })

  test('a session put into the query without encoding is the session', async () => {
    const journey = { holder: 'ana-souza', serviceName: 'BirdSim', customState: 'x' }
    for (let time = 0; time < 5; time++) {
      const session = await authorizedSession(world(), provider, journey)
      expect(encodeURIComponent(session)).toBe(session)
      expect((await send(`/api/sessions/custom-state?session=${session}`)).text).toBe('"x"')
    }
  })
})
