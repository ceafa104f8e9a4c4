// What the platform tells of the keys of institutions.
import { MINUTE } from '@chancela/service-kernel/clock'
import { describe, expect, test } from 'vitest'
import { databases, startPlatform } from './test-support/credential-world.ts'
import { schoolAt } from './test-support/issuing.ts'
import { clock, signingSettings } from './test-support/pki.ts'

for (const database of databases)
  describe(`readiness on ${database}`, () => {
    test('names a stored key of an institution that does not open, and does not gate', async () => {
      const world = await startPlatform(database, { ...signingSettings, Health: { CacheSeconds: 0 } }, clock)
      const { instituteId } = await schoolAt(world)
      const check = async () => {
        clock.advance(3 * MINUTE)
        const { status, body } = await world.system.json('GET', '/api/ready/details')
        return [status, body.checks.find(({ name }: { name: string }) => name === 'signing-key:institutions')]
      }
      expect(await check()).toMatchObject([200, { ok: true }])
      const rows = () => world.store.db.updateTable('institute_certificate').where('institute_id', '=', instituteId)
      const { sealed_key } = await world.store.db
        .selectFrom('institute_certificate')
        .select('sealed_key')
        .where('institute_id', '=', instituteId)
        .executeTakeFirstOrThrow()
      await rows()
        .set({ sealed_key: `${sealed_key.slice(0, -8)}AAAAAAAA` })
        .execute()
      expect(await check()).toMatchObject([200, { ok: false, detail: expect.stringContaining(instituteId) }])
      await rows().set({ sealed_key }).execute()
      expect(await check()).toMatchObject([200, { ok: true }])
    })
  })
