// A provider with a client application, and every step of the protocol as that application.
import { createHash, randomBytes, verify } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { testClock } from '../../clock/index.ts'
import { cachedKeys, type RunningDemoPki, startDemoPki } from '../../demo-pki/index.ts'
import { type RunningCloudProvider, startCloudProvider, type Walk } from '../index.ts'

export const clock = testClock('2026-11-16T12:00:00.000Z')
export const client = {
  clientId: 'hub',
  clientSecret: 'a secret of the hub',
  redirectUris: ['http://127.0.0.1:9/callback', 'http://127.0.0.1:9/other'],
}
export const [callback] = client.redirectUris as [string, string]
const SHA256 = '2.16.840.1.101.3.4.2.1'
export const document = Buffer.from('a document')
export const hash = createHash('sha256').update(document).digest()

export let pki: RunningDemoPki
export let provider: RunningCloudProvider

/** A provider for the test file that calls this at its top. */
export function useProvider(): void {
  beforeAll(async () => {
    pki = await startDemoPki({ keys: cachedKeys(), clock })
    provider = await startCloudProvider({ pki: pki.pki, clock })
    provider.register(client)
  })

  afterEach(() => provider.recover())

  afterAll(async () => {
    await provider.stop()
    await pki.stop()
  })
}

export const credentials = { client_id: client.clientId, client_secret: client.clientSecret }

export const holderOf = (label: string) => provider.holders.find((one) => one.label === label)!

export const later = (seconds: number): void => clock.advance(seconds * 1000)

export const isSigned = (raw: string, label: string): boolean =>
  verify('sha256', document, pki.pki.certificate(label).x509.publicKey, Buffer.from(raw, 'base64'))

export async function certificates(token: string): Promise<{ alias: string; certificate: string }[]> {
  const { body } = await call('GET', 'certificate-discovery', undefined, token)
  return body.certificates
}

export const aliases = async (token: string): Promise<string[]> => (await certificates(token)).map(({ alias }) => alias)

export async function codeOf() {
  const { url, verifier } = authUrl({})
  const back = new URL(await provider.walk(url, { holder: 'ana-souza' }))
  return { code: back.searchParams.get('code')!, verifier }
}

export async function tokenOf(asked: Record<string, string>, walk: Partial<Walk> = {}) {
  const { url, verifier } = authUrl(asked)
  const back = new URL(await provider.walk(url, { holder: 'ana-souza', ...walk }))
  expect(back.searchParams.get('state')).toBe('the state')
  const answer = await exchange(back.searchParams.get('code')!, verifier)
  expect(answer.status).toBe(200)
  return { token: answer.body.access_token as string, answer: answer.body }
}

export function authUrl(asked: Record<string, string>) {
  const verifier = randomBytes(64).toString('base64url')
  const url = new URL(`${provider.psc.baseUrl}/oauth/authorize`)
  const all = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: callback,
    state: 'the state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...asked,
  }
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value)
  return { url: url.href, verifier }
}

export const exchange = (code: string, verifier: string, more: Record<string, string> = {}) =>
  post(
    'token',
    new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: client.clientId,
      client_secret: client.clientSecret,
      code,
      code_verifier: verifier,
      redirect_uri: callback,
      ...more,
    }),
  )

export const signature = (token: string, hashes: readonly Buffer[], more: object = {}, whole: object = {}) =>
  post(
    'signature',
    {
      ...whole,
      hashes: hashes.map((one, index) => ({
        id: `${index}`,
        alias: 'document',
        hash: one.toString('base64'),
        hash_algorithm: SHA256,
        signature_format: 'RAW',
        ...more,
      })),
    },
    token,
  )

export const post = (name: string, body: URLSearchParams | object, token?: string) => call('POST', name, body, token)

export async function call(method: string, name: string, body: URLSearchParams | object | undefined, token?: string) {
  const isJson = body !== undefined && !(body instanceof URLSearchParams)
  const response = await fetch(`${provider.psc.baseUrl}/oauth/${name}`, {
    method,
    ...(body && { body: isJson ? JSON.stringify(body) : (body as URLSearchParams) }),
    headers: {
      ...(isJson && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  })
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
  return { status: response.status, body: (await response.json()) as any }
}
