import { HOUR, MINUTE } from '@chancela/service-kernel/clock'
import { describe, expect, test, vi } from 'vitest'
import { heldCertificate } from '../src/store/certificate-rows.ts'
import { clock, running } from './test-support/pki.ts'
import { databases, type SessionWorld, sharedSessionServer } from './test-support/session-world.ts'
import { lookNow, newHolder, PIN, vaultOf } from './test-support/vault.ts'

const open = (world: SessionWorld, cpf: string) =>
  world.json('POST', '/v1/sessions', { cpf, pin: PIN, sessionDuration: 28_800 })

const info = async (world: SessionWorld, sessionId: string) =>
  (await world.json('GET', `/v1/certificates/info?sessionId=${sessionId}`)).body

/** Waits until the worker has validated again and the status is this one. */
async function untilStatus(world: SessionWorld, id: string, status: string): Promise<void> {
  await lookNow(world)
  const judged = async () =>
    (await world.store.db.selectFrom('certificate').selectAll().where('id', '=', id).executeTakeFirst())?.status
  await vi.waitUntil(async () => (await judged()) === status, { interval: 20 })
}

const silenced = ['ocsp', 'crl', 'crl-mirror'] as const

const silenceAuthorities = () => {
  for (const area of silenced) running.faults.set(area, { kind: 'down' })
}

