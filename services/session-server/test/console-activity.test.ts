import { DAY, HOUR, MINUTE, plus } from '@chancela/service-kernel/clock'
import { newRowId } from '@chancela/service-kernel/store'
import { formattedCpf } from '@chancela/signature-engine/x509'
import { refusal, signedIn } from '@chancela/testkit/console'
import { describe, expect, test } from 'vitest'
import type { SignatureRow } from '../src/store/tables.ts'
import {
  type Answer,
  databases,
  type SessionWorld,
  sharedSessionServer,
  startSessionServer,
} from './test-support/session-world.ts'
import { sharedSignatureService } from './test-support/signature-service.ts'
import { newCpf, newHolder, PIN } from './test-support/vault.ts'

/** Opens a session of a holder with a certificate of their own. */
async function openSession(world: SessionWorld) {
  const held = await newHolder(world)
  const { status, body } = await world.json('POST', '/v1/sessions', { cpf: held.cpf, pin: PIN })
  expect(status).toBe(201)
  return { ...held, sessionId: body.sessionId as string }
}

/** A line of the log of signatures. */
async function logSignature({ store, client, clock }: SessionWorld, over: Partial<SignatureRow> = {}) {
  const row: SignatureRow = {
    id: newRowId(clock()),
    session_id: 's',
    certificate_id: 'c',
    application_id: client.id,
    cpf: newCpf(),
    custody: 'vault',
    file_name: 'contrato.pdf',
    bytes: 20_480,
    sha256: 'ab'.repeat(32),
    state: 'Signed',
    document_id: crypto.randomUUID(),
    code: null,
    detail: null,
    batch_id: null,
    correlation_id: crypto.randomUUID(),
    started_at: clock().toISOString(),
    ended_at: clock().toISOString(),
    look_at: null,
    ...over,
  }
  await store.db.insertInto('signature').values(row).execute()
  return row
}

const signatureService = sharedSignatureService()

