import { DAY, plus } from '@chancela/service-kernel/clock'
import { describe, expect, test } from 'vitest'
import { sweepOnce } from '../src/workers/sweep-sessions.ts'
import { databases } from './test-support/hub-world.ts'
import { newDocument, signingWorld } from './test-support/signing.ts'

describe.each(databases)('the audit of uses on %s', (database) => {
  const world = signingWorld(database)
  const usesOf = async (session: string) => {
    const { id } = await world.row(session)
    const uses = world.hub.store.db.selectFrom('session_use').selectAll()
    return uses.where('session_id', '=', id).orderBy('id').execute()
  }

  test('every use is a row: what was asked of the provider, by which key, and how it ended', async () => {
    const session = await world.session({ type: 'SignatureSession' })
    await world.certificate(session)
    await world.certificate(session)
    await world.sign(session, newDocument().hash)
    world.provider.fail('signature', { status: 500, body: 'no' })
    await world.sign(session, newDocument('sha512').hash, { digestAlgorithm: 'SHA-512' })
    await world.hub.json('POST', '/api/sessions/end', { session })
    const uses = await usesOf(session)
    const told = uses.map((use) => [use.action, use.outcome, use.hashes, use.digest_algorithm, use.alias])
    expect(told).toEqual([
      ['authorize', 'ok', 0, null, null],
      ['certificate', 'ok', 0, null, 'ana-souza'],
      ['sign', 'ok', 1, 'SHA-256', 'ana-souza'],
      ['sign', 'ProviderError', 1, 'SHA-512', 'ana-souza'],
      ['end', 'ok', 0, null, null],
    ])
    for (const use of uses) expect(use).toMatchObject({ key_id: world.hub.client.keyId, provider_id: world.service.id })
    expect(uses[2]!.milliseconds).toBeGreaterThanOrEqual(0)
    expect(uses[2]!.correlation_id).toMatch(/./)
  })

  test('several hashes in one call are one row that counts them', async () => {
    const session = await world.session({ type: 'MultiSignature' })
    await world.signAll(session, [newDocument().hash, newDocument().hash, newDocument().hash])
    expect(await usesOf(session)).toContainEqual(expect.objectContaining({ action: 'sign', outcome: 'ok', hashes: 3 }))
  })

  test('metrics count hashes by how they ended, and calls of the provider', async () => {
    const read = async () => {
      const { text } = await world.hub.json('GET', '/metrics')
      const value = (line: string) => Number(new RegExp(`^${line} (\\d+)$`, 'm').exec(text)?.[1])
      const outcome = (name: string) => value(`hub_signatures_total\\{outcome="${name}"\\}`)
      return {
        signed: outcome('signed'),
        unknown: outcome('unknown'),
        wrong: outcome('wrong'),
        calls: value('hub_sign_calls_total'),
      }
    }
    const before = await read()
    const [first, second, third] = [
      await world.session({ type: 'MultiSignature' }),
      await world.session(),
      await world.session(),
    ]
    await world.signAll(first, [newDocument().hash, newDocument().hash])
    world.provider.fail('signature', { status: 500, body: 'no' })
    await world.sign(second, newDocument().hash)
    world.provider.fail('signature', 'wrong-signature')
    await world.sign(third, newDocument().hash)
    expect(await read()).toEqual({
      signed: before.signed + 2,
      unknown: before.unknown + 1,
      wrong: before.wrong + 1,
      calls: before.calls + 3,
    })
  })

  test('it is forgotten after Signing:AuditDays', async () => {
    const session = await world.session()
    await world.sign(session, newDocument().hash)
    const after = plus(world.hub.clock(), 365 * DAY)
    const sweep = (now: Date) => sweepOnce({ ...world.hub.context, clock: () => now })
    const row = await world.row(session)
    const { db } = world.hub.store
    const uses = () => db.selectFrom('session_use').selectAll().where('session_id', '=', row.id).execute()
    await sweep(after)
    expect(await uses()).not.toEqual([])
    while ((await sweep(plus(after, 1))).uses > 0);
    expect(await uses()).toEqual([])
  })
})
