import { DAY, SECOND } from '@chancela/service-kernel/clock'
import { testStores } from '@chancela/testkit/stores'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { type ConfiguredEndpoint, configureEndpoints, endpointsOf } from './index.ts'
import { OWNER, startReceiver, webhookWorld } from './test-support/webhook-world.ts'

const soon = { interval: 10 }

const secretOf = (letter: string): string => `whsec_${Buffer.alloc(32, letter).toString('base64')}`

const wanted = (id: string, url: string, more: Partial<ConfiguredEndpoint> = {}): ConfiguredEndpoint => ({
  id,
  url,
  secret: secretOf('a'),
  authType: 'NoAuth',
  token: null,
  ordered: true,
  ...more,
})

for (const [name, open] of Object.entries(testStores)) {
  describe(`endpoints of a settings file on ${name}`, () => {
    test('are those of the file, however often and by however many it is read', async () => {
      const world = await webhookWorld(open)
      const configure = (...endpoints: ConfiguredEndpoint[]) =>
        configureEndpoints(world.store, world.secrets, OWNER, endpoints, world.clock())
      const [erp, bank] = [wanted('erp', 'https://a.example/'), wanted('bank', 'https://b.example/')]
      await Promise.all([configure(erp, bank), configure(erp, bank)])
      await world.emit({})
      world.clock.advance(SECOND)
      await configure({ ...erp, url: 'https://c.example/', eventTypes: ['a'] })
      expect(await endpointsOf(world.store.db, OWNER)).toMatchObject([
        { id: 'erp', url: 'https://c.example/', eventTypes: ['a'], ordered: true, state: 'enabled' },
      ])
      expect((await world.deliveries()).map(({ endpoint_id, state }) => `${endpoint_id} ${state}`).toSorted()).toEqual([
        'bank canceled',
        'erp waiting',
      ])
      await configure(erp)
      expect(await endpointsOf(world.store.db, OWNER)).toMatchObject([{ url: 'https://a.example/', eventTypes: null }])
    })

    test('sign with the secret of the file, and with the one before for a day', async () => {
      const world = await webhookWorld(open)
      world.clock.set(new Date())
      const receiver = await startReceiver()
      const configure = (letter: string) =>
        configureEndpoints(
          world.store,
          world.secrets,
          OWNER,
          [wanted('erp', receiver.url, { secret: secretOf(letter) })],
          world.clock(),
        )
      await configure('a')
      await configure('b')
      await configure('b')
      world.start()
      await world.emit({})
      await expect.poll(() => receiver.received.length, soon).toBe(1)
      const { body, headers } = receiver.received[0]!
      for (const letter of ['a', 'b'])
        expect(new Webhook(secretOf(letter)).verify(body, headers as Record<string, string>)).toBeDefined()
      await expect.poll(world.undelivered, soon).toBe(0)
      world.clock.advance(DAY + SECOND)
      await world.emit({})
      await expect.poll(() => receiver.received.length, soon).toBe(2)
      expect(receiver.received[1]!.headers['webhook-signature']).not.toContain(' ')
    })
  })
}
