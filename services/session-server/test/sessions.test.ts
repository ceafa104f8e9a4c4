import { DAY, MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { createKey, disableApplication, revokeKey } from '@chancela/service-kernel/http'
import { describe, expect, test, vi } from 'vitest'
import { clock, running } from './test-support/pki.ts'
import {
  databases,
  newClient,
  type SessionWorld,
  sharedSessionServer,
  startSessionServer,
  testOnce,
} from './test-support/session-world.ts'
import { cpfOf, holdInVault, lookNow, newCpf, newHolder, PIN, vaultOf } from './test-support/vault.ts'

const refused = (status: number, code: string, details?: object) => ({
  status,
  body: { error: { code, ...(details && { details }) } },
})

const opened = async (world: SessionWorld, cpf: string, more: object = {}) => {
  const answer = await world.json('POST', '/v1/sessions', { cpf, pin: PIN, ...more })
  expect([answer.status, answer.body.error?.code]).toEqual([201, undefined])
  return answer.body as { sessionId: string; cpf: string; expiresIn: number; expiresAt: string }
}

const rowsOf = (world: SessionWorld, cpf: string) =>
  world.store.db.selectFrom('signing_session').selectAll().where('cpf', '=', cpf).execute()

const status = (world: SessionWorld, sessionId: string) =>
  world.json('GET', `/v1/sessions/status?sessionId=${encodeURIComponent(sessionId)}`)

const info = (world: SessionWorld, sessionId: string) =>
  world.json('GET', `/v1/certificates/info?sessionId=${encodeURIComponent(sessionId)}`)

const deactivate = (world: SessionWorld, sessionId: string) =>
  world.json('POST', '/v1/sessions/deactivate', { sessionId })

for (const database of databases) {
  describe(`sessions on ${database}`, () => {
    const once = testOnce(database)
    const shared = sharedSessionServer(database)

    test('a vault certificate that the PIN opens binds the session, with no workstation and no prompt', async () => {
      const world = shared()
      const { cpf } = await newHolder(world)
      const session = await opened(world, cpf)
      expect(session).toEqual({
        sessionId: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        cpf,
        expiresIn: 900,
        expiresAt: new Date(clock().getTime() + 900 * SECOND).toISOString(),
      })
      expect(await status(world, session.sessionId)).toMatchObject({
        status: 200,
        body: { active: true, sessionId: session.sessionId, expiresIn: 900, expiresAt: session.expiresAt },
      })
    })

    once(
      'an omitted sessionDuration grants the default window, and above the maximum is clamped, not refused',
      async () => {
        const world = shared()
        const { cpf } = await newHolder(world)
        expect((await opened(world, cpf)).expiresIn).toBe(900)
        expect((await opened(world, cpf, { sessionDuration: 60 })).expiresIn).toBe(60)
        const longest = await opened(world, cpf, { sessionDuration: 1_000_000 })
        expect(longest.expiresIn).toBe(28_800)
        expect(Date.parse(longest.expiresAt) - clock().getTime()).toBe(28_800 * SECOND)
        for (const sessionDuration of [0, -1, 1.5, 'long'])
          expect(await world.json('POST', '/v1/sessions', { cpf, pin: PIN, sessionDuration })).toMatchObject(
            refused(400, 'INVALID_REQUEST', { field: 'sessionDuration' }),
          )
      },
    )

    once('check digits are verified and the eleven repeated-digit values are refused', async () => {
      for (const cpf of ['52998224724', '11111111111', '00000000000', '529.982.247-25', '5299822472', ''])
        expect(await shared().json('POST', '/v1/sessions', { cpf, pin: PIN })).toMatchObject(
          refused(400, 'INVALID_REQUEST', { field: 'cpf' }),
        )
    })

    once('null is absent: a client that writes it for what it does not set gets the defaults', async () => {
      const world = shared()
      const { cpf } = await newHolder(world)
      expect((await opened(world, cpf, { sessionDuration: null, email: null })).expiresIn).toBe(900)
      for (const [body, field] of [
        [{ cpf: null, pin: PIN }, 'cpf'],
        [{ cpf, pin: null }, 'pin'],
      ] as const)
        expect(await world.json('POST', '/v1/sessions', body)).toMatchObject(refused(400, 'INVALID_REQUEST', { field }))
    })

    once('a body without cpf or pin, or with a bad e-mail address, names the field', async () => {
      for (const [body, field] of [
        [{ pin: PIN }, 'cpf'],
        [{ cpf: cpfOf('ana-souza') }, 'pin'],
        [{ cpf: cpfOf('ana-souza'), pin: '' }, 'pin'],
        [{ cpf: cpfOf('ana-souza'), pin: PIN, email: 'nobody' }, 'email'],
      ] as const)
        expect(await shared().json('POST', '/v1/sessions', body)).toMatchObject(
          refused(400, 'INVALID_REQUEST', { field }),
        )
    })

    test('no certificate for the CPF anywhere answers 404 CERT_NOT_FOUND', async () => {
      expect(await shared().json('POST', '/v1/sessions', { cpf: newCpf(), pin: PIN })).toMatchObject(
        refused(404, 'CERT_NOT_FOUND'),
      )
    })

    once('where every certificate has a non-active verdict the answer is 422 CERT_NOT_ACTIVE', async () => {
      const world = shared()
      for (const [label, verdict] of [
        ['expired', 'EXPIRED'],
        ['not-yet-valid', 'UNTRUSTED'],
        ['revoked', 'REVOKED'],
        ['under-unknown-root', 'UNTRUSTED'],
      ] as const) {
        const { cpf, status: judged } = await holdInVault(world, label)
        expect([label, judged]).toEqual([label, verdict])
        expect(await world.json('POST', '/v1/sessions', { cpf, pin: PIN })).toMatchObject(
          refused(422, 'CERT_NOT_ACTIVE', { statuses: [verdict] }),
        )
      }
    })

    once('a PIN that opens no vault certificate answers 401 INVALID_PIN', async () => {
      const world = shared()
      const { cpf } = await newHolder(world)
      expect(await world.json('POST', '/v1/sessions', { cpf, pin: 'errada' })).toMatchObject(
        refused(401, 'INVALID_PIN'),
      )
    })

    test('of several vault certificates the one whose PIN it is binds the session', async () => {
      const world = shared()
      const cpf = newCpf()
      await holdInVault(world, 'ana-souza', { cpf, pin: 'a primeira' })
      await holdInVault(world, 'bruno-lima', { cpf, pin: 'a segunda' })
      await holdInVault(world, 'revoked', { cpf, pin: 'a terceira' })
      for (const [pin, label] of [
        ['a primeira', 'ana-souza'],
        ['a segunda', 'bruno-lima'],
      ] as const) {
        const { sessionId } = await opened(world, cpf, { pin })
        expect((await info(world, sessionId)).body.cpf).toBe(cpfOf(label))
      }
      expect(await world.json('POST', '/v1/sessions', { cpf, pin: 'a terceira' })).toMatchObject(
        refused(401, 'INVALID_PIN'),
      )
    })

    once('a vault certificate that cannot be opened answers 422 PIN_NOT_AVAILABLE', async () => {
      const world = shared()
      const { id, cpf } = await newHolder(world)
      const { secrets } = await vaultOf(world)
      const spoilt = secrets.seal('no PKCS#12', `session-server/certificate/${id}/sealed_file`)
      for (const sealed_file of ['v1.00000000.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAA', spoilt, null]) {
        await world.store.db.updateTable('certificate').set({ sealed_file }).where('id', '=', id).execute()
        expect(await world.json('POST', '/v1/sessions', { cpf, pin: PIN })).toMatchObject(
          refused(422, 'PIN_NOT_AVAILABLE'),
        )
      }
    })

    test('at most one session is active per CPF: creating another replaces the earlier one', async () => {
      const world = shared()
      const { cpf } = await newHolder(world)
      const first = await opened(world, cpf)
      const second = await opened(world, cpf)
      expect((await status(world, first.sessionId)).body).toMatchObject({ active: false, expiresIn: 0 })
      expect((await status(world, second.sessionId)).body.active).toBe(true)
      expect(await info(world, first.sessionId)).toMatchObject(refused(401, 'SESSION_EXPIRED'))
      const rows = await rowsOf(world, cpf)
      expect(rows.filter(({ ended_at }) => ended_at === null)).toHaveLength(1)
      expect(rows.map(({ end_reason }) => String(end_reason)).toSorted()).toEqual(['null', 'replaced'])
    })

    test('of many that are opened at once for one CPF, one is active at the end', async () => {
      const world = shared()
      const { cpf } = await newHolder(world)
      const all = await Promise.all(Array.from({ length: 8 }, () => opened(world, cpf)))
      const states = await Promise.all(all.map(async ({ sessionId }) => (await status(world, sessionId)).body.active))
      expect(states.filter(Boolean)).toHaveLength(1)
    })

    test('a client that leaves before its turn gets no session, and nothing is counted', async () => {
      const world = shared()
      const { cpf } = await newHolder(world)
      const leaving = new AbortController()
      const body = JSON.stringify({ cpf, pin: PIN })
      const headers = { 'content-type': 'application/json' }
      const calls = Array.from({ length: 6 }, () =>
        world.call('POST', '/v1/sessions', { body, headers, signal: leaving.signal }).catch(() => undefined),
      )
      await vi.waitUntil(async () => (await rowsOf(world, cpf)).length > 0, { interval: 1 })
      leaving.abort()
      await Promise.all(calls)
      const { sessionId } = await opened(world, cpf)
      expect((await status(world, sessionId)).body.active).toBe(true)
      expect(world.log()).not.toContain('request failed')
    })

    once('an id naming nothing active answers 200 with active false; omitting the id answers 400', async () => {
      const world = shared()
      expect(await status(world, 'nobody-knows-it')).toMatchObject({
        status: 200,
        body: { active: false, sessionId: 'nobody-knows-it', expiresIn: 0, expiresAt: clock().toISOString() },
      })
      for (const path of ['/v1/sessions/status', '/v1/sessions/status?sessionId='])
        expect(await world.json('GET', path)).toMatchObject(refused(400, 'INVALID_REQUEST', { field: 'sessionId' }))
    })

    once('an id that is longer than any names nothing active, like every other', async () => {
      const world = shared()
      const longer = 's'.repeat(1000)
      expect(await status(world, longer)).toMatchObject({ status: 200, body: { active: false, sessionId: longer } })
      for (const answer of [
        await deactivate(world, longer),
        await world.json('GET', `/v1/certificates/info?sessionId=${longer}`),
      ])
        expect(answer).toMatchObject(refused(401, 'SESSION_EXPIRED'))
    })

    test('deactivate ends the session and says when; it is not idempotent', async () => {
      const world = shared()
      const { cpf } = await newHolder(world)
      const { sessionId } = await opened(world, cpf)
      const endedAt = clock().toISOString()
      expect(await deactivate(world, sessionId)).toMatchObject({
        status: 200,
        body: { cpf, sessionId, active: false, endedAt },
      })
      expect(await deactivate(world, sessionId)).toMatchObject(refused(401, 'SESSION_EXPIRED'))
      expect(await deactivate(world, 'nobody-knows-it')).toMatchObject(refused(401, 'SESSION_EXPIRED'))
      expect((await status(world, sessionId)).body).toMatchObject({ active: false, expiresIn: 0, expiresAt: endedAt })
      expect(await world.json('POST', '/v1/sessions/deactivate', {})).toMatchObject(refused(400, 'INVALID_REQUEST'))
    })

    test('of two who deactivate at once, one is told that there is no session', async () => {
      const world = shared()
      const { cpf } = await newHolder(world)
      const { sessionId } = await opened(world, cpf)
      const answers = await Promise.all([deactivate(world, sessionId), deactivate(world, sessionId)])
      expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 401])
    })

    once('certificates/info tells of the bound certificate; its subject need not be the session’s CPF', async () => {
      const world = shared()
      const cpf = newCpf()
      await holdInVault(world, 'padaria-aurora', { cpf })
      const { sessionId } = await opened(world, cpf)
      const { x509 } = running.pki.certificate('padaria-aurora')
      expect(await info(world, sessionId)).toMatchObject({
        status: 200,
        body: {
          cpf: cpfOf('ana-souza'),
          subjectName: 'PADARIA AURORA LTDA',
          issuer: 'AC Pessoas Demo v1',
          serialNumber: x509.serialNumber,
          notBefore: new Date(x509.validFrom).toISOString(),
          notAfter: new Date(x509.validTo).toISOString(),
          status: 'ACTIVE',
        },
      })
      expect(await info(world, 'nobody-knows-it')).toMatchObject(refused(401, 'SESSION_EXPIRED'))
      expect(await world.json('GET', '/v1/certificates/info')).toMatchObject(refused(400, 'INVALID_REQUEST'))
    })

    test('the bound certificate that is no longer held answers CERT_NOT_FOUND, one without data CERT_DATA_UNAVAILABLE', async () => {
      const world = shared()
      const { id, cpf } = await newHolder(world)
      const { sessionId } = await opened(world, cpf)
      await world.store.db.updateTable('certificate').set({ der: null }).where('id', '=', id).execute()
      expect(await info(world, sessionId)).toMatchObject(refused(422, 'CERT_DATA_UNAVAILABLE'))
      const { vault } = await vaultOf(world)
      await vault.removeCertificate(id, 'operator', clock())
      expect(await info(world, sessionId)).toMatchObject(refused(404, 'CERT_NOT_FOUND'))
    })

    test('the idle window lapses; reading never extends it', async () => {
      const world = shared()
      const { cpf } = await newHolder(world)
      const { sessionId, expiresAt } = await opened(world, cpf, { sessionDuration: 60 })
      clock.advance(59 * SECOND)
      expect((await status(world, sessionId)).body).toMatchObject({ active: true, expiresIn: 60, expiresAt })
      expect((await info(world, sessionId)).status).toBe(200)
      clock.advance(1 * SECOND)
      expect((await status(world, sessionId)).body).toMatchObject({ active: false, expiresIn: 0, expiresAt })
      expect(await info(world, sessionId)).toMatchObject(refused(401, 'SESSION_EXPIRED'))
      expect(await deactivate(world, sessionId)).toMatchObject(refused(401, 'SESSION_EXPIRED'))
      await lookNow(world)
      const row = () =>
        world.store.db.selectFrom('signing_session').selectAll().where('cpf', '=', cpf).executeTakeFirstOrThrow()
      await vi.waitUntil(async () => (await row()).ended_at !== null)
      expect(await row()).toMatchObject({ end_reason: 'expired', ended_at: expiresAt })
    })

    test('ended sessions are forgotten after Sessions:HistoryDays', async () => {
      const world = shared()
      const { cpf } = await newHolder(world)
      const { sessionId } = await opened(world, cpf)
      await deactivate(world, sessionId)
      await world.store.db
        .updateTable('signing_session')
        .set({ ended_at: new Date(clock().getTime() - 90 * DAY - MINUTE).toISOString() })
        .where('cpf', '=', cpf)
        .execute()
      await lookNow(world)
      const rows = () => world.store.db.selectFrom('signing_session').select('id').where('cpf', '=', cpf).execute()
      await vi.waitUntil(async () => (await rows()).length === 0)
      expect((await status(world, sessionId)).body.expiresAt).toBe(clock().toISOString())
    })

    once('missing, unknown, revoked, expired and disabled-application keys are rejected identically', async () => {
      const world = shared()
      const { store } = world
      const later = new Date(clock().getTime() + SECOND)
      const revoked = await newClient(store)
      await revokeKey(store, revoked.keyId, clock())
      const disabled = await newClient(store)
      await disableApplication(store, disabled.id, clock())
      const application = await newClient(store)
      const expiring = { applicationId: application.id, description: 'short', expiresAt: later }
      const expired = await createKey(store, expiring, clock())
      clock.advance(2 * SECOND)
      const keys = [undefined, '', 'unknown', revoked.apiKey, disabled.apiKey, expired.key]
      const calls = [
        ['POST', '/v1/sessions'],
        ['GET', '/v1/sessions/status?sessionId=x'],
        ['POST', '/v1/sessions/deactivate'],
        ['GET', '/v1/certificates/info?sessionId=x'],
      ] as const
      for (const [method, path] of calls)
        for (const key of keys) {
          const answer = await fetch(`${world.baseUrl}${path}`, {
            method,
            headers: key === undefined ? {} : { 'X-API-Key': key },
          })
          expect([path, key, answer.status]).toEqual([path, key, 401])
          expect(await answer.json()).toEqual({
            error: { code: 'UNAUTHORIZED', message: 'The API key is not accepted.' },
          })
          expect(answer.headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/)
        }
    })

    test('a restart ends sessions bound to a vault certificate', async () => {
      const world = await startSessionServer(database)
      const { cpf } = await newHolder(world)
      const { sessionId } = await opened(world, cpf)
      await world.stop()
      const again = await startSessionServer(database, { after: world })
      expect((await status(again, sessionId)).body).toMatchObject({ active: false, expiresAt: clock().toISOString() })
      expect(await info(again, sessionId)).toMatchObject(refused(401, 'SESSION_EXPIRED'))
      const row = await again.store.db.selectFrom('signing_session').selectAll().executeTakeFirstOrThrow()
      expect(row.end_reason).toBe('stranded')
      await opened(again, cpf)
    })
  })
}
