// @chancela/client against the hub itself.
import { execFile, spawn } from 'node:child_process'
import { createHash, verify, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { createHubClient, isHubError, returnedSession, type SessionType } from '@chancela/client/cloud-hub'
import { type RunningCloudProvider, startCloudProvider } from '@chancela/testkit/cloud-provider'
import { freePort } from '@chancela/testkit/tools'
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { clientRoutes } from '../src/client-contract.ts'
import type { SessionType as ContractSessionType } from '../src/contract/models.ts'
import { allowRedirects, followedUser, REDIRECT_URI } from './test-support/authorized.ts'
import { sharedHub } from './test-support/hub-world.ts'
import { clock, running } from './test-support/pki.ts'
import { addProvider } from './test-support/providers.ts'

const ANA = { holder: 'ana-souza' } as const
const CPF = '52998224725'
const documents = ['one', 'two', 'three'].map((text) => Buffer.from(text))
const hashOf = (document: Uint8Array) => createHash('sha256').update(document).digest()

// The client does not see the database: testing on one is enough.
const hub = sharedHub('SQLite')
let provider: RunningCloudProvider

beforeAll(async () => {
  provider = await startCloudProvider({ pki: running.pki, clock })
  await addProvider(hub(), provider, { protocol: 'psc', serviceName: 'nuvem' })
  await allowRedirects(hub())
})
afterAll(() => provider.stop())

const clientOf = () => createHubClient({ baseUrl: hub().baseUrl, apiKey: hub().client.apiKey })

async function caught(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.fail('The call should have failed.'),
    (error: unknown) => error,
  )
}

/** The user goes to a provider, or to the chooser and then to the provider; returns where the hub redirects. */
async function wentTo(address: string): Promise<string> {
  const { pathname } = new URL(address)
  const ticket = /^\/choose\/(.+)$/.exec(pathname)?.[1]
  const authUrl = ticket ? (await hub().json('GET', `/choices/${ticket}`)).body.services[0].authUrl : address
  return (await followedUser(hub(), provider, await provider.walk(authUrl, ANA), ANA)).href
}

const isSigned = (document: Uint8Array, signature: Uint8Array, der: Uint8Array): boolean =>
  verify('sha256', document, new X509Certificate(der).publicKey, signature)

