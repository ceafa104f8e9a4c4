// The problem that each fault of a PSC provider leads to.
import { createHash, randomBytes } from 'node:crypto'
import {
  type ErrorShape,
  type Fault,
  type RunningCloudProvider,
  startCloudProvider,
} from '@chancela/testkit/cloud-provider'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ProviderProblem, ProviderProblemKind } from '../src/upstream/provider-problem.ts'
import { clock, running } from './test-support/pki.ts'
import { CALLBACK, grantOf, pscAdapter, WAITING } from './test-support/psc-adapter.ts'

let provider: RunningCloudProvider

beforeAll(async () => {
  provider = await startCloudProvider({ pki: running.pki, clock })
})
afterEach(() => provider.recover())
afterAll(() => provider.stop())

const hash = createHash('sha256').update('a document').digest()
const hashes = { digest: 'SHA-256', values: [hash] } as const
const holder = { type: 'CPF', value: '11111111111' } as const
const order = { type: 'SingleSignature', lifetimeSeconds: 300, callbackUri: CALLBACK, waitingUri: WAITING } as const

/** The problem that a call throws. */
const problemOf = (call: Promise<unknown>): Promise<ProviderProblem> =>
  call.then(
    () => expect.fail('It did not fail.'),
    (error: ProviderProblem) => error,
  )

const callsOf = (wanted: string) => provider.calls.filter(({ operation }) => operation === wanted).length

async function signing(options: Parameters<typeof pscAdapter>[1] = {}, holder = 'ana-souza') {
  const adapter = pscAdapter(provider, options)
  const grant = await grantOf(provider, adapter, { type: 'SignatureSession', holder })
  const [certificate] = await adapter.listCertificates(grant)
  const sign = () => adapter.sign(grant, { certificate: certificate!, hashes })
  return { adapter, grant, certificate: certificate!, sign }
}

/** Faults of the connection and of the server, whatever is called. */
const faults: readonly (readonly [what: string, fault: Fault, kind: ProviderProblemKind])[] = [
  ['a provider that fails (500)', { status: 500, body: { error: 'server_error' } }, 'garbage'],
  ['a provider that is out of order (503)', { status: 503, body: '<html>' }, 'garbage'],
  ['a provider that answers garbage', 'garbage', 'garbage'],
  ['a provider that redirects elsewhere', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'garbage'],
  ['a connection that breaks', 'drop', 'lost'],
  ['a provider that never answers', 'hang', 'timeout'],
  ['a provider that is asked too often (429)', { status: 429, body: {} }, 'unavailable'],
]

describe('a signature', () => {
  test.each(faults)('%s', async (_, fault, kind) => {
    const { sign } = await signing({ deadline: fault === 'hang' ? 1000 : 30_000 })
    provider.fail('signature', fault)
    const before = callsOf('signature')
    expect(await problemOf(sign())).toMatchObject({ kind })
    expect(callsOf('signature')).toBe(before + 1)
  })

  test.each([
    ['wrong-signature', 'ana-souza', 'Another key made it, or it is no PKCS#1 v1.5 signature.'],
    ['other-certificate', 'ana-souza', 'Another key made it, or it is no PKCS#1 v1.5 signature.'],
    ['bare-digest', 'ana-souza', 'The bare digest was signed, without its DigestInfo.'],
    ['wrong-signature', 'davi-moreira', 'The signature does not fit; nothing more can be told.'],
    ['other-certificate', 'davi-moreira', 'The signature does not fit; nothing more can be told.'],
  ] as const)('%s of %s is not handed out, and the log says what it is', async (fault, label, diagnosis) => {
    const { sign } = await signing({}, label)
    provider.fail('signature', fault)
    expect(await problemOf(sign())).toMatchObject({ kind: 'signature-wrong', diagnosis })
  })

  test('that was made and then lost is not asked for again', async () => {
    const { sign } = await signing()
    provider.fail('signature', 'drop-after-signing')
    const before = callsOf('signature')
    expect(await problemOf(sign())).toMatchObject({ kind: 'lost' })
    expect(callsOf('signature')).toBe(before + 1)
  })

  test('under a token that was used is refused', async () => {
    const adapter = pscAdapter(provider)
    const grant = await grantOf(provider, adapter)
    const [certificate] = await adapter.listCertificates(grant)
    await adapter.sign(grant, { certificate: certificate!, hashes })
    expect(await problemOf(adapter.sign(grant, { certificate: certificate!, hashes }))).toMatchObject({
      kind: 'token-refused',
    })
  })

  test('with an alias the provider does not know is refused', async () => {
    const { adapter, grant, certificate } = await signing()
    const order = { certificate: { ...certificate, alias: 'nobody' }, hashes }
    expect(await problemOf(adapter.sign(grant, order))).toMatchObject({ kind: 'alias-unknown' })
  })

  test('that is missing in the answer is garbage', async () => {
    const { sign } = await signing()
    provider.fail('signature', { status: 200, body: { signatures: [] } })
    expect(await problemOf(sign())).toMatchObject({ kind: 'garbage' })
  })

  test.each([
    [249, 'token-refused'],
    [301, 'timeout'],
    [620, 'alias-unknown'],
    [218, 'refused'],
  ])('whose own status is %i inside an answer with 200 is a problem: %s', async (status, kind) => {
    const { sign } = await signing()
    provider.fail('signature', { status: 200, body: { signatures: [{ id: '1', status }] } })
    expect(await problemOf(sign())).toMatchObject({ kind, code: String(status) })
  })

  test('is given up when whoever waits goes away', async () => {
    const { adapter, grant, certificate } = await signing()
    provider.fail('signature', 'hang')
    const leaving = new AbortController()
    const signed = problemOf(adapter.sign(grant, { certificate, hashes }, leaving.signal))
    setTimeout(() => leaving.abort(), 50)
    expect(await signed).toMatchObject({ kind: 'timeout' })
  })
})

