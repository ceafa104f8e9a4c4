// The CSC half of the provider follows CSC 1.0.4, 2.0 and 2.2; what a hub needs of it is tested with the hub.
import { describe, expect, it } from 'vitest'
import {
  activation,
  csc,
  cscAuthUrl,
  cscToken,
  granted,
  RSA_SHA256,
  SHA256,
  walked,
} from './test-support/csc-client.ts'
import { client, credentials, hash, isSigned, later, provider, useProvider } from './test-support/psc-client.ts'

useProvider()

const digest = hash.toString('base64')
const other = Buffer.alloc(32, 7).toString('base64')

const told = ({ status, body }: { status: number; body: { error?: string; error_description?: string } }) =>
  `${status} ${body.error}: ${body.error_description}`

describe('info', () => {
  it('tells each version in its own fields, to anybody', async () => {
    expect((await csc('1.0.4', 'info', {})).body).toMatchObject({
      specs: '1.0.4.0',
      authType: ['oauth2code'],
      oauth2: provider.csc.baseUrl('1.0.4'),
      methods: expect.arrayContaining(['credentials/extendTransaction', 'signatures/signHash']),
    })
    expect((await csc('2.0', 'info', {})).body).toMatchObject({
      specs: '2.0.0.2',
      oauth2: provider.csc.baseUrl('2.0'),
      signAlgorithms: { algos: expect.arrayContaining([RSA_SHA256]) },
    })
    const { body } = await csc('2.2', 'info', {})
    expect(body).toMatchObject({
      specs: '2.2.0.0',
      oauth2Servers: [{ baseUri: provider.csc.baseUrl('2.2'), supportsRar: true }],
      supportedHashTypes: ['DTBSR'],
    })
    expect(body.oauth2).toBeUndefined()
  })
})

describe('oauth2', () => {
  it('demands a challenge in 2.x only', async () => {
    const without = { code_challenge: undefined, code_challenge_method: undefined, scope: 'service' }
    const refused = await fetch(cscAuthUrl('2.0', without).url, { redirect: 'manual' })
    const back = new URL(refused.headers.get('location')!).searchParams
    expect([back.get('error'), back.get('state')]).toEqual(['invalid_request', 'the state'])
    expect((await walked(cscAuthUrl('1.0.4', without).url)).get('code')).toMatch(/\S/)
  })

  it('redirects to registered addresses only', async () => {
    const { url } = cscAuthUrl('2.0', { redirect_uri: 'http://127.0.0.1:9/elsewhere' })
    const refused = await fetch(url, { redirect: 'manual' })
    expect([refused.status, refused.headers.get('location')]).toEqual([400, null])
  })

  it('takes a code once, and burns it when the verifier is wrong', async () => {
    const { url, verifier } = cscAuthUrl('2.0', { scope: 'service' })
    const code = (await walked(url)).get('code')!
    const wrong = await cscToken('2.0', { ...credentials, code, code_verifier: 'wrong' })
    expect(told(wrong)).toBe('400 invalid_grant: Authorization code is invalid or expired')
    const right = await cscToken('2.0', { ...credentials, code, code_verifier: verifier })
    expect(told(right)).toBe('400 invalid_grant: Authorization code is invalid or expired')
  })

  it('takes the secret of the client in the body or as HTTP Basic, and no other', async () => {
    const exchange = async (fields: Record<string, string>, headers: Record<string, string> = {}) => {
      const { url, verifier } = cscAuthUrl('2.0', { scope: 'service' })
      const code = (await walked(url)).get('code')!
      return cscToken('2.0', { ...fields, code, code_verifier: verifier }, headers)
    }
    const basic = Buffer.from(`${client.clientId}:${encodeURIComponent(client.clientSecret)}`).toString('base64')
    expect((await exchange({}, { authorization: `Basic ${basic}` })).body.token_type).toBe('Bearer')
    expect((await exchange({ ...credentials, client_secret: 'wrong' })).body.error).toBe('invalid_client')
    expect((await exchange({ client_id: client.clientId })).body.error).toBe('invalid_client')
  })

  it('calls the credential token of 1.0.4 SAD, and tells the credential of the others', async () => {
    const tokenOf = async (version: '1.0.4' | '2.0') => {
      const asked = { scope: 'credential', credentialID: 'ana-souza', numSignatures: '1' }
      const { url, verifier } = cscAuthUrl(version, asked)
      const code = (await walked(url)).get('code')!
      return (await cscToken(version, { ...credentials, code, code_verifier: verifier })).body
    }
    expect(await tokenOf('1.0.4')).toMatchObject({ token_type: 'SAD', expires_in: 3600 })
    expect(await tokenOf('2.0')).toMatchObject({ token_type: 'Bearer', credentialID: 'ana-souza' })
  })

  it('does not authorize more signatures than the credential makes at once', async () => {
    const { url } = cscAuthUrl('2.0', { scope: 'credential', credentialID: 'ana-souza', numSignatures: '11' })
    const back = new URL((await fetch(url, { redirect: 'manual' })).headers.get('location')!).searchParams
    expect(back.get('error_description')).toBe('Numbers of signatures is too high')
  })
})