describe('the client of the hub', () => {
  test('knows every operation that is served, and no other', async () => {
    const { body } = await hub().json('GET', '/openapi/v1.json')
    const served = Object.entries(body.paths as object).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(served.filter((line) => line.includes('/api/')).sort()).toEqual(
      clientRoutes.map(({ method, path }) => `${method} ${path}`).sort(),
    )
    expectTypeOf<SessionType>().toEqualTypeOf<ContractSessionType>()
  })

  test('finds the eight operations of the specification, and four that are told as extensions', async () => {
    const { body } = await hub().json('GET', '/openapi/v1.json')
    const tagged = Object.entries<Record<string, { readonly tags?: readonly string[] }>>(body.paths).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, { tags = [] }]) => ({
          operation: `${method.toUpperCase()} ${path}`,
          isExtension: tags.includes('Extensions'),
        })),
    )
    const ofApi = tagged.filter(({ operation }) => operation.includes('/api/'))
    const named = (extensions: boolean) =>
      ofApi.filter(({ isExtension }) => isExtension === extensions).map(({ operation }) => operation)
    expect(named(false).sort()).toEqual([
      'GET /api/sessions/certificate',
      'GET /api/sessions/custom-state',
      'GET /api/sessions/services',
      'GET /api/sessions/services/{name}/availability',
      'GET /api/v2/sessions/certificate',
      'POST /api/sessions',
      'POST /api/sessions/services/{name}',
      'POST /api/sessions/sign-hash',
    ])
    expect(named(true).sort()).toEqual([
      'GET /api/sessions/status',
      'POST /api/sessions/chooser',
      'POST /api/sessions/end',
      'POST /api/sessions/sign-hashes',
    ])
  })

  test('binds a session to a list of documents, and tells what of it is left', async () => {
    const client = clientOf()
    const { authUrl } = await client.createServiceSession('nuvem', {
      redirectUri: REDIRECT_URI,
      type: 'SignatureSession',
      documents: [
        { name: 'one.pdf', hash: hashOf(documents[0]!) },
        { name: 'two.pdf', hash: hashOf(documents[1]!).toString('base64') },
      ],
      digestAlgorithm: 'SHA-256',
    })
    const { session, error } = returnedSession(await wentTo(authUrl))
    if (error !== undefined) return expect.fail(error)
    const sign = (at: number) => client.signHash({ session, hash: hashOf(documents[at]!), digestAlgorithm: 'SHA-256' })
    await sign(0)
    const again = await caught(sign(0))
    expect(isHubError(again, 'HashNotAuthorized') && again.details?.reason).toBe('signed')
    const { remainingHashes, documents: list } = await client.status(session)
    expect([remainingHashes, list?.map(({ name, state }) => `${name} ${state}`)]).toEqual([
      1,
      ['one.pdf signed', 'two.pdf open'],
    ])
  })

  test('finds providers, sends the user to one, and signs with the certificate that is kept there', async () => {
    const client = clientOf()
    expect((await client.services({ identifier: CPF })).services.map(({ serviceName }) => serviceName)).toEqual([
      'nuvem',
    ])
    expect(await client.availability('nuvem', { identifier: CPF })).toMatchObject({ certificateFound: true })
    const { services } = await client.createSession({ redirectUri: REDIRECT_URI, identifier: CPF, customState: 'mine' })
    const { session, error } = returnedSession(await wentTo(services[0]!.authUrl))
    if (error !== undefined) return expect.fail(error)
    expect(await client.customState(session)).toMatchObject({ customState: 'mine' })
    const status = await client.status(session)
    expect(status).toMatchObject({ serviceName: 'nuvem', type: 'SingleSignature' })
    const { bytes, alias } = await client.certificate(session)
    expect([Buffer.from(bytes), alias]).toEqual([running.pki.certificate(ANA.holder).der, ANA.holder])
    const request = { session, hash: hashOf(documents[0]!), digestAlgorithm: 'SHA-256', idempotencyKey: 'contract 7' }
    const { signature } = await client.signHash(request)
    expect(isSigned(documents[0]!, signature, bytes)).toBe(true)

    // The same answer again only under the same key.
    expect((await client.signHash(request)).signature).toEqual(signature)
    const again = await caught(client.signHash({ ...request, idempotencyKey: undefined }))
    expect(isHubError(again, 'SessionInvalidOrAlreadyUsed')).toBe(true)
  })

  test('signs several hashes in one call, and ends the session', async () => {
    const client = clientOf()
    const { authUrl } = await client.createServiceSession('nuvem', {
      redirectUri: REDIRECT_URI,
      type: 'SignatureSession',
      lifetimeInSeconds: 600,
    })
    const { session } = returnedSession(await wentTo(authUrl))
    const { bytes } = await client.certificate(session!)
    const hashes = documents.map(hashOf)
    const { signatures } = await client.signHashes({ session: session!, hashes, digestAlgorithm: 'SHA-256' })
    expect(signatures.map((signature, at) => isSigned(documents[at]!, signature, bytes))).toEqual([true, true, true])
    await client.end(session!)
    expect(await caught(client.certificate(session!))).toMatchObject({ code: 'SessionInvalidOrAlreadyUsed' })
  })

  test('tells what is wrong as the hub does', async () => {
    const client = clientOf()
    const elsewhere = 'https://elsewhere.example/'
    expect(await caught(client.createSession({ redirectUri: elsewhere }))).toMatchObject({
      code: 'UnauthorizedRedirectUri',
      status: 422,
      details: { redirectUri: elsewhere },
    })
    const short = client.signHash({ session: 'x', hash: new Uint8Array(3), digestAlgorithm: 'SHA-256' })
    expect(await caught(short)).toMatchObject({
      code: 'InvalidRequest',
      status: 400,
      details: { hash: expect.any(Array) },
    })
    const stranger = createHubClient({ baseUrl: hub().baseUrl, apiKey: 'nobody' })
    expect(await caught(stranger.customState('x'))).toMatchObject({ code: 'Unauthorized', status: 401 })
    const { authUrl } = await client.createServiceSession('nuvem', { redirectUri: REDIRECT_URI })
    const { session } = returnedSession(await wentTo(authUrl))
    provider.fail('signature', 'garbage')
    const failed = await caught(
      client.signHash({ session: session!, hash: hashOf(documents[0]!), digestAlgorithm: 'SHA-256' }),
    )
    if (!isHubError(failed, 'ProviderError')) return expect.fail(String(failed))
    expect(failed.isRetryable).toBe(false)
    await expect.poll(() => hub().log()).toContain(failed.correlationId)
  })
})

describe('the examples of the client', () => {
  const source = ['--conditions=chancela-source', '--import', import.meta.resolve('tsx')]
  const exampleOf = (name: string) => new URL(`../../../packages/client/examples/${name}.ts`, import.meta.url).pathname
  const environment = (more: object) => ({
    ...process.env,
    CLOUD_HUB_URL: hub().baseUrl,
    CLOUD_HUB_KEY: hub().client.apiKey,
    ...more,
  })

  test('find providers', async () => {
    const env = environment({ REDIRECT_URI })
    const { stdout } = await promisify(execFile)(process.execPath, [...source, exampleOf('cloud-providers')], { env })
    const pages = new URL(provider.psc.baseUrl).origin
    expect(stdout).toBe(`nuvem (Nuvem Demo S.A.): true\nsend the user to ${pages}\n`)
  })

  test('sign with a cloud certificate', async () => {
    const port = await freePort()
    await allowRedirects(hub(), `http://localhost:${port}/return`)
    const env = environment({ PORT: String(port) })
    const running = spawn(process.execPath, [...source, exampleOf('cloud-sign')], { env, stdio: ['ignore', 'pipe', 2] })
    const ended = once(running, 'exit')
    const [line] = await once(createInterface(running.stdout!), 'line')
    const address = (line as string).replace('open ', '')
    const begun = await fetch(address, { redirect: 'manual' })
    const answer = await fetch(await wentTo(begun.headers.get('location')!), { headers: { connection: 'close' } })
    expect(await answer.text()).toMatch(/^\d{3,4} bytes of certificate, 256 bytes of signature$/)
    // Nothing keeps the process alive.
    expect((await ended)[0]).toBe(0)
  })
})
