import type { startReceiver } from '@chancela/testkit/receiver'
import { vi } from 'vitest'

export const soon = { interval: 10, timeout: 20_000 }

/** Long enough for a delivery that must not come. */
export const quiet = () => new Promise((resolve) => setTimeout(resolve, 300))

type Receiver = Awaited<ReturnType<typeof startReceiver>>

export const bodies = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body))
export const types = (receiver: Receiver): string[] => bodies(receiver).map(({ type }) => type)
export const arrived = (receiver: Receiver, count: number) =>
  vi.waitUntil(() => receiver.received.length >= count, soon)
