// Meanings of a CSC server's messages and info, and how the hub handles them.
import { createHash, randomUUID } from 'node:crypto'
import { type RunningCloudProvider, startCloudProvider } from '@chancela/testkit/cloud-provider'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ProviderProblem, ProviderProblemKind } from '../src/upstream/provider-problem.ts'
import { cscAdapter, grantOf, order } from './test-support/csc-adapter.ts'
import { clock, running } from './test-support/pki.ts'

let provider: RunningCloudProvider

beforeAll(async () => {
  provider = await startCloudProvider({ pki: running.pki, clock })
})
afterEach(() => provider.recover())
afterAll(() => provider.stop())

const hashes = { digest: 'SHA-256', values: [createHash('sha256').update('a document').digest()] } as const

/** The problem that a call throws. */
const problemOf = (call: Promise<unknown>): Promise<ProviderProblem> =>
  call.then(
    () => expect.fail('It did not fail.'),
    (error: ProviderProblem) => error,
  )

const callsOf = (wanted: string) => provider.calls.filter(({ operation }) => operation === wanted).length

describe('a refusal of signHash means what its words say', () => {
  const words: readonly (readonly [words: string, kind: ProviderProblemKind])[] = [
    ['Hash is not authorized by the SAD.', 'hash-not-authorized'],
    ['Invalid parameter SAD', 'token-refused'],
    ['Missing (or invalid type) string parameter SAD', 'token-refused'],
    ['SAD expired', 'token-refused'],
    ['Invalid digest value length', 'refused'],
    ['Empty hash array', 'refused'],
    ['Invalid parameter signAlgo', 'refused'],
    ['Invalid parameter credentialID', 'alias-unknown'],
    ['Numbers of signatures is too high', 'too-many-hashes'],
    ["Signing certificate 'O=[organization],CN=[common_name]' is expired.", 'refused'],
  ]
  for (const shape of ['error_description', 'message'] as const) {
    it.each(words)(`'%s' in ${shape}`, async (text, kind) => {
      const adapter = cscAdapter(provider, { version: '1.0.4' })
      const grant = await grantOf(provider, adapter)
      const [certificate] = await adapter.listCertificates(grant)
      const body = shape === 'message' ? { message: text } : { error: 'invalid_request', error_description: text }
      provider.fail('signature', { status: 400, body })
      expect(await problemOf(adapter.sign(grant, { certificate: certificate!, hashes }))).toMatchObject({ kind })
    })
  }

  it('401 with expired_token or invalid_token is the token', async () => {
    const adapter = cscAdapter(provider)
    const grant = await grantOf(provider, adapter)
    const [certificate] = await adapter.listCertificates(grant)
    for (const error of ['expired_token', 'invalid_token']) {
      provider.fail('signature', { status: 401, body: { error } })
      const problem = await problemOf(adapter.sign(grant, { certificate: certificate!, hashes }))
      expect(problem).toMatchObject({ kind: 'token-refused' })
    }
  })
})

describe('before anything is sent', () => {
  it('a certificate that the holder did not authorize is refused', async () => {
    const adapter = cscAdapter(provider)
    const grant = await grantOf(provider, adapter)
    const [certificate] = await adapter.listCertificates(grant)
    const before = callsOf('signature')
    const other = { ...certificate!, alias: 'bruno-lima' }
    expect(await problemOf(adapter.sign(grant, { certificate: other, hashes }))).toMatchObject({
      kind: 'alias-unknown',
    })
    expect(callsOf('signature')).toBe(before)
  })

  it('a digest that the knobs or the key do not allow is refused', async () => {
    const adapter = cscAdapter(provider, { version: '2.0', allowedDigests: ['SHA-512'] })
    const grant = await grantOf(provider, adapter)
    const [certificate] = await adapter.listCertificates(grant)
    const before = callsOf('signature')
    expect(await problemOf(adapter.sign(grant, { certificate: certificate!, hashes }))).toMatchObject({
      kind: 'refused',
    })
    const sha1 = { digest: 'SHA-1', values: [createHash('sha1').update('a document').digest()] } as const
    const elsewhere = cscAdapter(provider)
    const other = await grantOf(provider, elsewhere)
    expect((await problemOf(elsewhere.sign(other, { certificate: certificate!, hashes: sha1 }))).kind).toBe('refused')
    expect(callsOf('signature')).toBe(before + 1)
  })
})

describe('a code', () => {
  it('with the wrong secret: the hub is misconfigured', async () => {
    for (const version of ['1.0.4', '2.2'] as const) {
      for (const messageErrors of [false, true]) {
        provider.quirks.csc.messageErrors = messageErrors
        const adapter = cscAdapter(provider, { version }, 'wrong')
        expect(await problemOf(grantOf(provider, adapter))).toMatchObject({ kind: 'misconfigured' })
      }
    }
  })

  it('that was exchanged before, or with the verifier of another redirect, is refused', async () => {
    const adapter = cscAdapter(provider)
    const step = await adapter.begin(order, randomUUID())
    const code = async () => new URL(await provider.walk(step.url, { holder: 'ana-souza' })).searchParams.get('code')!
    const once = await code()
    await adapter.redeem(order, step.secret, once, randomUUID())
    expect(await problemOf(adapter.redeem(order, step.secret, once, randomUUID()))).toMatchObject({
      kind: 'code-refused',
    })
    const other = await adapter.begin(order, randomUUID())
    const injected = adapter.redeem(order, other.secret, await code(), randomUUID())
    expect(await problemOf(injected)).toMatchObject({ kind: 'code-refused' })
  })
})

