// Clients published by others: the npm package itself, and the requests of those for Java, PHP and Python (cloud-hub
// facts 3.3), each with answers read as its client reads them.
import { createHash, randomBytes, verify, X509Certificate } from 'node:crypto'
import { request } from 'node:http'
import { type RunningCloudProvider, startCloudProvider } from '@chancela/testkit/cloud-provider'
import { CloudHubClient, TrustServiceSessionTypes } from 'cloudhub-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allowRedirects, authorizedSession, followedUser, REDIRECT_URI } from './test-support/authorized.ts'
import { sharedHub } from './test-support/hub-world.ts'
import { clock, running } from './test-support/pki.ts'
import { addProvider } from './test-support/providers.ts'

const ANA = { holder: 'ana-souza' } as const
const document = Buffer.from('I owe you ten reais.')
const hash = createHash('sha256').update(document).digest('base64')

// Clients do not see the database: testing on one is enough.
const hub = sharedHub('SQLite')
let provider: RunningCloudProvider
let cpf: string

beforeAll(async () => {
  provider = await startCloudProvider({ pki: running.pki, clock })
  cpf = provider.holders.find(({ label }) => label === ANA.holder)!.identifier
  await addProvider(hub(), provider, { protocol: 'psc', serviceName: 'SafeID' })
  await allowRedirects(hub())
})
afterAll(() => provider.stop())

const certificate = () => running.pki.certificate(ANA.holder).der

const isSignature = (signature: Buffer): boolean =>
  verify('sha256', document, new X509Certificate(certificate()).publicKey, signature)

/** The user goes to the URL; returns the session the client gets in the redirect. */
async function authorize(authUrl: string): Promise<string> {
  const back = await followedUser(hub(), provider, await provider.walk(authUrl, ANA), ANA)
  return back.searchParams.get('session')!
}

interface RawAnswer {
  readonly status: number
  readonly body: string
  readonly contentType: string | undefined
}

/** Sends exactly these bytes and headers, and nothing a library would add. */
function send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<RawAnswer> {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const asked = request(new URL(path, hub().baseUrl), { method, headers: { ...headers, ...length } }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({
          status: answer.statusCode!,
          body: Buffer.concat(chunks).toString('latin1'),
          contentType: answer.headers['content-type'],
        }),
      )
    })
    asked.on('error', reject).end(body)
  })
}

describe.each(['', '/'])('the client of npm, with a base URL that ends in %j', (slash) => {
  const client = () => new CloudHubClient(`${hub().baseUrl}${slash}`, hub().client.apiKey)
  const creation = () => ({
    identifier: cpf,
    redirectUri: REDIRECT_URI,
    type: TrustServiceSessionTypes.SingleSignature,
  })

  test('creates a session, reads the certificate and signs a hash', async () => {
    const { services } = await client().createSessionAsync(creation())
    expect(services).toHaveLength(1)
    const [service] = services!
    expect(service!.serviceInfo).toMatchObject({ serviceName: 'SafeID', badgeUrl: expect.stringContaining('http') })
    const session = await authorize(service!.authUrl!)
    // The client puts the value into the query unescaped.
    expect(session).toMatch(/^[\w.~-]+$/)
    expect(await client().getCertificateAsync(session)).toBe(certificate().toString('base64'))
    const signature = await client().signHashAsync({ session, hash, digestAlgorithm: 'SHA-256' })
    expect(isSignature(Buffer.from(signature as unknown as string, 'base64'))).toBe(true)
  })

  test('fails with a text in which the code stands', async () => {
    await expect(client().getCertificateAsync('unknown')).rejects.toContain('"SessionInvalidOrAlreadyUsed"')
    const elsewhere = { ...creation(), redirectUri: 'https://elsewhere.example/' }
    await expect(client().createSessionAsync(elsewhere)).rejects.toContain('"UnauthorizedRedirectUri"')
    const session = await authorizedSession(hub(), provider, ANA)
    const asked = { session, hash, digestAlgorithm: 'SHA-256' }
    await client().signHashAsync(asked)
    await expect(client().signHashAsync(asked)).rejects.toContain('"SessionInvalidOrAlreadyUsed"')
    await expect(client().signHashAsync({ session, hash })).rejects.toContain('DigestAlgorithmNameOrOidIsRequired')
    const stranger = new CloudHubClient(hub().baseUrl, randomBytes(32).toString('base64'))
    await expect(stranger.createSessionAsync(creation())).rejects.toContain('401')
  })

  test('sends nothing at all when it is given nothing, and is told which field is missing', async () => {
    await expect(client().createSessionAsync()).rejects.toContain('redirectUri')
  })
})

