import { loadSettings } from '@chancela/service-kernel/config'
import { expect, test } from 'vitest'
import { schemasOf } from './command-context.ts'
import { services } from './services.ts'

/** What clients of the hub allow a signature (spec 1 B), in seconds. */
const TWO_MINUTES = 120

interface Deadlines {
  readonly Providers?: { readonly SignTimeoutSeconds: number }
  readonly CloudHub?: { readonly TimeoutSeconds: number }
}

/** The defaults of every service; a key of the batch signer has none. */
const settings = loadSettings({
  schemas: schemasOf(services),
  environment: { CHANCELA__BATCH_SIGNER__AUTH__APIKEY: 'a key of sixteen letters and more' },
}).settings as Readonly<Record<string, Deadlines>>

const ofProvider = settings['cloud-hub']!.Providers!.SignTimeoutSeconds

const ofHub = Object.entries(settings).flatMap(([name, { CloudHub }]) =>
  CloudHub ? [[name, CloudHub.TimeoutSeconds] as const] : [],
)

test('the hub waits for a signature as long as it can and still answer within two minutes', () => {
  expect(ofProvider).toBeGreaterThanOrEqual(TWO_MINUTES - 2)
  expect(ofProvider).toBeLessThan(TWO_MINUTES)
})

test.each(ofHub)('%s waits longer for the hub than the hub for a provider', (_name, seconds) => {
  expect(seconds).toBeGreaterThan(ofProvider)
})
