import { describe, expect, test } from 'vitest'
import { builtInContexts } from '../src/contract/authentication.ts'
import { type CoreWorld, clientAt, databases, sharedCore } from './test-support/core-world.ts'
import { certificateOf, clock, running, signedBy } from './test-support/pki.ts'

const BRAZIL = builtInContexts.pkiBrazil
const ANA = 'ana-souza'
const MINUTE = 60_000

type Client = Pick<CoreWorld, 'json'>

const start = async ({ json }: Client, over: object = {}) =>
  (await json('POST', '/Api/Authentications', { securityContextId: BRAZIL, ...over })).body

const refused = (code: string) => ({ status: 422, body: { code, message: expect.any(String) } })

for (const database of databases) {
  describe(`the earlier generation on ${database}`, () => {
    const open = sharedCore(database)

    /** The steps of the component in the browser: without a key. */
    const pending = (token: string, step = '') => {
      const { baseUrl } = open()
      return async (method: string, body?: object) => {
        const answer = await fetch(`${baseUrl}/Api/PendingSignatures/${token}${step}`, {
          method,
          ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
        })
        const text = await answer.text()
        return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
      }
    }
    const finalize = ({ json }: Client, token: string) => json('POST', `/Api/Authentications/${token}/Finalize`)

    test('certificate and signature come through the browser, and the application finalizes once', async () => {
      const world = open()
      const { token, toSignData, toSignHash } = await start(world)
      expect(token).toMatch(/^[\w-]{22}$/)
      expect(await finalize(world, token)).toMatchObject(refused('ClientSignatureNotSet'))
      expect(await pending(token)('POST', { signature: 'AAAA' })).toMatchObject(refused('ClientSignatureNotSet'))
      expect(await pending(token)('GET')).toMatchObject({
        status: 200,
        body: { certificateThumbprint: null, toSignHash },
      })

      const bad = await pending(token, '/Certificate')('POST', { certificate: certificateOf('revoked') })
      expect(bad).toMatchObject(refused('ValidationError'))
      expect(bad.body.validationResults.errors.map(({ type }: { type: string }) => type)).toContain(
        'CertificateRevoked',
      )
      const garbage = await pending(token, '/Certificate')('POST', { certificate: 'AAAA' })
      expect(garbage).toMatchObject(refused('PKCertificateMalformed'))
      const chosen = await pending(token, '/Certificate')('POST', { certificate: certificateOf(ANA) })
      expect(chosen).toMatchObject({ status: 200, body: { toSignHash, digestAlgorithmOid: '2.16.840.1.101.3.4.2.1' } })

      const signature = signedBy(ANA, toSignData)
      expect((await pending(token)('POST', { signature })).status).toBe(200)
      expect(await pending(token)('POST', { signature })).toMatchObject(refused('ClientSignatureAlreadySet'))
      const answers = await Promise.all([finalize(world, token), finalize(world, token)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
      expect(answers.find(({ status }) => status === 422)).toMatchObject(refused('InvalidToken'))
      expect(answers.find(({ status }) => status === 200)!.body).toMatchObject({
        certificate: { pkiBrazil: { cpf: '52998224725' } },
        validationResults: { errors: [] },
      })
      expect(await pending(token)('GET')).toMatchObject(refused('InvalidToken'))
    })

    test('signed bytes end an authentication once, whoever is first', async () => {
      const world = open()
      const { token, toSignData } = await start(world)
      const proof = { certificate: certificateOf(ANA), signature: signedBy(ANA, toSignData) }
      const send = () => world.json('POST', `/Api/Authentications/${token}/SignedBytes`, proof)
      const answers = await Promise.all([send(), send()])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
      expect(answers.find(({ status }) => status === 200)!.body.validationResults.errors).toEqual([])
    })

    test('a token of another subscription, an unknown, a changed and an expired one are the same', async () => {
      const world = open()
      const other = await clientAt(world)
      const { token, toSignData } = await start(world)
      const proof = { certificate: certificateOf(ANA), signature: signedBy(ANA, toSignData) }
      const send = (client: Client, path: string) =>
        client.json('POST', `/Api/Authentications/${path}/SignedBytes`, proof)
      expect(await send(other, token)).toMatchObject(refused('InvalidToken'))
      expect(
        await send(world, token.toUpperCase() === token ? token.toLowerCase() : token.toUpperCase()),
      ).toMatchObject(refused('InvalidToken'))
      expect(await send(world, '..%2F..%2Fetc')).toMatchObject(refused('InvalidToken'))
      clock.advance(16 * MINUTE)
      expect(await send(world, token)).toMatchObject(refused('InvalidToken'))
      expect(await finalize(world, token)).toMatchObject(refused('InvalidToken'))
    })

    test('a nonce of sixteen bytes is signed and used once; the context is chosen at the end', async () => {
      const world = open()
      const other = await clientAt(world)
      const { nonce } = (await world.json('GET', '/Api/Authentication')).body
      expect(Buffer.from(nonce, 'base64')).toHaveLength(16)
      const proof = { nonce, certificate: certificateOf(ANA), signature: signedBy(ANA, nonce) }
      const send = (client: Client, over: object = {}) =>
        client.json('POST', '/Api/Authentication', { securityContextId: BRAZIL, ...proof, ...over })
      expect(await send(world, { securityContextId: null })).toMatchObject(refused('SecurityContextRequired'))
      expect(await send(world, { securityContextId: crypto.randomUUID() })).toMatchObject(refused('EntityNotFound'))
      expect(await send(other)).toMatchObject(refused('InvalidToken'))
      expect(await send(world)).toMatchObject({ status: 200, body: { validationResults: { errors: [] } } })
      expect(await send(world)).toMatchObject(refused('NonceAlreadyUsed'))
      expect(await send(world, { nonce: Buffer.alloc(16).toString('base64') })).toMatchObject(refused('InvalidToken'))
    })

    test('an authentication needs a context that exists', async () => {
      const { json } = open()
      expect(await json('POST', '/Api/Authentications', {})).toMatchObject(refused('SecurityContextRequired'))
      const unknown = { securityContextId: crypto.randomUUID() }
      expect(await json('POST', '/Api/Authentications', unknown)).toMatchObject(refused('EntityNotFound'))
    })

    test('what has expired is forgotten', async () => {
      const world = open()
      await start(world)
      clock.advance(20 * MINUTE)
      const left = () =>
        world.store.db
          .selectFrom('authentication')
          .select('id')
          .where('expires_at', '<=', clock().toISOString())
          .execute()
      await expect.poll(left, { interval: 50 }).toEqual([])
      running.faults.clear()
    })
  })
}