describe('credentials', () => {
  it('are those of the holder who logged in, with everything that is asked for', async () => {
    const bearer = await granted('2.0', { scope: 'service' }, { holder: 'bruno-lima' })
    const { body } = await csc('2.0', 'credentials/list', {}, bearer)
    expect(body.credentialIDs).toEqual(['bruno-lima', 'bruno-lima-renewed', 'bruno-lima-expired'])
    const asked = { credentialID: 'bruno-lima-expired', certificates: 'chain', certInfo: true, authInfo: true }
    const { body: info } = await csc('2.0', 'credentials/info', asked, bearer)
    expect(info).toMatchObject({ cert: { status: 'expired' }, auth: { mode: 'oauth2code' }, SCAL: '1', multisign: 10 })
    expect(info.cert.certificates).toHaveLength(4)
    expect(info.cert.validTo).toMatch(/^\d{14}Z$/)
    const foreign = await csc('2.0', 'credentials/info', { credentialID: 'ana-souza' }, bearer)
    expect(told(foreign)).toBe('400 invalid_request: Invalid parameter credentialID')
    const named = await csc('2.0', 'credentials/list', { userID: 'ana' }, bearer)
    expect(told(named)).toBe('400 invalid_request: userID parameter MUST be null')
  })

  it('need a token that is known and not over', async () => {
    expect((await csc('2.0', 'credentials/list', {})).status).toBe(400)
    expect(told(await csc('2.0', 'credentials/list', {}, 'x'))).toMatch(/^401 invalid_token/)
    const bearer = await granted('2.0', { scope: 'service' })
    expect(told(await csc('2.2', 'credentials/list', {}, bearer))).toMatch(/^401 invalid_token/)
    later(3601)
    expect(told(await csc('2.0', 'credentials/list', {}, bearer))).toMatch(/^401 expired_token/)
  })

  it('of mode explicit are authorized for their PIN', async () => {
    const bearer = await granted('1.0.4', { scope: 'service' })
    const asked = { credentialID: 'ana-souza', numSignatures: 1 }
    const refused = await csc('1.0.4', 'credentials/authorize', asked, bearer)
    expect(told(refused)).toMatch(/^401 unauthorized_client/)
    provider.quirks.csc.authorizationMode = 'explicit'
    const wrong = await csc('1.0.4', 'credentials/authorize', { ...asked, PIN: '000000' }, bearer)
    expect(told(wrong)).toBe('400 invalid_pin: The PIN is invalid')
    const { pin } = provider.holders.find(({ label }) => label === 'ana-souza')!
    const { body } = await csc('1.0.4', 'credentials/authorize', { ...asked, PIN: pin }, bearer)
    expect(body).toEqual({ SAD: expect.any(String), expiresIn: 3600 })
  })
})

