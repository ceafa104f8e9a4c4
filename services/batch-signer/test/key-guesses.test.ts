// Wrong keys at the sign-in, counted for all processes together.
import { MINUTE } from '@chancela/service-kernel/clock'
import { testClock } from '@chancela/testkit/clock'
import { describe, expect, test } from 'vitest'
import { API_KEY, databases, type RunningBatchSigner, startBatchSigner } from './test-support/running-service.ts'

const FROM = '203.0.113.7'

const settings = {
  Http: { TrustedProxies: ['127.0.0.1'] },
  Auth: { ApiKey: API_KEY, LockAfter: 3 },
  RateLimiting: { Enabled: false },
}

async function signIn({ full }: RunningBatchSigner, ApiKey: string, from = FROM) {
  const answer = await fetch(`${full.baseUrl}/api/auth/login`, {
    method: 'POST',
    body: new URLSearchParams({ ApiKey }),
    redirect: 'manual',
    headers: { accept: 'application/json', 'x-forwarded-for': from },
  })
  return answer.status === 429 ? `429 ${answer.headers.get('retry-after')}` : answer.status
}

for (const database of databases)
  describe(`wrong keys at the sign-in on ${database}`, () => {
    test('are counted over a restart, close it to the right key, too, and are forgotten after a while or with it', async () => {
      const clock = testClock()
      const first = await startBatchSigner({ database, settings, clock })
      expect([await signIn(first, 'wrong'), await signIn(first, API_KEY)]).toEqual([401, 204])
      expect([await signIn(first, 'a'), await signIn(first, 'b')]).toEqual([401, 401])
      await first.stop()
      const left = { store: first.store, dataFolder: first.folder }
      const second = await startBatchSigner({ database, settings, clock, after: left })
      expect([await signIn(second, 'c'), await signIn(second, 'd')]).toEqual([401, '429 900'])
      clock.advance(5 * MINUTE)
      expect(await signIn(second, API_KEY)).toBe('429 600')
      // Others sign in, and the key itself is asked for no sign-in.
      expect(await signIn(second, API_KEY, '203.0.113.8')).toBe(204)
      expect((await second.full.call('GET', '/api/whoami', { headers: { 'x-forwarded-for': FROM } })).status).toBe(200)
      const told = await second.store.db
        .selectFrom('audit_event')
        .select(['actor', 'address'])
        .where('type', '=', 'SignInLocked')
        .execute()
      expect(told).toEqual([{ actor: FROM, address: FROM }])
      clock.advance(10 * MINUTE)
      expect(await signIn(second, API_KEY)).toBe(204)
    })

    test('that are sent at once to two processes are not more than those allowed', async () => {
      const cluster = { ...settings, Cluster: { Enabled: true } }
      const one = await startBatchSigner({ database, settings: cluster })
      const two = await startBatchSigner({
        database,
        settings: cluster,
        after: { store: one.store, dataFolder: one.folder },
      })
      const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => signIn(n % 2 ? one : two, `guess ${n}`)))
      expect(answers.filter((answer) => answer === 401)).toHaveLength(3)
      expect(answers.filter((answer) => answer !== 401)).toHaveLength(9)
    })

    test('of one subscriber of IPv6 are counted together', async () => {
      const service = await startBatchSigner({ database, settings })
      for (const host of ['1', '2', '3']) expect(await signIn(service, 'wrong', `2001:db9:1:2::${host}`)).toBe(401)
      expect(await signIn(service, API_KEY, '2001:db9:1:2:ffff::4')).toMatch(/^429/)
      expect(await signIn(service, API_KEY, '2001:db9:1:3::4')).toBe(204)
    })
  })