for (const database of databases) {
  describe(`verdicts on ${database}`, () => {
    const shared = sharedSessionServer(database)

    test('a verdict changes while a session is live: revoked, the certificate signs no more', async () => {
      const world = shared()
      const { id, cpf, issued } = await newHolder(world)
      const { sessionId } = (await open(world, cpf)).body
      expect((await info(world, sessionId)).status).toBe('ACTIVE')
      running.pki.revoke(issued, { reason: 'keyCompromise' })
      clock.advance(20 * MINUTE)
      await untilStatus(world, id, 'REVOKED')
      expect((await info(world, sessionId)).status).toBe('REVOKED')
      expect((await open(world, cpf)).body.error).toMatchObject({
        code: 'CERT_NOT_ACTIVE',
        details: { statuses: ['REVOKED'] },
      })
      const { events } = await vaultOf(world)
      const { items } = await events.list({ subject: { kind: 'certificate', id } })
      expect(items.map(({ type, text }) => [type, text])).toEqual([
        [
          'CertificateVerdictChanged',
          'The certificate is REVOKED, after ACTIVE. The authority has revoked the certificate.',
        ],
        ['CertificateImported', expect.stringMatching(/^A certificate was taken into the vault: TITULAR/)],
      ])
    })

    test('of two looks at one certificate the later counts, whichever is written first', async () => {
      const world = shared()
      const { certificates, events } = await vaultOf(world)
      const statusOf = async (id: string) => (await heldCertificate(world.store.db, id))!.status
      const [earlier, later] = [1, 2].map((minutes) => new Date(clock().getTime() + minutes * MINUTE))
      const readByBoth = async () => {
        const row = (await heldCertificate(world.store.db, (await newHolder(world)).id))!
        return { id: row.id, row, lost: { ...row, der: 'AAAA' } }
      }

      const { id, row, lost } = await readByBoth()
      expect(await certificates.judge(row, later!)).toMatchObject({ status: 'ACTIVE' })
      expect(await certificates.judge(lost, earlier!)).toMatchObject({ status: 'ACTIVE' })
      expect(await certificates.judge(lost, later!)).toMatchObject({ status: 'ACTIVE' })
      expect(await statusOf(id)).toBe('ACTIVE')

      const other = await readByBoth()
      expect(await certificates.judge(other.row, earlier!)).toMatchObject({ status: 'ACTIVE' })
      expect(await certificates.judge(other.lost, later!)).toMatchObject({ status: 'UNTRUSTED' })
      expect(await statusOf(other.id)).toBe('UNTRUSTED')
      const { items } = await events.list({ subject: { kind: 'certificate', id: other.id } })
      expect(items[0]!.text).toMatch(/^The certificate is UNTRUSTED, after ACTIVE\./)
    })

    test('of looks that end at once the latest leaves its verdict', async () => {
      const world = shared()
      const { id } = await newHolder(world)
      const row = (await heldCertificate(world.store.db, id))!
      const { certificates } = await vaultOf(world)
      const at = (minutes: number) => new Date(clock().getTime() + minutes * MINUTE)
      const looks = [3, 1, 5, 2, 4].map((minutes) =>
        certificates.judge(minutes === 5 ? { ...row, der: 'AAAA' } : row, at(minutes)),
      )
      await Promise.all(looks)
      expect(await heldCertificate(world.store.db, id)).toMatchObject({
        status: 'UNTRUSTED',
        checked_at: at(5).toISOString(),
      })
    })

    test('one that is removed while it is judged stays as it was', async () => {
      const world = shared()
      const { id } = await newHolder(world)
      const row = (await heldCertificate(world.store.db, id))!
      await world.store.db.deleteFrom('certificate').where('id', '=', id).execute()
      const { certificates } = await vaultOf(world)
      expect(await certificates.judge(row, clock())).toEqual(row)
    })

    test('while nobody tells of revocation a certificate stays ACTIVE for a while, then it is STALE, then ACTIVE again', async () => {
      const world = shared()
      const { id, cpf } = await newHolder(world)
      const { sessionId } = (await open(world, cpf)).body
      silenceAuthorities()
      try {
        // Fetched revocation lists are valid for a day.
        clock.advance(3 * HOUR)
        await lookNow(world)
        expect((await info(world, sessionId)).status).toBe('ACTIVE')
        clock.advance(26 * HOUR)
        await untilStatus(world, id, 'STALE')
        expect((await open(world, cpf)).body.error).toMatchObject({
          code: 'CERT_NOT_ACTIVE',
          details: { statuses: ['STALE'] },
        })
        const fresh = await newHolder(world)
        expect([fresh.status, fresh.row.status_reason]).toEqual([
          'STALE',
          expect.stringMatching(/^Nobody answered whether .* is revoked\.$/),
        ])
      } finally {
        running.faults.clear()
      }
      clock.advance(20 * MINUTE)
      await untilStatus(world, id, 'ACTIVE')
      expect((await open(world, cpf)).status).toBe(201)
    })

    test('the clock counts where nobody judges: what was not found good for long is STALE, what is over EXPIRED', async () => {
      const world = shared()
      const { id, cpf } = await newHolder(world)
      const { sessionId } = (await open(world, cpf)).body
      const set = (columns: object) =>
        world.store.db.updateTable('certificate').set(columns).where('id', '=', id).execute()
      const longAgo = new Date(clock().getTime() - 241 * MINUTE).toISOString()
      await set({ good_at: longAgo })
      expect((await info(world, sessionId)).status).toBe('STALE')
      expect((await open(world, cpf)).body.error.details).toEqual({ statuses: ['STALE'] })
      await set({ good_at: clock().toISOString(), not_after: longAgo })
      expect((await info(world, sessionId)).status).toBe('EXPIRED')
      expect((await open(world, cpf)).body.error.details).toEqual({ statuses: ['EXPIRED'] })
    })

    test('a certificate that another process takes into the vault is judged soon', async () => {
      const world = shared()
      const { id } = await newHolder(world)
      await world.store.db
        .updateTable('certificate')
        .set({ status: 'STALE', checked_at: null, good_at: null, chain: '[]' })
        .where('id', '=', id)
        .execute()
      await untilStatus(world, id, 'ACTIVE')
      // Fetched issuers are stored.
      const { chain } = await world.store.db
        .selectFrom('certificate')
        .select('chain')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      expect(JSON.parse(chain)).toHaveLength(3)
    })

    test('one whose data was lost is UNTRUSTED', async () => {
      const world = shared()
      const { id } = await newHolder(world)
      await world.store.db.updateTable('certificate').set({ der: 'AAAA' }).where('id', '=', id).execute()
      const { certificates } = await vaultOf(world)
      expect(await certificates.recheck(id, clock())).toMatchObject({
        status: 'UNTRUSTED',
        status_reason: 'The data of the certificate is not held.',
        status_finding: '{"code":"data-lost","whose":"holder","issuer":null}',
      })
      expect(await certificates.recheck('nobody', clock())).toBeUndefined()
    })
  })
}
