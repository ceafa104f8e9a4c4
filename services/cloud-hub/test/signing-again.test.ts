// The header Idempotency-Key: nothing is signed twice, and a lost answer can be requested again.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { databases } from './test-support/hub-world.ts'
import { newDocument, outcomeOf, signingWorld } from './test-support/signing.ts'

describe.each(databases)('Idempotency-Key on %s', (database) => {
  // Two calls that share a batch fill it, however slowly they arrive.
  const world = signingWorld(database, {
    settings: { Signing: { BatchMilliseconds: 60_000 } },
    knobs: { maxHashesPerCall: 2 },
  })
  const key = () => ({ 'Idempotency-Key': crypto.randomUUID() })

  test('the same request again answers the stored signature without a call of the provider', async () => {
    const session = await world.session()
    const { hash } = newDocument()
    const headers = key()
    const first = await world.sign(session, hash, {}, headers)
    const calls = world.counting()
    expect(await world.row(session)).toMatchObject({ state: 'used' })
    expect((await world.sign(session, hash, {}, headers)).body).toBe(first.body)
    expect(calls('signature')).toBe(0)
    expect(outcomeOf(await world.sign(session, hash))).toBe('422 SessionInvalidOrAlreadyUsed')
  })

  test('it does so after the session has expired, too', async () => {
    const session = await world.session({ type: 'SignatureSession', lifetimeInSeconds: 60 })
    const { hash } = newDocument()
    const headers = key()
    const first = await world.sign(session, hash, {}, headers)
    expect(first.status).toBe(200)
    world.hub.clock.advance(61_000)
    expect((await world.sign(session, hash, {}, headers)).body).toBe(first.body)
    expect(outcomeOf(await world.sign(session, hash, {}, key()))).toBe('422 SessionExpired')
  })

  test('the same request at the same time waits for the one signature', async () => {
    const session = await world.session({ type: 'SignatureSession' })
    const { hash } = newDocument()
    const headers = key()
    const calls = world.counting()
    const answers = await Promise.all([1, 2, 3].map(() => world.sign(session, hash, {}, headers)))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]!.status).toBe(200)
    expect(calls('signature')).toBe(1)
  })

  test('another request under the same key: IdempotencyKeyReused', async () => {
    const session = await world.session({ type: 'SignatureSession' })
    const headers = key()
    await world.sign(session, newDocument().hash, {}, headers)
    expect(outcomeOf(await world.sign(session, newDocument().hash, {}, headers))).toBe('422 IdempotencyKeyReused')
  })

  test('the same key under another session is another key', async () => {
    const headers = key()
    for (const session of [await world.session(), await world.session()])
      expect((await world.sign(session, newDocument().hash, {}, headers)).status).toBe(200)
  })

  test('calls that share a call of the provider each have their own answer', async () => {
    const session = await world.session({ type: 'MultiSignature' })
    const [one, two] = [newDocument(), newDocument()]
    const [first, second] = [key(), key()]
    const answers = await Promise.all([
      world.sign(session, one.hash, {}, first),
      world.sign(session, two.hash, {}, second),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await world.sign(session, one.hash, {}, first)).body).toBe(answers[0]!.body)
    expect((await world.sign(session, two.hash, {}, second)).body).toBe(answers[1]!.body)
  })

  test('what provably signed nothing may be tried again under the same key', async () => {
    const session = await world.session()
    await world.certificate(session)
    const { hash } = newDocument()
    const headers = key()
    world.provider.fail('signature', { status: 400, body: { error: 'invalid_request' } })
    expect(outcomeOf(await world.sign(session, hash, {}, headers))).toBe('500 ProviderError')
    expect((await world.sign(session, hash, {}, headers)).status).toBe(200)
  })

  test('an answer that was lost after signing: ProviderConnectionLost, then ProviderTimeout, and no second signature', async () => {
    const session = await world.session({ type: 'SignatureSession' })
    await world.certificate(session)
    const { hash } = newDocument()
    const headers = key()
    const calls = world.counting()
    world.provider.fail('signature', 'drop-after-signing')
    expect(outcomeOf(await world.sign(session, hash, {}, headers))).toBe('500 ProviderConnectionLost')
    expect(outcomeOf(await world.sign(session, hash, {}, headers))).toBe('500 ProviderTimeout')
    expect(calls('signature')).toBe(1)
    // A client that accepts the risk uses another key.
    expect((await world.sign(session, hash, {}, key())).status).toBe(200)
  })

  test('a server that was killed while it signed: nobody knows, so ProviderTimeout', async () => {
    const session = await world.session({ type: 'SignatureSession' })
    const { hash, digest } = newDocument()
    const headers = key()
    const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')
    const { id: session_id } = await world.row(session)
    const asked = JSON.stringify(['SHA-256', null, digest.toString('base64')])
    const row = { session_id, key_hash: sha256(headers['Idempotency-Key']), request_hash: sha256(asked) }
    await world.hub.store.db
      .insertInto('signature_replay')
      .values({ ...row, signatures: null, at: world.hub.clock().toISOString() })
      .execute()
    const calls = world.counting()
    expect(outcomeOf(await world.sign(session, hash, {}, headers))).toBe('500 ProviderTimeout')
    expect(calls('signature')).toBe(0)
  })
})

describe('a certificate that is chosen while a call waits for the database', () => {
  const world = signingWorld('PostgreSQL')

  test('is not asked for again when the call goes on with what it read before', async () => {
    const session = await world.session({ type: 'SignatureSession' })
    const calls = world.counting()
    const { db } = world.hub.store
    // With a key, a call looks up the first answer after it has read its session: the lock stops it there.
    const { waiting } = await db.transaction().execute(async (tx) => {
      await sql`lock table signature_replay in access exclusive mode`.execute(tx)
      const waiting = world.sign(session, newDocument().hash, {}, { 'Idempotency-Key': crypto.randomUUID() })
      await vi.waitUntil(isHeldUp, { interval: 5 })
      await world.certificate(session)
      return { waiting }
    })
    expect((await waiting).status).toBe(200)
    expect(calls('certificates')).toBe(1)
  })

  const isHeldUp = async (): Promise<boolean> => {
    const waiters = sql`select 1 from pg_locks where not granted and relation = 'signature_replay'::regclass`
    return (await waiters.execute(world.hub.store.db)).rows.length > 0
  }
})
