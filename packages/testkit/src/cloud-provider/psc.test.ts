import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openssl, temporaryFolder } from '../tools/index.ts'
import {
  aliases,
  authUrl,
  call,
  callback,
  client,
  clock,
  codeOf,
  credentials,
  document,
  exchange,
  hash,
  holderOf,
  isSigned,
  later,
  pki,
  post,
  provider,
  signature,
  tokenOf,
  useProvider,
} from './test-support/psc-client.ts'

useProvider()

describe('the way from authorization to signature', () => {
  test('ends in a signature of the holder over the hash', async () => {
    const { token, answer } = await tokenOf({ scope: 'single_signature', lifetime: '120' })
    expect(answer).toMatchObject({
      token_type: 'Bearer',
      expires_in: 120,
      scope: 'single_signature',
      authorized_identification_type: 'CPF',
      authorized_identification: holderOf('ana-souza').identifier,
    })
    const { body } = await signature(token, [hash])
    expect(body).toMatchObject({ certificate_alias: 'ana-souza', signatures: [{ id: '0' }] })
    expect(isSigned(body.signatures[0].raw_signature, 'ana-souza')).toBe(true)
  })

  test.each([
    ['an elliptic-curve key', 'davi-moreira', 'CPF'],
    ['a company', 'padaria-aurora', 'CNPJ'],
  ])('works for %s', async (_, holder, type) => {
    const { token, answer } = await tokenOf({ scope: 'single_signature' }, { holder })
    expect(answer.authorized_identification_type).toBe(type)
    const { body } = await signature(token, [hash])
    expect(isSigned(body.signatures[0].raw_signature, holder)).toBe(true)
  })

  test('gives a CMS that openssl accepts', async () => {
    const { token } = await tokenOf({ scope: 'single_signature' })
    const { body } = await signature(token, [hash], { signature_format: 'CMS', include_chain: true })
    const folder = temporaryFolder()
    const [cms, content, roots] = ['cms.der', 'content', 'roots.pem'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    await writeFile(cms, Buffer.from(body.signatures[0].raw_signature, 'base64'))
    await writeFile(content, document)
    await writeFile(roots, pki.pki.trustAnchors())
    const time = ['-attime', String(Math.floor(clock().getTime() / 1000))]
    const files = ['-in', cms, '-content', content, '-CAfile', roots]
    const { ok, text } = await openssl(['cms', '-verify', '-binary', '-inform', 'DER', ...files, ...time])
    expect([ok, text]).toEqual([true, expect.stringContaining('a document')])
  })

  test('lets the holder choose among several certificates, and proposes the newest that is valid', async () => {
    const proposed = await tokenOf({}, { holder: 'bruno-lima' })
    expect(await aliases(proposed.token)).toEqual(['bruno-lima-renewed'])
    const chosen = await tokenOf({}, { holder: 'bruno-lima', certificate: 'bruno-lima' })
    expect(await aliases(chosen.token)).toEqual(['bruno-lima'])
    provider.quirks.listAllCertificates = true
    expect(await aliases(chosen.token)).toEqual(['bruno-lima', 'bruno-lima-renewed', 'bruno-lima-expired'])
  })

  test('ends with access_denied when the holder refuses or leaves', async () => {
    for (const decision of ['deny', 'cancel'] as const) {
      const back = new URL(await provider.walk(authUrl({}).url, { holder: 'ana-souza', decision }))
      expect(Object.fromEntries(back.searchParams)).toEqual({ error: 'access_denied', state: 'the state' })
    }
  })
})

describe('an authorization request', () => {
  test('of an unknown client, or to an address that is not registered, is a page and no redirect', async () => {
    for (const wrong of [{ client_id: 'nobody' }, { redirect_uri: 'https://evil.example/' }]) {
      const answer = await fetch(authUrl(wrong).url, { redirect: 'manual' })
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    }
  })

  test.each([
    ['without S256', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['without a challenge', { code_challenge: '' }, 'invalid_request'],
    ['for an unknown scope', { scope: 'everything' }, 'invalid_scope'],
    ['for a token at once', { response_type: 'token' }, 'unsupported_response_type'],
  ])('%s goes back with an error', async (_, wrong, error) => {
    const back = new URL(await provider.walk(authUrl(wrong).url, { holder: 'ana-souza' }))
    expect(Object.fromEntries(back.searchParams)).toEqual({ error, state: 'the state' })
  })

  test('without a redirect URI takes the first that is registered', async () => {
    const back = await provider.walk(authUrl({ redirect_uri: '' }).url, { holder: 'ana-souza' })
    expect(back.startsWith(`${callback}?`)).toBe(true)
  })

  test('for a lifetime beyond what the norm allows gets what it allows', async () => {
    const person = await tokenOf({ scope: 'signature_session', lifetime: '9999999' })
    expect(person.answer.expires_in).toBe(604_800)
    const company = await tokenOf({ scope: 'signature_session', lifetime: '9999999' }, { holder: 'padaria-aurora' })
    expect(company.answer.expires_in).toBe(2_592_000)
  })
})

describe('a code', () => {
  test('is good once', async () => {
    const { code, verifier } = await codeOf()
    expect((await exchange(code, verifier)).status).toBe(200)
    expect(await exchange(code, verifier)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('is burnt by a wrong verifier', async () => {
    const { code, verifier } = await codeOf()
    expect((await exchange(code, 'x'.repeat(43))).body.error).toBe('invalid_grant')
    expect((await exchange(code, verifier)).body.error).toBe('invalid_grant')
  })

  test.each([
    ['another redirect URI', { redirect_uri: client.redirectUris[1]! }, 'invalid_grant'],
    ['another client', { client_id: 'other', client_secret: 'other secret' }, 'invalid_grant'],
    ['a wrong secret', { client_secret: 'guess' }, 'invalid_client'],
    ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
  ])('is not exchanged for %s', async (_, wrong, error) => {
    provider.register({ ...client, clientId: 'other', clientSecret: 'other secret' })
    const { code, verifier } = await codeOf()
    expect((await exchange(code, verifier, wrong)).body.error).toBe(error)
  })

  test('is too old after two minutes', async () => {
    const { code, verifier } = await codeOf()
    later(121)
    expect((await exchange(code, verifier)).body.error).toBe('invalid_grant')
  })
})

describe('a token', () => {
  test.each([
    ['single_signature', 1, 1],
    ['multi_signature', 3, 1],
    ['signature_session', 3, 2],
  ])('of scope %s takes %i hashes in a call, and %i calls', async (scope, hashes, calls) => {
    const { token } = await tokenOf({ scope })
    const several = Array.from({ length: hashes }, () => hash)
    if (scope === 'single_signature') expect((await signature(token, [hash, hash])).status).toBe(400)
    const statuses = []
    for (let call = 0; call < 2; call++) statuses.push((await signature(token, several)).status)
    expect(statuses).toEqual([200, calls > 1 ? 200 : 401])
  })

  test('of scope authentication_session reads certificates and signs nothing', async () => {
    const { token } = await tokenOf({ scope: 'authentication_session' })
    expect(await aliases(token)).toEqual(['ana-souza'])
    expect(await signature(token, [hash])).toMatchObject({ status: 401, body: { error: 'invalid_token' } })
  })

  test('is void when its time is over, and when it is revoked', async () => {
    const short = await tokenOf({ scope: 'signature_session', lifetime: '60' })
    later(61)
    expect((await signature(short.token, [hash])).status).toBe(401)
    const revoked = await tokenOf({ scope: 'signature_session' })
    await post('revoke', { token: revoked.token })
    expect((await signature(revoked.token, [hash])).status).toBe(401)
  })

  test('is not spent by a call that is refused', async () => {
    const { token } = await tokenOf({ scope: 'single_signature' })
    expect((await signature(token, [Buffer.alloc(20)])).status).toBe(400)
    expect((await signature(token, [hash], {}, { certificate_alias: 'nobody' })).status).toBe(400)
    expect((await signature(token, [hash])).status).toBe(200)
  })

  test('for a password is good for every certificate of the holder', async () => {
    const { identifier, pin } = holderOf('bruno-lima')
    const requested = { ...credentials, grant_type: 'password', username: identifier, scope: 'signature_session' }
    expect((await post('pwd_authorize', { ...requested, password: 'guess' })).body.error).toBe('invalid_grant')
    const { body } = await post('pwd_authorize', { ...requested, password: pin })
    expect(await aliases(body.access_token)).toHaveLength(3)
  })
})

describe('an application', () => {
  test('registers itself, and changes what is known of it', async () => {
    const uris = ['https://app.example/return']
    const { body } = await post('application', { name: 'An app', comments: '', redirect_uris: uris, email: 'a@b.c' })
    expect(body).toMatchObject({ status: 'success' })
    const own = { client_id: body.client_id, client_secret: body.client_secret }
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...own })
    const { body: token } = await post('client_token', form)
    expect(token).toMatchObject({ token_type: 'Bearer', expires_in: 7200 })
    const change = { client_id: own.client_id, client_secret: 'a new one' }
    expect((await call('PUT', 'client_maintenance', change, token.access_token)).status).toBe(200)
    expect((await post('client_token', form)).body.error).toBe('invalid_client')
  })

  test('learns whether a holder has a certificate, and only with its secret', async () => {
    const asked = (type: string, value: string, more = {}) =>
      post('user-discovery', { ...credentials, user_cpf_cnpj: type, val_cpf_cnpj: value, ...more })
    expect((await asked('CPF', holderOf('ana-souza').identifier)).body).toMatchObject({
      status: 'S',
      slots: [{ slot_alias: 'ana-souza' }],
    })
    expect((await asked('CNPJ', holderOf('padaria-aurora').identifier)).body.status).toBe('S')
    expect((await asked('CPF', '00000000000')).body).toEqual({ status: 'N' })
    expect((await asked('CPF', '00000000000', { client_secret: 'guess' })).status).toBe(401)
  })
})
