// Accidental and deliberate failures while signing: each with its answer, and the state it leaves.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Fault } from '@chancela/testkit/cloud-provider'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { returnedUser } from './test-support/authorized.ts'
import { databases, startHub, testOnce } from './test-support/hub-world.ts'
import { newDocument, outcomeOf, signingWorld } from './test-support/signing.ts'

/** Fault of the provider, answer of the hub, and the resulting state of a session with one call. */
const faults: readonly (readonly [name: string, Fault, answer: string, state: string])[] = [
  ['500', { status: 500, body: 'oops' }, '500 ProviderError', 'used'],
  ['503', { status: 503, body: '' }, '500 ProviderError', 'used'],
  ['garbage', 'garbage', '500 ProviderError', 'used'],
  ['an answer without signatures', { status: 200, body: {} }, '500 ProviderError', 'used'],
  ['a connection dropped before signing', 'drop', '500 ProviderConnectionLost', 'used'],
  ['a connection dropped after signing', 'drop-after-signing', '500 ProviderConnectionLost', 'used'],
  ["another certificate's signature", 'other-certificate', '500 InvalidProviderSignature', 'used'],
  ['a wrong signature', 'wrong-signature', '500 InvalidProviderSignature', 'used'],
  ['a signature over the bare digest', 'bare-digest', '500 InvalidProviderSignature', 'used'],
  ['refused token', { status: 401, body: { error: 'invalid_token' } }, '422 SessionInvalidOrAlreadyUsed', 'ended'],
  ['refused request', { status: 400, body: { error: 'invalid_request' } }, '500 ProviderError', 'authorized'],
]

const oneOfEachState = faults.filter(([, , , state], at) => faults.findIndex((each) => each[3] === state) === at)

