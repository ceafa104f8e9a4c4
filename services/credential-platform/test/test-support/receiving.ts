import { startReceiver } from '@chancela/testkit/receiver'
import type { Caller } from '@chancela/testkit/service-world'
import { expect, vi } from 'vitest'

export const soon = { interval: 10 }

/** Long enough for a delivery that must not come. */
export const quiet = () => new Promise((resolve) => setTimeout(resolve, 300))

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

export const bodies = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body))
export const types = (receiver: Receiver): string[] => bodies(receiver).map(({ type }) => type)
export const arrived = (receiver: Receiver, count: number) =>
  vi.waitUntil(() => receiver.received.length >= count, soon)

/** The organization is told of everything from now on. */
export async function organizationHears({ json, subscriptionId }: Caller & { readonly subscriptionId: string }) {
  const receiver = await startReceiver()
  const path = `/api/subscriptions/${subscriptionId}/webhook`
  expect((await json('PUT', path, { enabled: true, url: receiver.url })).status).toBe(200)
  return receiver
}

/** The institution, at its own address. */
export async function instituteHears({ json, instituteId }: Caller & { readonly instituteId: string }) {
  const receiver = await startReceiver()
  const path = `/api/institutes/${instituteId}/integrations`
  expect((await json('POST', path, { enabled: true, url: receiver.url })).status).toBe(200)
  return receiver
}