describe('what changes nothing at the provider is asked once more', () => {
  test.each([
    ['a failure', { status: 500 }],
    ['a broken connection', 'drop'],
  ] as const)('%s', async (_, fault) => {
    const { adapter, grant } = await signing()
    const asked = [callsOf('discovery'), callsOf('certificates')]
    provider.fail('discovery', fault)
    provider.fail('certificates', fault)
    expect(await adapter.discover(holder)).toBe(false)
    expect(await adapter.listCertificates(grant)).toHaveLength(1)
    expect([callsOf('discovery'), callsOf('certificates')]).toEqual(asked.map((calls) => calls + 2))
  })

  test.each(faults)('and no more than that: %s', async (_, fault, kind) => {
    const adapter = pscAdapter(provider, { deadline: fault === 'hang' ? 300 : 30_000 })
    provider.failAlways('discovery', fault)
    expect(await problemOf(adapter.discover(holder))).toMatchObject({ kind })
  })
})

describe('the exchange of a code', () => {
  test('a code that is wrong or used is refused', async () => {
    const adapter = pscAdapter(provider)
    expect(await problemOf(adapter.redeem(order, { verifier: 'x' }, 'no code', 's'))).toMatchObject({
      kind: 'code-refused',
      code: 'invalid_grant',
    })
  })

  test('a code of somebody else does not fit the verifier', async () => {
    const adapter = pscAdapter(provider)
    const { url } = await adapter.begin(order, 'state')
    const code = new URL(await provider.walk(url, { holder: 'ana-souza' })).searchParams.get('code')!
    const { secret } = await adapter.begin(order, 'another')
    expect(await problemOf(adapter.redeem(order, secret, code, 'another'))).toMatchObject({ kind: 'code-refused' })
  })

  test('credentials the provider does not know are a matter for the operator', async () => {
    const adapter = pscAdapter(provider, { clientSecret: 'another' })
    const kind = 'misconfigured'
    expect(await problemOf(adapter.redeem(order, { verifier: 'x' }, 'code', 's'))).toMatchObject({ kind })
    expect(await problemOf(adapter.discover(holder))).toMatchObject({ kind })
  })

  test('is never repeated', async () => {
    const adapter = pscAdapter(provider)
    provider.fail('token', { status: 500 })
    const before = callsOf('token')
    expect(await problemOf(adapter.redeem(order, { verifier: 'x' }, 'code', 's'))).toMatchObject({ kind: 'garbage' })
    expect(callsOf('token')).toBe(before + 1)
  })
})

/** Shapes in which providers write refusals: all of them are read (cloud-hub facts 1.7). */
const shapes: readonly ErrorShape[] = ['oauth', 'problem', 'detail', 'message', 'text', 'code', 'nested']

