// The PSC protocol against a provider that speaks it, with each way in which providers differ.

import { createHash, randomBytes, verify, X509Certificate } from 'node:crypto'
import { type RunningCloudProvider, startCloudProvider } from '@chancela/testkit/cloud-provider'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { SessionType } from '../src/contract/models.ts'
import type { DigestName } from '../src/rules/digests.ts'
import type { SomeKnobs } from '../src/upstream/knobs.ts'
import type { HeldCertificate } from '../src/upstream/provider.ts'
import { clock, running } from './test-support/pki.ts'
import { CALLBACK, grantOf, pscAdapter, WAITING } from './test-support/psc-adapter.ts'

let provider: RunningCloudProvider

beforeAll(async () => {
  provider = await startCloudProvider({ pki: running.pki, clock })
})
afterEach(() => provider.recover())
afterAll(() => provider.stop())

const document = randomBytes(100)
const hashOf = (digest: DigestName) => createHash(digest.replace('-', '')).update(document).digest()
const oneHash = { digest: 'SHA-256', values: [hashOf('SHA-256')] } as const
const account = (label: string) => provider.holders.find((one) => one.label === label)!

const isSigned = ({ der }: HeldCertificate, signature: Uint8Array, digest: DigestName = 'SHA-256') =>
  verify(digest.replace('-', ''), document, new X509Certificate(der).publicKey, signature)

/** The holder's certificate that is valid now. */
const isOwn = ({ der }: HeldCertificate) =>
  running.pki.certificate('ana-souza').x509.fingerprint256 === new X509Certificate(der).fingerprint256

/** A holder with more than one certificate. */
const several = () => provider.holders.find(({ credentials }) => credentials.length > 1)!

describe('discovery', () => {
  test.each([
    ['a person', 'CPF', 'ana-souza'],
    ['a company', 'CNPJ', 'padaria-aurora'],
  ] as const)('finds the certificate of %s', async (_, type, label) => {
    const { identifier: value } = account(label)
    expect(await pscAdapter(provider).discover({ type, value })).toBe(true)
  })

  test.each([false, true])('finds none for somebody else, whether slots is an empty list: %s', async (emptySlots) => {
    provider.quirks.emptySlots = emptySlots
    expect(await pscAdapter(provider).discover({ type: 'CPF', value: '11111111111' })).toBe(false)
  })

  test('takes the status Y for a yes', async () => {
    provider.quirks.foundStatus = 'Y'
    const value = account('ana-souza').identifier
    expect(await pscAdapter(provider).discover({ type: 'CPF', value })).toBe(true)
    expect(await pscAdapter(provider, { knobs: { foundStatuses: ['S'] } }).discover({ type: 'CPF', value })).toBe(false)
  })

  test('takes a refusal that says so for a no', async () => {
    provider.fail('discovery', { status: 404, body: { detail: { code: 1, status: 'NO_CERTIFICATE_FOUND' } } })
    expect(await pscAdapter(provider).discover({ type: 'CPF', value: '11111111111' })).toBe(false)
  })

  test('can be switched off', () => {
    expect(pscAdapter(provider, { knobs: { discovery: false } }).discovers).toBe(false)
  })
})

