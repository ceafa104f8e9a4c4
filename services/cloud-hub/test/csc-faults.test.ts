// Denials and faults of a CSC provider.
import type { Fault, Operation } from '@chancela/testkit/cloud-provider'
import { describe, expect, it } from 'vitest'
import { cscWorld, versionsOn } from './test-support/csc.ts'
import { databases, testOnce } from './test-support/hub-world.ts'
import { newDocument, outcomeOf } from './test-support/signing.ts'

/** The breaker is disabled: it would hide the effect of a single fault. */
const settings = { Providers: { BreakerFailures: 1000 } }

const brokenAnswers: readonly (readonly [what: string, fault: Fault])[] = [
  ['500', { status: 500, body: { error: 'server_error' } }],
  ['garbage', 'garbage'],
  ['an answer that lacks everything', { status: 200, body: {} }],
  ['a connection that breaks', 'drop'],
]

/** Operations between the first redirect and the second. */
const steps: readonly Operation[] = ['token', 'credentials-list', 'certificates']

for (const database of databases) {
  describe(`a CSC provider that does not do what it should, on ${database}`, () => {
    const once = testOnce(database)
    const world = cscWorld(database, settings)

    describe('the holder says no', () => {
      for (const version of versionsOn(database)) {
        it(`in the first redirect (${version}): back with access_denied and a session that is refused`, async () => {
          const back = await world.returned({ version, decision: 'deny' })
          expect(back.searchParams.get('error')).toBe('access_denied')
          const session = back.searchParams.get('session')!
          expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('422 SessionInvalidOrAlreadyUsed')
        })

        it(`in the second redirect (${version}): the same`, async () => {
          const arrived = world.arriving()
          const first = await world.provider.walk(await world.begun({ version }), { holder: 'ana-souza' })
          const back = await world.follow(first, { version, decision: 'deny' })
          expect(arrived('authorize')).toHaveLength(2)
          expect(back.searchParams.get('error')).toBe('access_denied')
          const session = back.searchParams.get('session')!
          expect(outcomeOf(await world.certificate(session))).toBe('422 SessionInvalidOrAlreadyUsed')
        })
      }

      it('a state of the first redirect is not good for the second', async () => {
        const first = new URL(await world.provider.walk(await world.begun(), { holder: 'ana-souza' }))
        await world.hub.call('GET', first.href)
        const again = await world.hub.call('GET', first.href)
        expect(again.status).toBe(400)
        expect(again.headers.get('location')).toBeNull()
      })
    })

    describe('the signature', () => {
      const spent: readonly (readonly [what: string, fault: Fault, outcome: string])[] = [
        ['500', { status: 500, body: { error: 'server_error' } }, '500 ProviderError'],
        ['garbage', 'garbage', '500 ProviderError'],
        ['a connection that breaks after signing', 'drop-after-signing', '500 ProviderConnectionLost'],
        ['a wrong signature', 'wrong-signature', '500 InvalidProviderSignature'],
        ["another certificate's signature", 'other-certificate', '500 InvalidProviderSignature'],
        ['a signature of the bare digest', 'bare-digest', '500 InvalidProviderSignature'],
        ['no signatures at all', { status: 200, body: { signatures: [] } }, '500 InvalidProviderSignature'],
      ]
      once.each(spent)('%s: it may be made, so that the session is used', async (_, fault, outcome) => {
        const session = await world.session({ version: '1.0.4' })
        world.provider.fail('signature', fault)
        expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe(outcome)
        expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('422 SessionInvalidOrAlreadyUsed')
      })

      once('no answer in time: the same', async () => {
        const { serviceName } = await world.add('1.0.4', { signTimeoutSeconds: 1 })
        const session = await world.session({ serviceName })
        await world.certificate(session)
        world.provider.fail('signature', 'hang')
        expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('500 ProviderTimeout')
        expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('422 SessionInvalidOrAlreadyUsed')
      })

      it('a refusal that proves that nothing was signed leaves the session as it was', async () => {
        const session = await world.session({ version: '1.0.4' })
        const body = { error: 'invalid_request', error_description: 'Invalid digest value length' }
        world.provider.fail('signature', { status: 400, body })
        expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('500 ProviderError')
        const document = newDocument()
        expect(document.isSignedBy((await world.sign(session, document.hash)).body, 'ana-souza')).toBe(true)
      })

      once('a SAD that cannot be extended costs no signature, and is extended with the next call', async () => {
        const session = await world.session({ version: '1.0.4', type: 'SignatureSession' })
        world.provider.fail('credentials-extend', { status: 500 })
        for (const document of [newDocument(), newDocument(), newDocument()]) {
          expect(document.isSignedBy((await world.sign(session, document.hash)).body, 'ana-souza')).toBe(true)
        }
      })

      once('a provider without extendTransaction signs once in a SignatureSession', async () => {
        world.provider.quirks.csc.missingMethods = ['credentials/extendTransaction']
        const session = await world.session({ version: '1.0.4', type: 'SignatureSession' })
        expect(outcomeOf(await world.sign(session, newDocument().hash))).toMatch(/^200/)
        expect((await world.sign(session, newDocument().hash)).status).not.toBe(200)
      })

      it('after what the provider granted the session is expired', async () => {
        world.provider.quirks.shortenLifetime = 60
        const session = await world.session({ version: '2.2', type: 'SignatureSession' })
        world.hub.clock.advance(61_000)
        expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('422 SessionExpired')
      })
    })

    it('a session that ends has its tokens revoked', async () => {
      const session = await world.session({ version: '1.0.4', type: 'SignatureSession' })
      const arrived = world.arriving()
      await world.hub.json('POST', '/api/sessions/end', { session })
      expect(arrived('revoke')).toHaveLength(2)
      expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('422 SessionInvalidOrAlreadyUsed')
    })

    it('codes, tokens and SADs stand neither in the log nor in the database in clear', async () => {
      const arrived = world.arriving()
      const session = await world.session({ version: '1.0.4', type: 'SignatureSession' })
      await world.sign(session, newDocument().hash)
      const secrets = [
        ...arrived('token').flatMap(({ body }) => [body.code, body.code_verifier, body.client_secret]),
        ...arrived('signature').map(({ body }) => body.SAD),
      ].map(String)
      expect(secrets).toHaveLength(7)
      const { db } = world.hub.store
      const rows = [
        ...(await db.selectFrom('session').selectAll().execute()),
        ...(await db.selectFrom('creation').selectAll().execute()),
        ...(await db.selectFrom('session_use').selectAll().execute()),
        ...(await db.selectFrom('provider').selectAll().execute()),
      ]
      await world.logged('/api/sessions/sign-hash')
      const seen = `${JSON.stringify(rows)} ${world.hub.log()}`
      for (const secret of secrets) expect(seen).not.toContain(secret)
    })
  })
}

