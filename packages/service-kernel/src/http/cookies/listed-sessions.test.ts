import { randomBytes } from 'node:crypto'
import { testClock } from '@chancela/testkit/clock'
import { testStores } from '@chancela/testkit/stores'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../clock/index.ts'
import { openSecrets } from '../../secrets/index.ts'
import type { Store } from '../../store/index.ts'
import { route } from '../route.ts'
import { serve } from '../serve.ts'
import { testApp } from '../test-support/test-app.ts'
import {
  createListedSessions,
  endSession,
  endSessionsOf,
  type ListedSessionTables,
  listedSessions,
  listSessions,
  noteProof,
} from './listed-sessions.ts'

const secrets = openSecrets({ service: 'test', masterKeyFile: '', masterKey: randomBytes(32).toString('base64') })

const readMe = route({ method: 'GET', path: '/me', summary: 'x', access: 'anonymous', status: 200 })
const begin = route({ method: 'POST', path: '/me', summary: 'x', access: 'anonymous', status: 200 })
const leave = route({ method: 'DELETE', path: '/me', summary: 'x', access: 'anonymous', status: 200 })

/** A process of a service on the store. */
async function processOn(store: Store<ListedSessionTables>, clock: ReturnType<typeof testClock>) {
  const options = { cookieName: 'c', context: 'test', idle: HOUR, longest: DAY, publicUrl: undefined }
  const sessions = listedSessions<{ readonly name: string }, ListedSessionTables>({ ...options, secrets, clock, store })
  const { app } = await testApp()
  sessions.slideOn(app)
  serve(app, begin, async ({ request, reply }) => {
    reply.header('set-cookie', await sessions.begin(request, { who: 'ana', label: 'ana@example.com' }, { name: 'Ana' }))
  })
  serve(app, readMe, async ({ request, reply }) => {
    const found = await sessions.find(request)
    return reply.code(found ? 200 : 401).send(found ? `${found.name} ${found.provedAt.toISOString()}` : '')
  })
  serve(app, leave, async ({ request, reply }) => {
    reply.header('set-cookie', await sessions.end(request))
  })
  return async (method: 'GET' | 'POST' | 'DELETE', cookie = '') => {
    const { statusCode, headers, body } = await app.inject({ method, url: '/me', headers: { cookie } })
    return { status: statusCode, cookie: String(headers['set-cookie'] ?? '').split(';', 1)[0]!, body }
  }
}

/** From now on a row of sessions cannot be changed. */
async function refuseWrites({ db, dialect }: Store<ListedSessionTables>): Promise<void> {
  if (dialect === 'sqlite') {
    await sql`create trigger full_disk before update on cookie_session begin select raise(abort, 'no room'); end`.execute(
      db,
    )
    return
  }
  await sql`create function no_room() returns trigger as 'begin raise exception ''no room''; end' language plpgsql`.execute(
    db,
  )
  await sql`create trigger full_disk before update on cookie_session for each row execute function no_room()`.execute(
    db,
  )
}

for (const [name, open] of Object.entries(testStores))
  describe(`listed sessions on ${name}`, () => {
    const opened = async () => {
      const store = await open<ListedSessionTables>({
        test: [{ id: 1, name: 'sessions', breaking: false, up: createListedSessions }],
      })
      const clock = testClock()
      return { store, clock, one: await processOn(store, clock), two: await processOn(store, clock) }
    }

    test('go on where nothing can be written, until their time without calls is over', async () => {
      const { store, clock, one } = await opened()
      const { cookie } = await one('POST')
      await refuseWrites(store)
      clock.advance(30 * MINUTE)
      expect(await one('GET', cookie)).toMatchObject({ status: 200 })
      clock.advance(30 * MINUTE)
      expect(await one('GET', cookie)).toMatchObject({ status: 401 })
    })

    test('hold in every process, and end in all of them at once', async () => {
      const { store, clock, one, two } = await opened()
      const { cookie } = await one('POST')
      expect((await two('GET', cookie)).status).toBe(200)
      expect(await two('DELETE', cookie)).toMatchObject({ status: 200, cookie: 'c=' })
      expect(await one('GET', cookie)).toMatchObject({ status: 401, cookie: '' })
      const ended = [(await one('POST')).cookie, (await two('POST')).cookie]
      const [{ id } = { id: '' }] = await listSessions(store.db, { who: 'ana' }, clock())
      expect(await endSession(store.db, { id, who: 'rui' })).toBeUndefined()
      expect(await endSessionsOf(store.db, { who: 'ana' })).toHaveLength(2)
      for (const old of ended) expect((await two('GET', old)).status).toBe(401)
      await expect(async () => endSessionsOf(store.db, {})).rejects.toThrow()
    })

    test('take the place of the one that the browser had', async () => {
      const { one, two } = await opened()
      const { cookie } = await one('POST')
      const next = await two('POST', cookie)
      expect([(await one('GET', cookie)).status, (await one('GET', next.cookie)).status]).toEqual([401, 200])
    })

    test('are noted as seen once a minute, end when idle, and are swept when the next one begins', async () => {
      const { store, clock, one } = await opened()
      const { cookie } = await one('POST')
      const seen = async () => (await listSessions(store.db, {}, clock())).map(({ seen_at }) => seen_at)
      const begun = clock().toISOString()
      clock.advance(MINUTE - 1)
      await one('GET', cookie)
      expect(await seen()).toEqual([begun])
      clock.advance(1)
      const renewed = await one('GET', cookie)
      expect(await seen()).toEqual([clock().toISOString()])
      clock.advance(HOUR)
      expect((await one('GET', renewed.cookie)).status).toBe(401)
      expect(await seen()).toEqual([])
      await one('POST')
      expect(await store.db.selectFrom('cookie_session').selectAll().execute()).toHaveLength(1)
    })

    test('know when their holder last showed who they are', async () => {
      const { store, clock, one } = await opened()
      const { cookie } = await one('POST')
      const [{ id } = { id: '' }] = await listSessions(store.db, {}, clock())
      clock.advance(30 * MINUTE)
      await noteProof(store.db, id, clock())
      expect((await one('GET', cookie)).body).toBe(`Ana ${clock().toISOString()}`)
    })
  })