describe('a refusal is understood in every shape', () => {
  test.each(shapes)('%s', async (errorShape) => {
    provider.quirks.errorShape = errorShape
    const { adapter, grant } = await (async () => {
      const adapter = pscAdapter(provider)
      return { adapter, grant: await grantOf(provider, adapter, { type: 'SignatureSession' }) }
    })()
    await adapter.revoke!(grant)
    expect(await problemOf(adapter.listCertificates(grant))).toMatchObject({ kind: 'token-refused' })
    const wrong = pscAdapter(provider, { clientSecret: 'another' })
    expect(await problemOf(wrong.discover(holder))).toMatchObject({ kind: 'misconfigured' })
  })

  test('what a provider repeats of a token does not get into the problem', async () => {
    const { adapter, grant } = await signing()
    const { token } = grant.data as { token: string }
    for (const body of [{ error: token }, { detail: { status: token } }, token, { code: token, message: token }]) {
      provider.fail('certificates', { status: 400, body })
      const problem = await problemOf(adapter.listCertificates(grant))
      expect(JSON.stringify(problem) + problem.stack).not.toContain(token)
    }
  })
})

describe('what is not there', () => {
  test('a certificate that cannot be read is garbage', async () => {
    const { adapter, grant } = await signing()
    const certificates = [{ alias: 'a', certificate: randomBytes(30).toString('base64') }]
    provider.fail('certificates', { status: 200, body: { status: 'S', certificates } })
    expect(await problemOf(adapter.listCertificates(grant))).toMatchObject({ kind: 'garbage' })
  })

  test('an answer with neither certificates nor a status is garbage, one that says no has none', async () => {
    const { adapter, grant } = await signing()
    for (const body of [[], {}, null, 'none', { certificates: null }]) {
      provider.fail('certificates', { status: 200, body })
      expect(await problemOf(adapter.listCertificates(grant)), JSON.stringify(body)).toMatchObject({ kind: 'garbage' })
    }
    for (const body of [{ status: 'N' }, { status: 'N', certificates: [] }, { certificates: [] }]) {
      provider.fail('certificates', { status: 200, body })
      expect(await adapter.listCertificates(grant)).toEqual([])
    }
  })

  test('discovery without a status, or a token answer without a token, is garbage', async () => {
    const adapter = pscAdapter(provider)
    provider.fail('discovery', { status: 200, body: { slots: [] } })
    expect(await problemOf(adapter.discover(holder))).toMatchObject({ kind: 'garbage' })
    provider.fail('token', { status: 200, body: { token_type: 'Bearer' } })
    expect(await problemOf(adapter.redeem(order, { verifier: 'x' }, 'code', 's'))).toMatchObject({ kind: 'garbage' })
  })

  test('an answer above the limit is cut off', async () => {
    const adapter = pscAdapter(provider, { maxResponseBytes: 4096 })
    provider.failAlways('discovery', { status: 200, body: { status: 'S', more: 'x'.repeat(10_000) } })
    expect(await problemOf(adapter.discover(holder))).toMatchObject({
      kind: 'garbage',
      diagnosis: 'The answer is longer than 4096 bytes.',
    })
  })
})

describe('the test of a connection', () => {
  const lines = (checks: readonly { name: string; ok: boolean }[]) => checks.map(({ name, ok }) => [name, ok])

  test('says what is well', async () => {
    expect(lines(await pscAdapter(provider).test())).toEqual([
      ['connection', true],
      ['client_token', true],
      ['user-discovery', true],
    ])
  })

  test('sends the credentials as JSON where the provider wants it', async () => {
    const [, token] = await pscAdapter(provider, { knobs: { clientTokenBody: 'json' } }).test()
    expect(token).toMatchObject({ ok: true })
  })

  test('says what is not, without secrets', async () => {
    const checks = await pscAdapter(provider, { clientSecret: 'a very wrong secret' }).test()
    expect(lines(checks)).toEqual([
      ['connection', true],
      ['client_token', false],
      ['user-discovery', false],
    ])
    expect(checks[1]!.findings).toEqual([
      { code: 'misconfigured', facts: {} },
      { code: 'answered-code', facts: { status: 401, code: 'invalid_client' } },
    ])
    expect(JSON.stringify(checks)).not.toContain('a very wrong secret')
  })

  test('says that the provider cannot be reached, and tries nothing more', async () => {
    const checks = await pscAdapter(provider, { endpoint: 'http://127.0.0.1:1/v0' }).test()
    expect(lines(checks)).toEqual([['connection', false]])
    expect(checks[0]!.findings).toEqual([
      { code: 'unavailable', facts: {} },
      { code: 'connection-refused', facts: { code: 'ECONNREFUSED' } },
    ])
  })
})
