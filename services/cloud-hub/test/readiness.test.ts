// What the hub tells of its providers.
import { startCloudProvider } from '@chancela/testkit/cloud-provider'
import { whenDone } from '@chancela/testkit/test-files'
import { describe, expect, test } from 'vitest'
import { databases, sharedHub } from './test-support/hub-world.ts'
import { clock, running } from './test-support/pki.ts'
import { addProvider, knownTo, registryOf } from './test-support/providers.ts'

for (const database of databases)
  describe(`readiness on ${database}`, () => {
    const hub = sharedHub(database, {
      settings: { Providers: { AllowedHosts: ['127.0.0.1'] }, Health: { CacheSeconds: 0 } },
    })

    test('names a provider that does not answer, and does not gate; one that is removed is not told any more', async () => {
      const provider = await startCloudProvider({ pki: running.pki, clock })
      whenDone(() => provider.stop())
      const { id, serviceName } = await addProvider(hub(), provider, { protocol: 'psc' })
      const check = async () => {
        clock.advance(121_000)
        const { status, body } = await hub().json('GET', '/ready')
        return [status, body.checks.find(({ name }: { name: string }) => name === `provider:${serviceName}`)?.ok]
      }
      await expect.poll(check).toEqual([200, true])
      await provider.stop()
      expect(await check()).toEqual([200, false])
      await registryOf(hub()).remove(id, 'test')
      await knownTo(hub(), serviceName, false)
      expect(await check()).toEqual([200, undefined])
    })
  })
