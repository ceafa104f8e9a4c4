import { describe, expect, test, vi } from 'vitest'
import {
  authUrl,
  callback,
  certificates,
  codeOf,
  credentials,
  exchange,
  hash,
  holderOf,
  isSigned,
  pki,
  post,
  provider,
  signature,
  tokenOf,
  useProvider,
} from './test-support/psc-client.ts'

useProvider()

describe('quirks', () => {
  test('hashes in hexadecimal, line breaks, aliases, signatures in another order', async () => {
    const quirks = { hashEncoding: 'hex', lineBreaks: true, reversed: true, aliasStyle: 'name-and-document' } as const
    Object.assign(provider.quirks, quirks)
    const { token } = await tokenOf({ scope: 'multi_signature' })
    expect((await signature(token, [hash])).status).toBe(400)
    const { body } = await signature(token, [hash, hash], { hash: hash.toString('hex') })
    expect(body.certificate_alias).toBe(`ANA BEATRIZ SOUZA:${holderOf('ana-souza').identifier}`)
    expect(body.signatures.map(({ id }: { id: string }) => id)).toEqual(['1', '0'])
    expect(body.signatures[0].raw_signature).toContain('\r\n')
    expect(isSigned(body.signatures[0].raw_signature, 'ana-souza')).toBe(true)
  })

  test('DER certificates, shorter lifetimes, further scopes, a state nobody sent', async () => {
    const quirks = {
      certificateEncoding: 'der',
      shortenLifetime: 60,
      extraScopes: ['service_2fa'],
      maxHashes: 1,
    } as const
    Object.assign(provider.quirks, quirks, { stateWhenAbsent: 'NONE' })
    const { token, answer } = await tokenOf({ scope: 'signature_session', lifetime: '600' })
    expect(answer).toMatchObject({ expires_in: 60, scope: 'signature_session service_2fa' })
    const [certificate] = await certificates(token)
    expect(Buffer.from(certificate!.certificate, 'base64')).toEqual(pki.pki.certificate('ana-souza').der)
    expect((await signature(token, [hash, hash])).status).toBe(400)
    provider.quirks.issuer = 'https://nuvem.example'
    const { searchParams } = new URL(await provider.walk(authUrl({ state: '' }).url, { holder: 'ana-souza' }))
    expect([searchParams.get('state'), searchParams.get('iss')]).toEqual(['NONE', 'https://nuvem.example'])
  })

  test('a scope that the application was not granted is missing in the token', async () => {
    provider.quirks.withheldScopes = ['signature_session']
    const { token, answer } = await tokenOf({ scope: 'signature_session' })
    expect(answer.scope).toBe('')
    expect((await signature(token, [hash])).status).toBe(401)
  })

  test('a token endpoint that reads JSON', async () => {
    provider.quirks.tokenBody = 'json'
    const { code, verifier } = await codeOf()
    expect((await exchange(code, verifier)).body.error).toBe('invalid_request')
    const fields = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: callback }
    expect((await post('token', { ...credentials, ...fields })).status).toBe(200)
  })

  test.each([
    ['problem', { title: 'invalid_token', status: 401 }],
    ['detail', { detail: { status: 'INVALID_ACCESS_TOKEN' } }],
    ['message', { Message: 'The token is not valid.' }],
    ['code', { code: 'invalid_token' }],
    ['nested', { error: { code: 401_000 } }],
  ] as const)('refusals of the shape %s', async (shape, body) => {
    provider.quirks.errorShape = shape
    expect((await signature('no token', [hash])).body).toMatchObject(body)
  })
})

describe('faults', () => {
  test.each(['wrong-signature', 'other-certificate', 'bare-digest'] as const)(
    '%s: what is answered is no signature of the holder over the hash',
    async (fault) => {
      const { token } = await tokenOf({ scope: 'signature_session' })
      provider.fail('signature', fault)
      const { body } = await signature(token, [hash])
      expect(isSigned(body.signatures[0].raw_signature, 'ana-souza')).toBe(false)
      const { body: next } = await signature(token, [hash])
      expect(isSigned(next.signatures[0].raw_signature, 'ana-souza')).toBe(true)
    },
  )

  test('a connection that ends after signing has spent the token, one that ends before has not', async () => {
    const { token } = await tokenOf({ scope: 'single_signature' })
    provider.fail('signature', 'drop')
    await expect(signature(token, [hash])).rejects.toThrow()
    provider.fail('signature', 'drop-after-signing')
    await expect(signature(token, [hash])).rejects.toThrow()
    expect((await signature(token, [hash])).status).toBe(401)
  })

  test("answers of one's own, garbage and silence", async () => {
    provider.fail('discovery', { status: 503, body: { error: 'temporarily_unavailable' } })
    expect(await post('user-discovery', {})).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } })
    provider.fail('discovery', 'garbage')
    await expect(post('user-discovery', {})).rejects.toThrow(SyntaxError)
    provider.fail('discovery', 'hang')
    const arrived = provider.calls.length
    const gone = new AbortController()
    const asked = fetch(`${provider.psc.baseUrl}/oauth/user-discovery`, { method: 'POST', signal: gone.signal })
    await vi.waitUntil(() => provider.calls.length > arrived)
    gone.abort()
    await expect(asked).rejects.toThrow('aborted')
  })

  test('are ordered over HTTP, too', async () => {
    const admin = (name: string, body: object) =>
      fetch(new URL(`/admin/${name}`, provider.psc.baseUrl), {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      })
    expect((await admin('faults', { operation: 'client-token', fault: { status: 500 } })).status).toBe(200)
    expect((await fetch(`${provider.psc.baseUrl}/oauth/client_token`, { method: 'POST' })).status).toBe(500)
    await admin('quirks', { foundStatus: 'Y', csc: { scal: '2' } })
    expect(provider.quirks).toMatchObject({ foundStatus: 'Y', csc: { scal: '2', multisign: 10 } })
    expect((await admin('quirks', { nonsense: 1 })).status).toBe(400)
    expect((await admin('faults', { operation: 'client-token', fault: 'nonsense' })).status).toBe(400)
    await admin('recover', {})
    expect(provider.quirks).toMatchObject({ foundStatus: 'S', csc: { scal: '1' } })
  })
})
