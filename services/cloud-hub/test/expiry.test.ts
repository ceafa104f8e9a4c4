import { HOUR } from '@chancela/service-kernel/clock'
import { describe, expect, test } from 'vitest'
import { sweepOnce } from '../src/workers/sweep-sessions.ts'
import { begunAuthorization, followedUser } from './test-support/authorized.ts'
import { databases } from './test-support/hub-world.ts'
import { newDocument, outcomeOf, signingWorld } from './test-support/signing.ts'

describe.each(databases)('sessions expire on %s', (database) => {
  const world = signingWorld(database)
  const sweep = () => sweepOnce(world.hub.context)

  test('the lifetime is over: SessionExpired on certificate and sign-hash, while custom-state answers', async () => {
    const session = await world.session({ lifetimeInSeconds: 60, customState: 'mine' })
    world.hub.clock.advance(60_000)
    const calls = world.counting()
    expect(outcomeOf(await world.certificate(session))).toBe('422 SessionExpired')
    expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('422 SessionExpired')
    expect(outcomeOf(await world.hub.json('GET', `/api/sessions/status?session=${session}`))).toBe('422 SessionExpired')
    expect((await world.hub.json('GET', `/api/sessions/custom-state?session=${session}`)).body).toBe('mine')
    expect([calls('certificates'), calls('signature')]).toEqual([0, 0])
  })

  test('it stays expired when the sweep has forgotten its tokens', async () => {
    const session = await world.session({ lifetimeInSeconds: 60 })
    expect((await world.row(session)).sealed_grant).not.toBeNull()
    world.hub.clock.advance(60_000)
    await sweep()
    expect(await world.row(session)).toMatchObject({ state: 'authorized', sealed_grant: null })
    expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('422 SessionExpired')
  })

  test('the provider granted less than was asked for', async () => {
    world.provider.quirks.shortenLifetime = 120
    const session = await world.session({ type: 'SignatureSession', lifetimeInSeconds: 3600 })
    world.hub.clock.advance(119_000)
    expect((await world.sign(session, newDocument().hash)).status).toBe(200)
    world.hub.clock.advance(1000)
    expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('422 SessionExpired')
  })

  test('the holder took long: SessionExpired on first use', async () => {
    const journey = { holder: 'ana-souza', serviceName: world.service.serviceName, lifetimeInSeconds: 60 }
    const authUrl = await begunAuthorization(world.hub, world.provider, journey)
    world.hub.clock.advance(60_000)
    const back = await followedUser(world.hub, world.provider, await world.provider.walk(authUrl, journey), journey)
    const session = back.searchParams.get('session')!
    expect(outcomeOf(await world.certificate(session))).toBe('422 SessionExpired')
    expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('422 SessionExpired')
  })

  test('used and expired: SessionInvalidOrAlreadyUsed', async () => {
    const session = await world.session({ lifetimeInSeconds: 60 })
    expect((await world.sign(session, newDocument().hash)).status).toBe(200)
    world.hub.clock.advance(60_000)
    expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('422 SessionInvalidOrAlreadyUsed')
    expect(outcomeOf(await world.certificate(session))).toBe('422 SessionInvalidOrAlreadyUsed')
  })

  test('a token refused while our clock says that the lifetime is over: SessionExpired, not ended', async () => {
    const session = await world.session({ lifetimeInSeconds: 60 })
    await world.certificate(session)
    world.provider.fail('signature', { delayMs: 300 })
    world.provider.quirks.shortenLifetime = 1
    const signed = world.sign(session, newDocument().hash)
    const calls = world.counting()
    await expect.poll(() => calls('signature'), { interval: 5 }).toBe(1)
    world.hub.clock.advance(60_000)
    expect(outcomeOf(await signed)).toBe('422 SessionExpired')
    expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('422 SessionExpired')
  })

  test('a tombstone goes after its time with its answers and its creation; the session is unknown then', async () => {
    const session = await world.session({ lifetimeInSeconds: 60 })
    const { hash } = newDocument()
    await world.sign(session, hash, {}, { 'Idempotency-Key': 'mine' })
    const { id, creation_id } = await world.row(session)
    const { db } = world.hub.store
    const left = async () => ({
      sessions: (await db.selectFrom('session').select('id').where('id', '=', id).execute()).length,
      replays: (await db.selectFrom('signature_replay').select('at').where('session_id', '=', id).execute()).length,
      creations: (await db.selectFrom('creation').select('id').where('id', '=', creation_id).execute()).length,
    })
    world.hub.clock.advance(60_000 + 24 * HOUR - 1)
    await sweep()
    expect(await left()).toEqual({ sessions: 1, replays: 1, creations: 1 })
    world.hub.clock.advance(1)
    await sweep()
    expect(await left()).toEqual({ sessions: 0, replays: 0, creations: 0 })
    expect(outcomeOf(await world.sign(session, hash))).toBe('422 SessionInvalidOrAlreadyUsed')
  })
})
