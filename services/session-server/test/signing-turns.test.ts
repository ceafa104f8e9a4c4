import { createHash } from 'node:crypto'
import { SECOND } from '@chancela/service-kernel/clock'
import { Refusal } from '@chancela/service-kernel/errors'
import { isDigestSignedBy } from '@chancela/signature-engine/keys'
import { describe, expect, test, vi } from 'vitest'
import { openSession } from '../src/actions/open-session.ts'
import { LiveSessions } from '../src/parts/sessions/live-sessions.ts'
import { openTestParts } from './test-support/parts.ts'
import { clock, running } from './test-support/pki.ts'
import { databases, type SettingsFile, testOnce } from './test-support/session-world.ts'
import { newHolder, PIN } from './test-support/vault.ts'

const signal = new AbortController().signal
const origin = { address: '127.0.0.1', correlationId: 'chamada' }
const asking = { applicationId: 'app', application: 'Aplicação', origin, signal }

const digestOf = (text: string) => createHash('sha256').update(text).digest()

const refusal = (attempt: () => unknown): Promise<unknown> =>
  Promise.resolve()
    .then(attempt)
    .then(
      () => 'done',
      (error: unknown) => {
        if (!(error instanceof Refusal)) throw error
        return error.details ? [error.code, error.details] : error.code
      },
    )

const emptyWorkstation = {
  cpfs: '[]',
  public_key: null,
  channel: 2,
  outdated_at: null,
  platform: null,
  agent_version: null,
  address: null,
  enrolled_at: null,
  last_seen_at: null,
  revoked_at: null,
}

