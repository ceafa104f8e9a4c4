import { describe, expect, test } from 'vitest'
import { databases } from './test-support/hub-world.ts'
import { newDocument, outcomeOf, signingWorld } from './test-support/signing.ts'

const documents = (count: number) => Array.from({ length: count }, () => newDocument())

/** Never elapses: a batch is sent when it is full, however slowly the calls of a test arrive. */
const UNTIL_FULL = { Signing: { BatchMilliseconds: 60_000 } }

describe.each(databases)('concurrent calls on a MultiSignature session on %s', (database) => {
  const world = signingWorld(database, { settings: UNTIL_FULL, knobs: { maxHashesPerCall: 10 } })

  test('10 concurrent calls are one call of the provider, and 10 correct signatures', async () => {
    const session = await world.session({ type: 'MultiSignature' })
    const ten = documents(10)
    const calls = world.counting()
    const answers = await Promise.all(ten.map(({ hash }) => world.sign(session, hash)))
    expect(ten.map(({ isSignedBy }, at) => isSignedBy(answers[at]!.body, 'ana-souza'))).toEqual(ten.map(() => true))
    expect([calls('certificates'), calls('signature')]).toEqual([1, 1])
    const { id, state, sealed_grant } = await world.row(session)
    expect([state, sealed_grant]).toEqual(['used', null])
    const uses = await world.hub.store.db
      .selectFrom('session_use')
      .selectAll()
      .where('session_id', '=', id)
      .where('action', '=', 'sign')
      .execute()
    expect(uses).toHaveLength(10)
    expect(new Set(uses.map(({ correlation_id }) => correlation_id)).size).toBe(10)
  })

  test('a call that comes after the batch has left: SessionInvalidOrAlreadyUsed', async () => {
    const session = await world.session({ type: 'MultiSignature' })
    const ten = documents(10).map(({ hash }) => hash)
    expect((await world.signAll(session, ten)).status).toBe(200)
    expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('422 SessionInvalidOrAlreadyUsed')
  })

  test('sign-hash and sign-hashes share the call', async () => {
    const session = await world.session({ type: 'MultiSignature' })
    const [one, ...others] = documents(10)
    const calls = world.counting()
    const [single, several] = await Promise.all([
      world.sign(session, one!.hash),
      world.signAll(
        session,
        others.map(({ hash }) => hash),
      ),
    ])
    expect(one!.isSignedBy(single.body, 'ana-souza')).toBe(true)
    expect(others[1]!.isSignedBy(several.body.signatures[1], 'ana-souza')).toBe(true)
    expect(calls('signature')).toBe(1)
  })

  test('a failure answers all of them; what proves that nothing was signed leaves the session usable', async () => {
    const session = await world.session({ type: 'MultiSignature' })
    await world.certificate(session)
    world.provider.fail('signature', { status: 400, body: { error: 'invalid_request' } })
    const ten = documents(10).map(({ hash }) => hash)
    const answers = await Promise.all(ten.map((hash) => world.sign(session, hash)))
    expect(new Set(answers.map(outcomeOf))).toEqual(new Set(['500 ProviderError']))
    expect(await world.row(session)).toMatchObject({ state: 'authorized' })
    expect((await world.signAll(session, ten)).status).toBe(200)
  })
})

describe.each(databases)('concurrent calls on a MultiSignature session without a limit on %s', (database) => {
  const world = signingWorld(database)

  test('the first call says with which algorithm: one of another waits, and finds the session used', async () => {
    const session = await world.session({ type: 'MultiSignature' })
    const [one, another] = [newDocument(), newDocument('sha512')]
    const calls = world.counting()
    const answers = await Promise.all([
      world.sign(session, one.hash),
      world.sign(session, another.hash, { digestAlgorithm: 'SHA-512' }),
    ])
    // Their order is not guaranteed.
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(calls('signature')).toBe(1)
  })
})

describe('a provider that signs five hashes at once', () => {
  const world = signingWorld('SQLite', { settings: UNTIL_FULL, knobs: { maxHashesPerCall: 5 } })

  test('six concurrent calls: five are signed, the sixth finds the session used', async () => {
    const session = await world.session({ type: 'MultiSignature' })
    const six = documents(6)
    const calls = world.counting()
    const answers = await Promise.all(six.map(({ hash }) => world.sign(session, hash)))
    expect(answers.map(outcomeOf).filter((each) => each === '422 SessionInvalidOrAlreadyUsed')).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(calls('signature')).toBe(1)
  })

  test('six hashes in one call: TooManyHashes before anything is spent', async () => {
    const session = await world.session({ type: 'MultiSignature' })
    const six = documents(6).map(({ hash }) => hash)
    const calls = world.counting()
    expect(outcomeOf(await world.signAll(session, six))).toBe('422 TooManyHashes')
    expect(calls('signature')).toBe(0)
    expect((await world.signAll(session, six.slice(1))).status).toBe(200)
  })
})
