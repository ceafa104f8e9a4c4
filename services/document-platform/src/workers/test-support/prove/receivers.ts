import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A received delivery. */
interface Delivered {
  readonly id: string
  readonly body: string
}

/** How receivers answer: one always succeeds, one fails sometimes, one is slow. */
const manners = {
  steady: async () => 200,
  moody: async () => (Math.random() < 0.2 ? 500 : 200),
  slow: async () => {
    await sleep(100 + Math.random() * 400)
    return 200
  },
} as const

export type Manner = keyof typeof manners

/** A real webhook receiver. It outlives the processes that send to it. */
export interface Receiver {
  readonly manner: Manner
  readonly url: string
  readonly delivered: readonly Delivered[]
  /** From now on it accepts everything. */
  calmDown(): void
  close(): Promise<void>
}

/** Starts one of each; `onDelivery` is called before the answer. */
export const startReceivers = (onDelivery: () => void): Promise<readonly Receiver[]> =>
  Promise.all((Object.keys(manners) as Manner[]).map((manner) => startReceiver(manner, onDelivery)))

async function startReceiver(manner: Manner, onDelivery: () => void): Promise<Receiver> {
  const delivered: Delivered[] = []
  let answering: () => Promise<number> = manners[manner]
  const server = createServer(async (request, response) => {
    const body = await textOf(request).catch(() => undefined)
    // The sender died during the request.
    if (body === undefined) return
    delivered.push({ id: String(request.headers['webhook-id']), body })
    onDelivery()
    response.writeHead(await answering()).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${manner}`
  const calmDown = () => {
    answering = manners.steady
  }
  return { manner, url, delivered, calmDown, close: () => close(server) }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}