for (const database of databases) {
  describe(`what goes on, at the console on ${database}`, () => {
    const world = sharedSessionServer(database)

    test('live sessions are shown without their ids and secrets, and ended by an administrator', async () => {
      const browser = await signedIn(world())
      const { cpf, row, sessionId } = await openSession(world())
      const { body } = await browser.call('GET', `/api/sessions?cpf=${encodeURIComponent(formattedCpf(cpf))}`)
      expect(body).toEqual({
        items: [
          {
            id: expect.any(String),
            cpf,
            subjectName: row.subject_name,
            custody: 'vault',
            workstation: null,
            application: world().client.name,
            createdAt: world().clock().toISOString(),
            expiresAt: plus(world().clock(), 900_000).toISOString(),
            signatures: 0,
            allowance: null,
          },
        ],
        nextCursor: null,
      })
      expect(JSON.stringify(body)).not.toContain(sessionId)
      const [{ id }] = body.items
      const status = async () => (await world().json('GET', `/v1/sessions/status?sessionId=${sessionId}`)).body.active
      expect(await status()).toBe(true)
      expect((await browser.call('DELETE', `/api/sessions/${id}`)).status).toBe(204)
      expect(await status()).toBe(false)
      expect((await browser.call('GET', `/api/sessions?cpf=${cpf}`)).body.items).toEqual([])
      expect(refusal(await browser.call('DELETE', `/api/sessions/${id}`))).toEqual([404, 'SESSION_NOT_FOUND'])
      expect((await browser.call('GET', `/api/events?q=${id}`)).body.items).toMatchObject([
        { type: 'SessionEnded', actor: browser.email, text: expect.stringContaining(formattedCpf(cpf)) },
      ])
    })

    test('sessions are paged, newest first, and gone when their window lapses', async () => {
      const browser = await signedIn(world())
      world().clock.advance(HOUR)
      const opened = [await openSession(world()), await openSession(world()), await openSession(world())]
      const first = (await browser.call('GET', '/api/sessions?limit=2')).body
      const second = (await browser.call('GET', `/api/sessions?limit=2&cursor=${first.nextCursor}`)).body
      const cpfs = [...first.items, ...second.items].map(({ cpf }: { cpf: string }) => cpf)
      expect(cpfs).toEqual(opened.map(({ cpf }) => cpf).toReversed())
      expect([first.items.length, second.nextCursor]).toEqual([2, null])
      world().clock.advance(HOUR)
      expect((await browser.call('GET', '/api/sessions')).body.items).toEqual([])
    })

    test('the log of signatures shows what became of each document', async () => {
      const browser = await signedIn(world())
      const cpf = newCpf()
      const signed = await logSignature(world(), { cpf })
      const batch_id = newRowId(world().clock())
      const failure = { state: 'Failed', document_id: null, code: 'SIGNER_ERROR', detail: 'away', batch_id } as const
      const failed = await logSignature(world(), { cpf, ...failure })
      const { body } = await browser.call('GET', `/api/signatures?cpf=${cpf}`)
      expect(body.items[1]).toEqual({
        id: signed.id,
        startedAt: signed.started_at,
        endedAt: signed.ended_at,
        cpf,
        application: world().client.name,
        fileName: 'contrato.pdf',
        bytes: 20_480,
        sha256: signed.sha256,
        custody: 'vault',
        state: 'Signed',
        signatureId: signed.document_id,
        code: null,
        detail: null,
        batchId: null,
        correlationId: signed.correlation_id,
      })
      expect(body.items[0]).toMatchObject({
        id: failed.id,
        state: 'Failed',
        signatureId: null,
        code: 'SIGNER_ERROR',
        batchId: batch_id,
      })
    })

    test('the log is filtered by CPF, state, document and time, and paged newest first', async () => {
      const browser = await signedIn(world())
      const cpf = newCpf()
      const begin = world().clock()
      const rows: SignatureRow[] = []
      for (const state of ['Signed', 'Failed', 'Signed', 'Canceled', 'Signed'] as const) {
        world().clock.advance(MINUTE)
        rows.push(await logSignature(world(), { cpf, state }))
      }
      const ids = async (query: string): Promise<string[]> =>
        (
          await browser.call('GET', `/api/signatures?cpf=${encodeURIComponent(formattedCpf(cpf))}&${query}`)
        ).body.items.map(({ id }: { id: string }) => id)
      const newestFirst = rows.map(({ id }) => id).toReversed()
      expect(await ids('')).toEqual(newestFirst)
      expect(await ids('state=Signed')).toEqual([rows[4]!.id, rows[2]!.id, rows[0]!.id])
      expect(await ids(`signatureId=${rows[1]!.document_id}`)).toEqual([rows[1]!.id])
      expect(await ids(`signatureId=${rows[1]!.id}`)).toEqual([rows[1]!.id])
      const at = (minutes: number) => plus(begin, minutes * MINUTE).toISOString()
      expect(await ids(`from=${at(2)}&to=${at(4)}`)).toEqual([rows[2]!.id, rows[1]!.id])
      const pages: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const { body }: Answer = await browser.call(
          'GET',
          `/api/signatures?cpf=${cpf}&limit=2${cursor && `&cursor=${cursor}`}`,
        )
        pages.push(...body.items.map(({ id }: { id: string }) => id))
        cursor = body.nextCursor
      }
      expect(pages).toEqual(newestFirst)
      for (const wrong of ['cursor=x', 'state=Odd', 'limit=0', 'limit=501', 'from=yesterday'])
        expect(refusal(await browser.call('GET', `/api/signatures?${wrong}`))).toEqual([400, 'INVALID_REQUEST'])
    })

    test('wrong PINs are shown by CPF, locked ones first, and forgotten by an administrator', async () => {
      const browser = await signedIn(world())
      const [some, locked] = [await newHolder(world()), await newHolder(world())]
      const guess = (cpf: string) => world().json('POST', '/v1/sessions', { cpf, pin: 'wrong' })
      const begin = world().clock()
      for (let tries = 0; tries < 5; tries += 1) await guess(locked.cpf)
      world().clock.advance(MINUTE)
      await guess(some.cpf)
      expect(refusal(await world().json('POST', '/v1/sessions', { cpf: some.cpf, pin: 'wrong' }))).toEqual([
        401,
        'INVALID_PIN',
      ])
      const { body } = await browser.call('GET', '/api/lockouts')
      expect(body).toEqual([
        {
          cpf: locked.cpf,
          failures: 5,
          locked: true,
          lastFailureAt: begin.toISOString(),
          clearsAt: plus(begin, 15 * MINUTE).toISOString(),
        },
        { cpf: some.cpf, failures: 2, locked: false, lastFailureAt: plus(begin, MINUTE).toISOString(), clearsAt: null },
      ])
      expect((await browser.call('DELETE', `/api/lockouts/${formattedCpf(locked.cpf)}`)).status).toBe(204)
      expect((await world().json('POST', '/v1/sessions', { cpf: locked.cpf, pin: PIN })).status).toBe(201)
      expect(refusal(await browser.call('DELETE', `/api/lockouts/${locked.cpf}`))).toEqual([404, 'LOCKOUT_NOT_FOUND'])
      expect((await browser.call('GET', `/api/events?type=LockoutCleared&q=${locked.cpf}`)).body.items).toMatchObject([
        { actor: browser.email, subject: { kind: 'cpf', id: locked.cpf } },
      ])
    })

    test('events are filtered by type and text, and paged although new ones come meanwhile', async () => {
      const browser = await signedIn(world())
      const names = Array.from({ length: 5 }, () => `evento ${crypto.randomUUID()}`)
      for (const name of names) {
        world().clock.advance(1000)
        await browser.call('POST', '/api/applications', { name })
      }
      const path = `/api/events?type=ApplicationCreated&q=${encodeURIComponent(browser.email)}&limit=2`
      const first = (await browser.call('GET', path)).body
      world().clock.advance(1000)
      await browser.call('POST', '/api/applications', { name: `evento ${crypto.randomUUID()}` })
      const second = (await browser.call('GET', `${path}&cursor=${first.nextCursor}`)).body
      const third = (await browser.call('GET', `${path}&cursor=${second.nextCursor}`)).body
      const texts = [...first.items, ...second.items, ...third.items].map(({ text }: { text: string }) => text)
      expect(texts).toEqual(names.toReversed().map((name) => `The application ${name} was made.`))
      expect(third.nextCursor).toBeNull()
      const cursors = [
        ['x', '1'],
        [world().clock().toISOString(), '0'],
        [world().clock().toISOString(), 'x'],
      ]
      for (const cursor of cursors.map((keys) => Buffer.from(JSON.stringify(keys)).toString('base64url')))
        expect(refusal(await browser.call('GET', `/api/events?cursor=${cursor}`))).toEqual([400, 'INVALID_REQUEST'])
      expect(refusal(await browser.call('GET', '/api/events?type=Odd'))).toEqual([400, 'INVALID_REQUEST'])
    })
  })

  describe(`the first page of the console on ${database}`, () => {
    test('tells whether the signature service answers', async () => {
      const world = await startSessionServer(database, { signer: signatureService })
      const browser = await signedIn(world)
      const { baseUrl: endpoint } = signatureService()
      expect((await browser.call('GET', '/api/overview')).body.signer).toEqual({ endpoint, reachable: true })
    })

    test('counts what goes on', async () => {
      const world = await startSessionServer(database, { settings: { Sessions: { SignatureAllowance: 7 } } })
      const browser = await signedIn(world)
      await browser.call('POST', '/api/workstations', { name: 'recepção', cpfs: [newCpf()] })
      const { id } = await openSession(world)
      await newHolder(world)
      const ending = { not_after: plus(world.clock(), 29 * DAY).toISOString() }
      await world.store.db.updateTable('certificate').set(ending).where('id', '=', id).execute()
      const cpf = newCpf()
      for (let tries = 0; tries < 5; tries += 1) await world.json('POST', '/v1/sessions', { cpf, pin: 'wrong' })
      const { cpf: locked } = await newHolder(world)
      for (let tries = 0; tries < 5; tries += 1) await world.json('POST', '/v1/sessions', { cpf: locked, pin: 'wrong' })
      await logSignature(world, { state: 'Signed' })
      await logSignature(world, { state: 'Failed' })
      await logSignature(world, { state: 'Canceled' })
      await logSignature(world, { state: 'Unknown' })
      await logSignature(world, { state: 'Signed', started_at: plus(world.clock(), -2 * DAY).toISOString() })
      const { status, body } = await browser.call('GET', '/api/overview')
      expect(status).toBe(200)
      expect(body).toEqual({
        liveSessions: 1,
        workstations: { online: 0, offline: 0, waiting: 1 },
        certificates: { ACTIVE: 3, EXPIRED: 0, REVOKED: 0, UNTRUSTED: 0, STALE: 0 },
        expiringSoon: 1,
        signaturesToday: { signed: 1, failed: 2 },
        lockedCpfs: 1,
        signer: { endpoint: 'http://127.0.0.1:9', reachable: false },
        allowance: 7,
        notices: expect.arrayContaining([
          expect.objectContaining({
            cause: 'cpfs-locked',
            who: `***.${locked.slice(3, 6)}.${locked.slice(6, 9)}-**`,
            detail: '',
          }),
          // Whoever signs in sees what operators are told by mail, checks of readiness among it.
          expect.objectContaining({ cause: 'signature-service', who: '', detail: expect.stringMatching(/./) }),
        ]),
      })
      const since = encodeURIComponent(plus(world.clock(), -3 * DAY).toISOString())
      expect((await browser.call('GET', `/api/overview?since=${since}`)).body.signaturesToday.signed).toBe(2)
    })
  })
}