describe('signatures/signHash', () => {
  const order = (sad: string) => ({
    credentialID: 'ana-souza',
    SAD: sad,
    hash: [digest],
    hashAlgo: SHA256,
    signAlgo: RSA_SHA256,
  })

  it('signs with one SAD once; extended, it signs what is left', async () => {
    const bearer = await granted('1.0.4', { scope: 'service' })
    const sad = await activation('1.0.4', 2)
    const { body } = await csc('1.0.4', 'signatures/signHash', order(sad), bearer)
    expect(isSigned(body.signatures[0], 'ana-souza')).toBe(true)
    const again = await csc('1.0.4', 'signatures/signHash', order(sad), bearer)
    expect(told(again)).toBe('400 invalid_request: Invalid parameter SAD')
    const extend = (SAD: string) =>
      csc('1.0.4', 'credentials/extendTransaction', { credentialID: 'ana-souza', SAD }, bearer)
    const { SAD: fresh } = (await extend(sad)).body
    expect((await csc('1.0.4', 'signatures/signHash', order(fresh), bearer)).status).toBe(200)
    expect(told(await extend(fresh))).toBe('400 invalid_request: Invalid parameter SAD')
  })

  it('in 2.x takes the credential token for a bearer, until all signatures are made', async () => {
    const bearer = await activation('2.2', 2)
    const { SAD: _, hash: hashes, hashAlgo: hashAlgorithmOID, ...rest } = order('')
    const sign = () => csc('2.2', 'signatures/signHash', { ...rest, hashes, hashAlgorithmOID }, bearer)
    expect([(await sign()).status, (await sign()).status, told(await sign())]).toEqual([
      200,
      200,
      expect.stringMatching(/^401 expired_token/),
    ])
  })

  it("does not take one user's SAD under another user's bearer", async () => {
    const bearer = await granted('1.0.4', { scope: 'service' }, { holder: 'bruno-lima' })
    const sad = await activation('1.0.4')
    const mixed = { ...order(sad), credentialID: 'bruno-lima' }
    expect(told(await csc('1.0.4', 'signatures/signHash', mixed, bearer))).toMatch(/Invalid parameter SAD$/)
  })

  it('signs the hashes of the authorization only, each as often as it was named', async () => {
    provider.quirks.csc.scal = '2'
    const bearer = await granted('1.0.4', { scope: 'service' })
    const sad = await activation('1.0.4', 1, { hash: hash.toString('base64url') })
    const asked = order(sad)
    const foreign = await csc('1.0.4', 'signatures/signHash', { ...asked, hash: [other] }, bearer)
    expect(told(foreign)).toBe('400 invalid_request: Hash is not authorized by the SAD.')
    const twice = await csc('1.0.4', 'signatures/signHash', { ...asked, hash: [digest, digest] }, bearer)
    expect(told(twice)).toBe('400 invalid_request: Hash is not authorized by the SAD.')
    expect((await csc('1.0.4', 'signatures/signHash', asked, bearer)).status).toBe(200)
  })

  it('tells what is wrong with a request in the words of the specification', async () => {
    const bearer = await granted('1.0.4', { scope: 'service' })
    const good = order(await activation('1.0.4'))
    const { SAD: _, ...withoutSad } = good
    const { signAlgo: _algo, ...withoutAlgorithm } = good
    const refusals = [
      [withoutSad, 'Missing (or invalid type) string parameter SAD'],
      [withoutAlgorithm, 'Missing (or invalid type) string parameter signAlgo'],
      [{ ...good, hash: 'text' }, 'Missing (or invalid type) array parameter hash'],
      [{ ...good, hash: [] }, 'Empty hash array'],
      [{ ...good, hash: ['%%'] }, 'Invalid Base64 hash string parameter'],
      [{ ...good, hash: ['AAAA'] }, 'Invalid digest value length'],
      [{ ...good, signAlgo: '1.2.3' }, 'Invalid parameter signAlgo'],
      [{ ...good, signAlgo: '1.2.840.113549.1.1.1', hashAlgo: '1.2.3' }, 'Invalid parameter hashAlgo'],
      [{ ...good, credentialID: 'nobody' }, 'Invalid parameter credentialID'],
    ] as const
    for (const [asked, words] of refusals) {
      expect(told(await csc('1.0.4', 'signatures/signHash', asked, bearer))).toBe(`400 invalid_request: ${words}`)
    }
    provider.quirks.csc.messageErrors = true
    expect((await csc('1.0.4', 'signatures/signHash', withoutSad, bearer)).body).toEqual({
      message: 'Missing (or invalid type) string parameter SAD',
    })
    later(3601)
    provider.quirks.csc.messageErrors = false
    const fresh = await granted('1.0.4', { scope: 'service' })
    expect(told(await csc('1.0.4', 'signatures/signHash', good, fresh))).toBe('400 invalid_request: SAD expired')
  })
})