describe('a CSC provider that fails before the signature: whatever it is, the session is refused', () => {
  const world = cscWorld(databases[0]!, settings)

  for (const operation of steps) {
    it.each(brokenAnswers)(`${operation} with %s: back with provider_error`, async (_, fault) => {
      world.provider.failAlways(operation, fault)
      const back = await world.returned()
      expect(back.searchParams.get('error')).toBe('provider_error')
    })
  }

  it('a token for another credential is not taken', async () => {
    const first = await world.provider.walk(await world.begun(), { holder: 'ana-souza' })
    const answer = await world.hub.call('GET', first)
    world.provider.fail('token', {
      status: 200,
      body: { access_token: 'a', token_type: 'Bearer', expires_in: 60, credentialID: 'bruno-lima' },
    })
    const back = await world.follow(await world.provider.walk(answer.headers.get('location')!, { holder: 'ana-souza' }))
    expect(back.searchParams.get('error')).toBe('provider_error')
  })

  it('an oversized token is not taken', async () => {
    world.provider.fail('token', { status: 200, body: { access_token: 'x'.repeat(20_000), token_type: 'Bearer' } })
    expect((await world.returned()).searchParams.get('error')).toBe('provider_error')
  })
})

describe('a CSC provider that does not answer before the signature', () => {
  const world = cscWorld(databases[0]!, { Providers: { ...settings.Providers, TimeoutSeconds: 1 } })

  it.each(steps)('%s: back with provider_error when its time is over', async (operation) => {
    world.provider.failAlways(operation, 'hang')
    expect((await world.returned()).searchParams.get('error')).toBe('provider_error')
  })
})
