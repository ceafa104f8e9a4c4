// Webhook deliveries as the receiver gets them.
import { startReceiver } from '@chancela/testkit/receiver'
import { vi } from 'vitest'
import type { PlatformWorld } from './platform-world.ts'

/** Starts a receiver; `next` waits for the first event of a type and includes its exact text. */
export async function openReceiver() {
  const { url, received } = await startReceiver()
  const events = () => received.map(({ body }) => ({ ...JSON.parse(body), body }))
  const next = (type: string) => vi.waitUntil(() => events().find((event) => event.type === type), { interval: 10 })
  return { url, events, next }
}

/** Starts a receiver and registers it as a webhook of the organization. */
export async function receiveEvents({ json, organization }: PlatformWorld) {
  const receiver = await openReceiver()
  const { status } = await json('POST', `/api/organizations/${organization.id}/webhooks`, { url: receiver.url })
  if (status !== 200) throw new Error('The webhook was not registered.')
  return receiver
}