describe.each(databases)('signing goes wrong on %s', (database) => {
  const once = testOnce(database)
  const world = signingWorld(database)

  // The fault does not depend on the database, but the resulting state of the session does.
  test.each(database === 'SQLite' ? faults : oneOfEachState)('provider: %s', async (_, fault, answer, state) => {
    const session = await world.session()
    await world.certificate(session)
    const { hash } = newDocument()
    const calls = world.counting()
    world.provider.fail('signature', fault)
    expect(outcomeOf(await world.sign(session, hash))).toBe(answer)
    // The hub never retries it on its own.
    expect(calls('signature')).toBe(1)
    const row = await world.row(session)
    expect(row.state).toBe(state)
    expect(row.sealed_grant === null).toBe(state !== 'authorized')
    const expected = state === 'authorized' ? 200 : 422
    expect((await world.sign(session, hash)).status).toBe(expected)
    expect(calls('signature')).toBe(state === 'authorized' ? 2 : 1)
  })

  once.each(faults)('provider: %s, under a SignatureSession', async (_, fault, answer, state) => {
    const session = await world.session({ type: 'SignatureSession' })
    await world.certificate(session)
    world.provider.fail('signature', fault)
    expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe(answer)
    expect((await world.row(session)).state).toBe(state === 'ended' ? 'ended' : 'authorized')
  })

  test('a replayed session: SessionInvalidOrAlreadyUsed, and no second call of the provider', async () => {
    const session = await world.session()
    const calls = world.counting()
    expect((await world.sign(session, newDocument().hash)).status).toBe(200)
    expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('422 SessionInvalidOrAlreadyUsed')
    expect(outcomeOf(await world.certificate(session))).toBe('422 SessionInvalidOrAlreadyUsed')
    expect(calls('signature')).toBe(1)
  })

  test('two concurrent calls on a SingleSignature session: one signature and one call of the provider', async () => {
    const session = await world.session()
    await world.certificate(session)
    const calls = world.counting()
    const answers = await Promise.all([1, 2, 3, 4].map(() => world.sign(session, newDocument().hash)))
    expect(answers.map(outcomeOf).filter((each) => each === '422 SessionInvalidOrAlreadyUsed')).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(calls('signature')).toBe(1)
  })

  once('an AuthenticationSession signs nothing', async () => {
    const session = await world.session({ type: 'AuthenticationSession' })
    const calls = world.counting()
    expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('422 SessionInvalidOrAlreadyUsed')
    expect(calls('signature')).toBe(0)
    expect((await world.certificate(session)).status).toBe(200)
  })

  once('a session that was denied signs nothing', async () => {
    const journey = { holder: 'ana-souza', decision: 'deny', serviceName: world.service.serviceName } as const
    const back = await returnedUser(world.hub, world.provider, journey)
    const session = back.searchParams.get('session')!
    expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('422 SessionInvalidOrAlreadyUsed')
  })

  test('a server killed while the provider signs: whoever starts on its database refuses the session', async () => {
    const session = await world.session()
    await world.certificate(session)
    let sign = () => {}
    const until = new Promise<void>((resolve) => {
      sign = resolve
    })
    onTestFinished(() => sign())
    world.provider.fail('signature', { until })
    const calls = world.counting()
    const lost = world.sign(session, newDocument().hash)
    await vi.waitUntil(() => calls('signature') === 1)
    expect((await world.row(session)).state).toBe('reserved')
    const other = await startHub(database, { after: world.hub })
    const body = { session, hash: newDocument().hash, digestAlgorithm: 'SHA-256' }
    expect(outcomeOf(await other.json('POST', '/api/sessions/sign-hash', body))).toBe('422 SessionInvalidOrAlreadyUsed')
    expect(calls('signature')).toBe(1)
    // The first hub was not killed after all: its own call succeeds.
    sign()
    expect((await lost).status).toBe(200)
  })

  test('two hubs on one database: one signature and one call of the provider', async () => {
    const session = await world.session()
    await world.certificate(session)
    const other = await startHub(database, { after: world.hub })
    const calls = world.counting()
    const answers = await Promise.all(
      [world.hub, other].map((hub) => {
        const body = { session, hash: newDocument().hash, digestAlgorithm: 'SHA-256' }
        return hub.json('POST', '/api/sessions/sign-hash', body)
      }),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(calls('signature')).toBe(1)
  })

  test('tokens, codes, states, verifiers, secrets and session values are nowhere in the log or the database', async () => {
    const from = world.provider.calls.length
    const session = await world.session({
      type: 'SignatureSession',
      identifier: '52998224725',
      customState: 'contract 7',
    })
    await world.certificate(session)
    await world.sign(session, newDocument().hash, {}, { 'Idempotency-Key': 'a-key-of-the-client' })
    world.provider.fail('signature', { status: 500, body: 'oops' })
    await world.sign(session, newDocument().hash)
    await world.hub.json('GET', `/api/sessions/certificate?session=${session}&unknown=1`)
    const stored = await everythingStored(world.hub.store.db)
    await world.hub.json('POST', '/api/sessions/end', { session })
    const sent = world.provider.calls.slice(from).map(({ operation, body }) => ({ operation, ...body }) as Sent)
    const secrets = {
      session,
      token: sent.find(({ operation }) => operation === 'revoke')?.token,
      code: sent.find(({ operation }) => operation === 'token')?.code,
      verifier: sent.find(({ operation }) => operation === 'token')?.code_verifier,
      clientSecret: sent.find(({ operation }) => operation === 'token')?.client_secret,
      state: sent.find(({ operation }) => operation === 'authorize')?.state,
    }
    // Proves that the secrets searched for are known.
    for (const [name, secret] of Object.entries(secrets)) expect(secret, name).toMatch(/^[\w.~-]{20,}$/)
    const places = { log: world.hub.log(), stored, file: databaseFiles(world.hub.store.url) }
    for (const [place, text] of Object.entries(places))
      for (const [name, secret] of Object.entries(secrets))
        expect(text.includes(secret!), `${name} in ${place}`).toBe(false)
    expect(places.log).toContain('/api/sessions/sign-hash')
    expect(places.log).not.toContain('52998224725')
    expect(await creationsStored(world.hub.store.db)).not.toMatch(/52998224725|contract 7/)
    expect(stored).toContain(world.service.serviceName)
  })
})

describe('a provider that never answers', () => {
  const world = signingWorld('SQLite', { settings: { Providers: { SignTimeoutSeconds: 1 } } })

  test.each([
    ['SingleSignature', 'used'],
    ['SignatureSession', 'authorized'],
  ])('ProviderTimeout under a %s session, which is %s then: it may have signed', async (type, state) => {
    const session = await world.session({ type })
    await world.certificate(session)
    const calls = world.counting()
    world.provider.fail('signature', 'hang')
    expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('500 ProviderTimeout')
    expect(calls('signature')).toBe(1)
    expect((await world.row(session)).state).toBe(state)
  })
})

type Sent = Readonly<Record<string, string | undefined>>

const tables = [
  'provider',
  'creation',
  'session',
  'session_use',
  'signature_replay',
  'instance_secret',
  'audit_event',
] as const

/** Every row of every table, as text. */
// biome-ignore lint/suspicious/noExplicitAny: rows of whatever table.
async function everythingStored(db: any): Promise<string> {
  const rows = await Promise.all(tables.map((table) => sql.raw(`select * from ${table}`).execute(db)))
  return JSON.stringify(rows.map((each) => each.rows))
}

/** Every row of the creations: of sessions, the certificate and its alias name the holder as the provider does. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
const creationsStored = async (db: any): Promise<string> =>
  JSON.stringify((await sql`select * from creation`.execute(db)).rows)

/** The bytes of an SQLite database and its log; empty for a server. */
function databaseFiles(url: string): string {
  if (!url.startsWith('sqlite:')) return ''
  const folder = dirname(url.slice('sqlite:'.length))
  return readdirSync(folder)
    .map((file) => readFileSync(`${folder}/${file}`, 'latin1'))
    .join('')
}