describe('what a server says', () => {
  const redeemed = async (
    adapter = cscAdapter(provider),
    type: 'SingleSignature' | 'AuthenticationSession' = 'SingleSignature',
  ) => {
    const step = await adapter.begin(order, randomUUID())
    const back = new URL(await provider.walk(step.url, { holder: 'bruno-lima' }))
    return adapter.redeem({ ...order, type }, step.secret, back.searchParams.get('code')!, randomUUID())
  }

  it.each([
    [1e300, 100 * 365.25 * 86_400],
    ['60', 60],
    ['soon', 3600],
    [-5, 3600],
    [undefined, 3600],
  ])('of a lifetime (%s) is read as one', async (expires_in, seconds) => {
    provider.fail('token', { status: 200, body: { access_token: 'a', token_type: 'Bearer', expires_in } })
    const outcome = await redeemed(cscAdapter(provider), 'AuthenticationSession')
    const until = clock().getTime() + seconds * 1000
    expect(outcome).toMatchObject({ kind: 'granted', grant: { expiresAt: new Date(until).toISOString() } })
  })

  it('of an authorization mode nobody knows is no answer', async () => {
    for (const mode of ['constructor', 'toString', 'magic']) {
      const der = running.pki.certificate('bruno-lima').der.toString('base64')
      const body = { key: { algo: [] }, cert: { certificates: [der] }, auth: { mode } }
      provider.failAlways('certificates', { status: 200, body })
      expect(await problemOf(redeemed())).toMatchObject({ kind: 'garbage' })
    }
  })

  it('a credential that it lists and then refuses to tell of is left out', async () => {
    const body = { error: 'invalid_request', error_description: 'Invalid parameter credentialID' }
    provider.fail('certificates', { status: 400, body })
    expect(await redeemed()).toMatchObject({ kind: 'next' })
  })
})

describe('the info of the server', () => {
  it('is read once in ten minutes', async () => {
    const adapter = cscAdapter(provider)
    const before = callsOf('info')
    await Promise.all([adapter.begin(order, 'a'), adapter.begin(order, 'b')])
    clock.advance(9 * 60_000)
    await adapter.begin(order, 'c')
    expect(callsOf('info')).toBe(before + 1)
    clock.advance(2 * 60_000)
    await adapter.begin(order, 'd')
    expect(callsOf('info')).toBe(before + 2)
  })

  it('that fails makes the provider unavailable, and is asked again the next time', async () => {
    const adapter = cscAdapter(provider)
    provider.failAlways('info', 'garbage')
    expect(await problemOf(adapter.begin(order, 'a'))).toMatchObject({ kind: 'unavailable' })
    provider.recover()
    expect((await adapter.begin(order, 'b')).url).toContain('/csc/v2/oauth2/authorize?')
  })

  it('may name no authorization server that takes holders elsewhere than to a web page', async () => {
    for (const oauth2 of ['javascript:alert(1)', 'file:///etc/passwd', 'http://user:secret@127.0.0.1/', 'nothing']) {
      const adapter = cscAdapter(provider)
      provider.fail('info', { status: 200, body: { specs: '2.0.0.2', methods: [], oauth2 } })
      expect(await problemOf(adapter.begin(order, 'a'))).toMatchObject({ kind: 'misconfigured' })
    }
  })

  it('cannot make the hub send its secret to an address inside its network', async () => {
    const adapter = cscAdapter(provider)
    const body = { specs: '2.0.0.2', methods: [], oauth2: 'http://169.254.169.254/latest' }
    provider.fail('info', { status: 200, body })
    const { secret } = await adapter.begin(order, 'a')
    expect(await problemOf(adapter.redeem(order, secret, 'code', 'b'))).toMatchObject({ kind: 'unavailable' })
  })

  it('is overruled by the knob oauthBase', async () => {
    const adapter = cscAdapter(provider, { version: '2.0', oauthBase: 'http://127.0.0.1:1/elsewhere/' })
    expect((await adapter.begin(order, 'a')).url).toMatch(/^http:\/\/127\.0\.0\.1:1\/elsewhere\/oauth2\/authorize\?/)
  })
})

describe('the test of a connection', () => {
  it('tells that all is well', async () => {
    for (const version of ['1.0.4', '2.0', '2.2'] as const) {
      const checks = await cscAdapter(provider, { version }).test()
      expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
        ['info', true],
        ['version', true],
        ['oauth2', true],
        ['methods', true],
      ])
    }
  })

  it('tells what is wrong: version, authorization server, methods', async () => {
    provider.fail('info', { status: 200, body: { specs: '1.0.4.0', methods: ['credentials/list'] } })
    const checks = await cscAdapter(provider, { version: '2.2' }).test()
    expect(checks.filter(({ ok }) => !ok).map(({ findings }) => findings)).toEqual([
      [{ code: 'speaks-version', facts: { told: '1.0.4.0', version: '2.2' } }],
      [{ code: 'authorization-server-unknown', facts: {} }],
      [{ code: 'methods-missing', facts: { methods: 'credentials/info, signatures/signHash' } }],
    ])
  })

  it('tells that nobody answers', async () => {
    provider.fail('info', { status: 503, body: 'closed' })
    provider.fail('info', { status: 503, body: 'closed' })
    expect(await cscAdapter(provider).test()).toMatchObject([{ name: 'info', ok: false }])
  })
})