describe('the authorization', () => {
  const order = { type: 'SingleSignature', lifetimeSeconds: 300, callbackUri: CALLBACK, waitingUri: WAITING } as const

  test('asks with PKCE, state, scope, lifetime, and the identifier as a hint', async () => {
    const identifier = { type: 'CPF', value: '52998224725' } as const
    const { url, secret } = await pscAdapter(provider).begin({ ...order, identifier }, 'the state')
    const asked = Object.fromEntries(new URL(url).searchParams)
    expect(asked).toEqual({
      response_type: 'code',
      client_id: expect.any(String),
      redirect_uri: CALLBACK,
      state: 'the state',
      code_challenge: createHash('sha256').update(String(secret.verifier)).digest('base64url'),
      code_challenge_method: 'S256',
      scope: 'single_signature',
      lifetime: '300',
      login_hint: '52998224725',
    })
    expect(String(secret.verifier)).toMatch(/^[\w-]{86}$/)
    expect(url).not.toContain(String(secret.verifier))
  })

  test.each([
    ['CPF', 604_800],
    ['CNPJ', 2_592_000],
  ] as const)('asks for no more than a %s may have', async (type, longest) => {
    const long = { ...order, lifetimeSeconds: 10_000_000, identifier: { type, value: '1' } }
    const { url } = await pscAdapter(provider).begin(long, 's')
    expect(new URL(url).searchParams.get('lifetime')).toBe(String(longest))
  })

  test('sends further parameters, and no hint where the provider wants none', async () => {
    const knobs = { loginHint: false, authorizeParameters: ['psc=BIRDID'] }
    const identifier = { type: 'CPF', value: '52998224725' } as const
    const { url } = await pscAdapter(provider, { knobs }).begin({ ...order, identifier }, 's')
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({ psc: 'BIRDID' })
    expect(url).not.toContain('52998224725')
  })

  test('a grant tells its end and its holder', async () => {
    const grant = await grantOf(provider, pscAdapter(provider), { lifetimeSeconds: 120 })
    expect(grant).toMatchObject({
      expiresAt: new Date(clock().getTime() + 120_000).toISOString(),
      holder: { type: 'CPF', value: account('ana-souza').identifier },
    })
  })

  test('the provider may grant less than the requested lifetime', async () => {
    provider.quirks.shortenLifetime = 60
    const grant = await grantOf(provider, pscAdapter(provider), { lifetimeSeconds: 3600 })
    expect(grant.expiresAt).toBe(new Date(clock().getTime() + 60_000).toISOString())
  })

  test.each([
    ['SingleSignature', { calls: 'one', maxHashes: 1 }],
    ['MultiSignature', { calls: 'one' }],
    ['SignatureSession', { calls: 'many' }],
    ['AuthenticationSession', { calls: 'none' }],
  ] as const)('%s is good for what its scope says', async (type, allowance) => {
    const { calls, maxHashes } = await grantOf(provider, pscAdapter(provider), { type })
    expect({ calls, ...(maxHashes && { maxHashes }) }).toEqual(allowance)
  })

  test('several scopes in the answer do not hide the one that was asked for', async () => {
    provider.quirks.extraScopes = ['service_2fa']
    expect(await grantOf(provider, pscAdapter(provider), { type: 'SignatureSession' })).toMatchObject({ calls: 'many' })
  })

  test.each([
    ['single_signature', { calls: 'one', maxHashes: 1 }],
    ['something_else', { calls: 'none' }],
  ])('a granted scope that is less than the requested one is respected: %s', async (granted, allowance) => {
    provider.quirks.withheldScopes = ['signature_session']
    provider.quirks.extraScopes = [granted]
    expect(await grantOf(provider, pscAdapter(provider), { type: 'SignatureSession' })).toMatchObject(allowance)
  })

  test('an answer without scope grants what was asked for', async () => {
    provider.quirks.omitScope = true
    provider.quirks.omitIdentification = true
    const grant = await grantOf(provider, pscAdapter(provider), { type: 'SignatureSession' })
    expect(grant.calls).toBe('many')
    expect(grant.holder).toBeUndefined()
  })

  test('a token that is too long to be one is not kept', async () => {
    provider.fail('token', { status: 200, body: { access_token: 'x'.repeat(20_000), expires_in: 300 } })
    await expect(grantOf(provider, pscAdapter(provider))).rejects.toMatchObject({ kind: 'garbage' })
  })
})

/** Differences between providers, and the knobs for them. */
const differences: readonly (readonly [what: string, quirks: object, knobs: SomeKnobs, path?: string])[] = [
  ['nothing special', {}, {}],
  ['hexadecimal hashes', { hashEncoding: 'hex' }, { hashEncoding: 'hex' }],
  ['a token endpoint that takes JSON', { tokenBody: 'json' }, { tokenBody: 'json' }],
  ['certificates in bare base64', { certificateEncoding: 'der' }, {}],
  ['line breaks in signatures', { lineBreaks: true }, {}],
  ['all certificates of the holder in a list', { listAllCertificates: true }, {}],
  ['aliases of name and document', { aliasStyle: 'name-and-document' }, {}],
  ['a base that ends in /oauth', {}, {}, '/oauth/v0/oauth'],
  ['certificate-discovery at a path of its own', {}, { paths: ['certificate-discovery=/oauth/certificate-discovery'] }],
]