describe('the client of Java', () => {
  const headers = () => ({
    'X-Api-Key': hub().client.apiKey,
    Accept: 'application/json',
    'Content-Type': 'application/json-patch+json; charset=utf-8',
  })

  /** Like the client: fails on an unknown field. */
  function strict(model: Record<string, unknown>, ...known: readonly string[]): void {
    expect(Object.keys(model).filter((name) => !known.includes(name))).toEqual([])
  }

  /** Like the client: strips the quotes off the body and decodes the rest strictly. */
  function javaBytes({ status, body }: RawAnswer): Buffer {
    expect(status).toBe(200)
    expect(body).toMatch(/^"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"$/)
    return Buffer.from(body.replaceAll('"', ''), 'base64')
  }

  test('reads models without a field too many, and bare strings byte by byte', async () => {
    const body = JSON.stringify({ identifier: cpf, redirectUri: REDIRECT_URI, type: 1, lifetimeInSeconds: 300 })
    const created = await send('POST', '/api/sessions', headers(), body)
    expect(created.status).toBe(200)
    const session = JSON.parse(created.body)
    strict(session, 'services')
    strict(session.services[0], 'serviceInfo', 'authUrl')
    strict(session.services[0].serviceInfo, 'serviceName', 'provider', 'endpoint', 'badgeUrl')
    const value = encodeURIComponent(await authorize(session.services[0].authUrl))
    const read = await send('GET', `/api/sessions/certificate?session=${value}`, headers())
    expect(javaBytes(read)).toEqual(certificate())
    const signHash = JSON.stringify({ session: value, hash, digestAlgorithmOid: '2.16.840.1.101.3.4.2.1' })
    expect(isSignature(javaBytes(await send('POST', '/api/sessions/sign-hash', headers(), signHash)))).toBe(true)
  })
})

describe('the client of PHP', () => {
  const headers = () => ({ 'x-api-key': hub().client.apiKey, Accept: 'application/json' })
  const json = () => ({ ...headers(), 'Content-Type': 'application/json' })

  test('posts to the path with a slash at its end, with null for what it does not set', async () => {
    const body = JSON.stringify({
      identifier: cpf,
      identifierType: null,
      redirectUri: `${REDIRECT_URI}?fileId=7`,
      type: null,
      lifetimeInSeconds: 300,
      customState: null,
      discover: null,
    })
    const created = await send('POST', '/api/sessions/', json(), body)
    expect([created.status, created.contentType]).toEqual([200, 'application/json; charset=utf-8'])
    const { services } = JSON.parse(created.body)
    // An older client crashes on a null in either place.
    expect(services[0].serviceInfo.badgeUrl).toEqual(expect.any(String))
    const session = await authorize(services[0].authUrl)
    const read = await send('GET', `/api/sessions/certificate?session=${session}`, headers())
    expect(read.body).toBe(JSON.stringify(certificate().toString('base64')))
    const state = await send('GET', `/api/sessions/custom-state?session=${session}`, headers())
    expect([state.status, state.body]).toEqual([200, 'null'])
    const signHash = JSON.stringify({
      session,
      hash,
      digestAlgorithm: 'SHA-256',
      digestAlgorithmOid: null,
      certificateAlias: null,
    })
    const signed = await send('POST', '/api/sessions/sign-hash', json(), signHash)
    expect(isSignature(Buffer.from(JSON.parse(signed.body), 'base64'))).toBe(true)
  })

  test('finds no provider for somebody without a certificate, as an empty list', async () => {
    const body = JSON.stringify({ identifier: '10020030019', redirectUri: REDIRECT_URI, discover: null })
    const { status, body: text } = await send('POST', '/api/sessions/', json(), body)
    expect([status, text]).toEqual([200, '{"services":[]}'])
  })

  test('names a service in the path, in any case', async () => {
    const body = JSON.stringify({ redirectUri: REDIRECT_URI, identifier: cpf, type: 2, lifetimeInSeconds: 300 })
    const created = await send('POST', '/api/sessions/services/safeid', json(), body)
    expect([created.status, JSON.parse(created.body).serviceInfo.serviceName]).toEqual([200, 'SafeID'])
  })
})

describe('the client of Python', () => {
  const headers = () => ({
    'X-Api-Key': hub().client.apiKey,
    Accept: 'application/json',
    'Content-Type': 'application/json',
  })

  test('sends the type as a text of digits, and an empty identifier', async () => {
    for (const type of ['1', 1]) {
      const body = JSON.stringify({ identifier: '', redirectUri: REDIRECT_URI, type })
      const created = await send('POST', '/api/sessions', headers(), body)
      expect(created.status).toBe(200)
      const session = await authorize(JSON.parse(created.body).services[0].authUrl)
      const read = await send('GET', `/api/v2/sessions/certificate?session=${encodeURIComponent(session)}`, headers())
      expect(JSON.parse(read.body)).toEqual({
        content: certificate().toString('base64'),
        alias: ANA.holder,
        serviceName: 'SafeID',
      })
    }
  })

  test('shows status and body of what went wrong: none without a key', async () => {
    const { 'X-Api-Key': _, ...keyless } = headers()
    const refused = await send('GET', '/api/sessions/certificate?session=x', keyless)
    expect([refused.status, refused.body, refused.contentType]).toEqual([401, '', undefined])
    const missing = await send('POST', '/api/sessions', headers(), '{}')
    expect([missing.status, missing.contentType]).toEqual([400, 'application/problem+json; charset=utf-8'])
    expect(Object.keys(JSON.parse(missing.body).errors)).toEqual(['redirectUri'])
  })
})