for (const database of databases) {
  describe(`signing under a session on ${database}`, () => {
    const once = testOnce(database)
    const begin = async (
      changes: SettingsFile = {},
      person: Parameters<typeof newHolder>[1] = {},
      request: object = {},
    ) => {
      const parts = await openTestParts(database, changes)
      const holder = await newHolder(parts, person)
      const opening = { ...parts, failures: parts.pinFailures }
      const { sessionId, session } = await openSession(opening, { cpf: holder.cpf, pin: PIN, ...request }, asking)
      const rowOf = (id: string) =>
        parts.store.db.selectFrom('signing_session').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      return { ...parts, holder, sessionId, session, row: () => rowOf(session.id) }
    }

    test('the vault key signs a digest, and the certificate verifies it', async () => {
      const { sessions, sessionId, holder } = await begin()
      const turn = sessions.beginSigning(sessionId, clock())
      await turn.ready(signal)
      const { certificate, chain, signer } = await turn.certificate()
      expect(signer).toEqual({ name: holder.row.subject_name, cpf: holder.cpf, email: 'titular@example.com' })
      expect(chain.map(({ subject }) => subject.commonName)).toEqual([
        'AC Pessoas Demo v1',
        'AC Secretaria Demo v1',
        'AC Raiz Demo v1',
      ])
      const signature = await turn.sign(digestOf('documento'), 'SHA-256', signal)
      expect(isDigestSignedBy(certificate, 'sha256', digestOf('documento'), signature)).toBe(true)
      await turn.end()
    })

    once('a vault key on an elliptic curve signs as well', async () => {
      const { sessions, sessionId } = await begin({}, { keyOf: 'davi-moreira' })
      const turn = sessions.beginSigning(sessionId, clock())
      const { certificate } = await turn.certificate()
      const signature = await turn.sign(digestOf('documento'), 'SHA-256', signal)
      expect(isDigestSignedBy(certificate, 'sha256', digestOf('documento'), signature)).toBe(true)
      await turn.end()
    })

    test('the idle window is extended by an accepted call alone, and durable with its count', async () => {
      const { sessions, sessionId, session, row } = await begin({}, {}, { sessionDuration: 60 })
      const first = session.expiresAt
      clock.advance(30 * SECOND)
      const idle = sessions.beginSigning(sessionId, clock())
      await idle.certificate()
      await idle.end()
      expect(sessions.find(sessionId, clock())).toMatchObject({ expiresAt: first, signatures: 0 })
      const turn = sessions.beginSigning(sessionId, clock())
      await turn.accept(clock())
      const extended = new Date(clock().getTime() + 60 * SECOND)
      expect(await row()).toMatchObject({ signatures: 1, expires_at: extended.toISOString() })
      await turn.end()
      expect(sessions.find(sessionId, clock())).toMatchObject({ expiresAt: extended, signatures: 1 })
      clock.advance(60 * SECOND)
      expect(await refusal(() => sessions.beginSigning(sessionId, clock()))).toBe('SESSION_EXPIRED')
    })

    test('a session does not lapse under a call that began in its window', async () => {
      const { sessions, sessionId } = await begin({}, {}, { sessionDuration: 10 })
      const turn = sessions.beginSigning(sessionId, clock())
      clock.advance(15 * SECOND)
      await sessions.sweep(clock())
      await turn.accept(clock())
      await turn.end()
      expect(sessions.find(sessionId, clock())).toBeDefined()
    })

    test('calls that are accepted at once are all counted', async () => {
      const { sessions, sessionId, row } = await begin()
      const turns = Array.from({ length: 40 }, () => sessions.beginSigning(sessionId, clock()))
      await Promise.all(turns.map((turn) => turn.accept(clock())))
      expect((await row()).signatures).toBe(40)
      await Promise.all(turns.map((turn) => turn.end()))
    })

    test('an allowance of 1 ends the session after every signature', async () => {
      const { sessions, sessionId, row } = await begin({ Sessions: { SignatureAllowance: 1 } })
      const turn = sessions.beginSigning(sessionId, clock())
      await turn.accept(clock())
      await turn.end()
      expect(await row()).toMatchObject({ signatures: 1, end_reason: 'exhausted', ended_at: clock().toISOString() })
      expect(await refusal(() => sessions.beginSigning(sessionId, clock()))).toBe('SESSION_EXPIRED')
    })

    test('calls at once cannot exceed the allowance; one that is not accepted costs nothing', async () => {
      const { sessions, sessionId, row } = await begin({ Sessions: { SignatureAllowance: 3 } })
      const begun = Array.from({ length: 3 }, () => sessions.beginSigning(sessionId, clock()))
      expect(await refusal(() => sessions.beginSigning(sessionId, clock()))).toBe('SESSION_EXPIRED')
      await begun[0]!.end()
      const another = sessions.beginSigning(sessionId, clock())
      const turns = [...begun.slice(1), another]
      await Promise.all(turns.map((turn) => turn.accept(clock())))
      await turns[0]!.end()
      await turns[1]!.end()
      // The last call is still running.
      expect(sessions.find(sessionId, clock())).toBeDefined()
      await turns[2]!.end()
      expect(await row()).toMatchObject({ signatures: 3, end_reason: 'exhausted' })
    })

    once('a call whose session ends meanwhile signs no more: the key is wiped', async () => {
      const { sessions, session, sessionId } = await begin()
      const turn = sessions.beginSigning(sessionId, clock())
      await turn.certificate()
      expect(await sessions.end(session.id, 'ended-by-administrator', clock())).toEqual(clock())
      expect(await refusal(() => turn.sign(digestOf('x'), 'SHA-256', signal))).toBe('SESSION_EXPIRED')
      expect(await sessions.end(session.id, 'ended-by-administrator', clock())).toBeUndefined()
      await turn.end()
    })

    test('a certificate that cannot sign is refused as the contract says', async () => {
      const { sessions, sessionId, store, holder } = await begin()
      const set = (columns: object) =>
        store.db.updateTable('certificate').set(columns).where('id', '=', holder.id).execute()
      const attempt = () => refusal(() => sessions.beginSigning(sessionId, clock()).certificate())
      await set({ status: 'REVOKED' })
      expect(await attempt()).toEqual(['CERT_NOT_ACTIVE', { status: 'REVOKED' }])
      await set({ status: 'ACTIVE', good_at: new Date(0).toISOString() })
      expect(await attempt()).toEqual(['CERT_NOT_ACTIVE', { status: 'STALE' }])
      for (const der of [null, 'AAAA', holder.row.chain]) {
        await set({ der })
        expect(await attempt()).toBe('CERT_DATA_UNAVAILABLE')
      }
      await set({ removed_at: clock().toISOString() })
      expect(await attempt()).toBe('CERT_NOT_FOUND')
    })

    once('a certificate without an address is refused, unless the session has one', async () => {
      const without = await begin({}, { email: undefined })
      const turn = without.sessions.beginSigning(without.sessionId, clock())
      expect(await refusal(() => turn.certificate())).toEqual(['CERT_INCOMPLETE_IDENTITY', { field: 'email' }])
      const given = await begin({}, { email: undefined }, { email: 'outro@example.com' })
      const { signer } = await given.sessions.beginSigning(given.sessionId, clock()).certificate()
      expect(signer.email).toBe('outro@example.com')
      const both = await begin({}, {}, { email: 'outro@example.com' })
      const own = await both.sessions.beginSigning(both.sessionId, clock()).certificate()
      expect(own.signer.email).toBe('titular@example.com')
    })

    once('a certificate without a CPF is refused, whatever the session says', async () => {
      const { sessions, sessionId } = await begin({}, { cpf: null }, { email: 'outro@example.com' })
      const turn = sessions.beginSigning(sessionId, clock())
      expect(await refusal(() => turn.certificate())).toEqual(['CERT_INCOMPLETE_IDENTITY', { field: 'cpf' }])
    })

    test('sessions end when an administrator removes or replaces their certificate', async () => {
      const removed = await begin()
      await removed.vault.removeCertificate(removed.holder.id, 'ana@example.com', clock())
      expect(removed.sessions.find(removed.sessionId, clock())).toBeUndefined()
      expect((await removed.row()).end_reason).toBe('certificate-gone')
      const replaced = await begin()
      const file = running.pki.pkcs12(replaced.holder.issued, { password: 'a nova' })
      await replaced.vault.replaceCertificate(replaced.holder.id, { file, pin: 'a nova' }, 'ana@example.com', clock())
      expect(replaced.sessions.find(replaced.sessionId, clock())).toBeUndefined()
      expect((await replaced.row()).end_reason).toBe('certificate-gone')
    })

    test('a workstation-bound session survives a restart; its workstation is awaited for the grace, then it is offline', async () => {
      const parts = await openTestParts(database, { Signing: { ReconnectGraceSeconds: 0 } })
      const { context, certificates, workstations, store } = parts
      const { id, cpf, row } = await newHolder(parts)
      await store.db
        .insertInto('workstation')
        .values({ ...emptyWorkstation, id: 'office', name: 'Consultório', created_at: clock().toISOString() })
        .execute()
      const atWorkstation = { custody: 'workstation', workstation_id: 'office' } as const
      await store.db.updateTable('certificate').set(atWorkstation).where('id', '=', id).execute()
      const wanted = { cpf, certificateId: id, fingerprint: row.fingerprint, applicationId: 'app', email: null }
      const rests = { workstationId: 'office' }
      const { sessionId } = await parts.sessions.open({ ...wanted, windowSeconds: 60, origin, rests }, clock())
      const restarted = new LiveSessions({ context, certificates, workstations })
      await restarted.resume(clock())
      const found = restarted.find(sessionId, clock())
      expect(found).toMatchObject({ cpf, custody: { kind: 'workstation', workstationId: 'office' } })
      const turn = restarted.beginSigning(sessionId, clock())
      expect(await refusal(() => turn.ready(signal))).toBe('WORKSTATION_OFFLINE')
      await turn.end()
      // Deactivated while the workstation is offline: it drops the PIN when it reconnects.
      await restarted.end(found!.id, 'deactivated', clock())
      expect(await store.db.selectFrom('pin_to_forget').selectAll().execute()).toMatchObject([
        { workstation_id: 'office', fingerprint: row.fingerprint },
      ])
      expect(restarted.find(sessionId, clock())).toBeUndefined()
    })

    test('an end that could not be written is written later; the session is over at once', async () => {
      const { sessions, session, sessionId, store, row } = await begin()
      vi.spyOn(store.db, 'updateTable').mockImplementationOnce(() => {
        throw new Error('the disk is full')
      })
      await expect(sessions.end(session.id, 'deactivated', clock())).rejects.toThrow('the disk is full')
      expect(sessions.find(sessionId, clock())).toBeUndefined()
      expect((await row()).ended_at).toBeNull()
      await sessions.sweep(clock())
      expect((await row()).end_reason).toBe('deactivated')
    })

    once('live sessions are listed, newest first, without their ids', async () => {
      const parts = await begin()
      const other = await newHolder(parts)
      const opening = { ...parts, failures: parts.pinFailures }
      const { session } = await openSession(opening, { cpf: other.cpf, pin: PIN }, asking)
      expect(parts.sessions.list(clock()).map(({ id }) => id)).toEqual([session.id, parts.session.id])
      expect(JSON.stringify(parts.sessions.list(clock()))).not.toContain(parts.sessionId)
    })
  })
}