describe('the whole way', () => {
  test.each(differences.map(([what, quirks, knobs, path]) => ({ what, quirks, knobs, path })))(
    'ends in a signature of the holder: $what',
    async ({ quirks, knobs, path }) => {
      Object.assign(provider.quirks, quirks)
      const base = provider.psc.baseUrl
      const adapter = pscAdapter(provider, { knobs, ...(path && { endpoint: new URL(path, base).href }) })
      const grant = await grantOf(provider, adapter)
      const certificate = (await adapter.listCertificates(grant)).find(isOwn)!
      const { signatures } = await adapter.sign(grant, { certificate, hashes: oneHash })
      expect(signatures).toHaveLength(1)
      expect(isSigned(certificate, signatures[0]!)).toBe(true)
    },
  )

  test.each([
    ['SHA-256', 'ana-souza'],
    ['SHA-384', 'ana-souza'],
    ['SHA-512', 'padaria-aurora'],
    ['SHA-256', 'davi-moreira'],
  ] as const)('%s is signed with the key of %s', async (digest, holder) => {
    const adapter = pscAdapter(provider)
    const grant = await grantOf(provider, adapter, { holder })
    const [certificate] = await adapter.listCertificates(grant)
    const hashes = { digest, values: [hashOf(digest)] }
    const { signatures } = await adapter.sign(grant, { certificate: certificate!, hashes })
    expect(isSigned(certificate!, signatures[0]!, digest)).toBe(true)
  })

  test('a list of all certificates holds the expired one, too', async () => {
    provider.quirks.listAllCertificates = true
    const adapter = pscAdapter(provider)
    const certificates = await adapter.listCertificates(await grantOf(provider, adapter, { holder: several().label }))
    expect(certificates.map(({ alias }) => alias)).toEqual(several().credentials.map(({ alias }) => alias))
    expect(certificates.length).toBeGreaterThan(1)
  })

  test('several hashes come back in their order, whatever order the provider answers in', async () => {
    provider.quirks.reversed = true
    const adapter = pscAdapter(provider)
    const { grant, certificate } = await multi(adapter)
    const documents = Array.from({ length: 4 }, () => randomBytes(20))
    const values = documents.map((bytes) => createHash('sha256').update(bytes).digest())
    const { signatures } = await adapter.sign(grant, { certificate, hashes: { digest: 'SHA-256', values } })
    const key = new X509Certificate(certificate.der).publicKey
    expect(documents.map((bytes, at) => verify('sha256', bytes, key, signatures[at]!))).toEqual([
      true,
      true,
      true,
      true,
    ])
  })

  test('what the provider is known to refuse is not sent to it', async () => {
    provider.quirks.maxHashes = 5
    const adapter = pscAdapter(provider, { knobs: { maxHashesPerCall: 5, allowedDigests: ['SHA-256', 'SHA-512'] } })
    const { grant, certificate } = await multi(adapter)
    expect(grant.maxHashes).toBe(5)
    const before = signatureCalls()
    const six = { digest: 'SHA-256', values: Array.from({ length: 6 }, () => randomBytes(32)) } as const
    await expect(adapter.sign(grant, { certificate, hashes: six })).rejects.toMatchObject({ kind: 'too-many-hashes' })
    const other = { digest: 'SHA-384', values: [hashOf('SHA-384')] } as const
    await expect(adapter.sign(grant, { certificate, hashes: other })).rejects.toMatchObject({ kind: 'refused' })
    expect(signatureCalls()).toBe(before)
  })

  test('nothing of what is signed is told to the provider beside its hash', async () => {
    const adapter = pscAdapter(provider)
    const { grant, certificate } = await multi(adapter)
    await adapter.sign(grant, { certificate, hashes: oneHash })
    const sent = provider.calls.findLast(({ operation }) => operation === 'signature')!
    expect(sent.body).toEqual({
      certificate_alias: certificate.alias,
      hashes: [
        {
          id: '1',
          alias: 'hash 1',
          hash: oneHash.values[0].toString('base64'),
          hash_algorithm: '2.16.840.1.101.3.4.2.1',
          signature_format: 'RAW',
        },
      ],
    })
  })

  test('a revoked token is not accepted any more', async () => {
    const adapter = pscAdapter(provider)
    const grant = await grantOf(provider, adapter, { type: 'SignatureSession' })
    await adapter.revoke!(grant)
    await expect(adapter.listCertificates(grant)).rejects.toMatchObject({ kind: 'token-refused' })
  })
})

const signatureCalls = () => provider.calls.filter(({ operation }) => operation === 'signature').length

async function multi(adapter: ReturnType<typeof pscAdapter>, type: SessionType = 'MultiSignature') {
  const grant = await grantOf(provider, adapter, { type })
  const [certificate] = await adapter.listCertificates(grant)
  return { grant, certificate: certificate! }
}
