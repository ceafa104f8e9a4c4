import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import {
  type AgentMessage,
  acceptChannel,
  dialChannel,
  newIdentitySecret,
  ownSideOf,
  writeMessage,
} from '../../channel/index.ts'
import { AgentConnection, type ConnectionEvents, closeCodes } from './agent-connection.ts'

/** Both ends of one connection after the handshake. */
async function connected(events: Partial<ConnectionEvents>) {
  const [server, agent] = [ownSideOf(newIdentitySecret()), ownSideOf(newIdentitySecret())]
  const listening = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => void listening.close())
  await once(listening, 'listening')
  const { signal } = new AbortController()
  const arrived = once(listening, 'connection').then(([accepted]) => acceptChannel(accepted, server, signal))
  const socket = new WebSocket(`ws://127.0.0.1:${(listening.address() as AddressInfo).port}`)
  await once(socket, 'open')
  const channel = await dialChannel(socket, agent, server.identity.publicKey, signal)
  const nothing = { onCertificates: vi.fn(), onPair: vi.fn(), onBroken: vi.fn(), onEnd: vi.fn() }
  const connection = new AgentConnection('w', await arrived, { ...nothing, ...events })
  connection.listen()
  return { socket, connection, say: (message: AgentMessage) => channel.send(writeMessage(message)) }
}

const publication = () => ({ type: 'certificates', id: crypto.randomUUID(), certificates: [] }) as const

test('a failure while an agent is heard cuts its connection and is told, and goes no further', async () => {
  const failure = new Error('a mistake of ours')
  const onBroken = vi.fn()
  const onEnd = vi.fn()
  const onCertificates = () => {
    throw failure
  }
  const { socket, say } = await connected({ onCertificates, onBroken, onEnd })
  say(publication())
  const [code] = await once(socket, 'close')
  expect(code).toBe(closeCodes.broken)
  expect(onBroken).toHaveBeenCalledWith(expect.any(AgentConnection), failure)
  expect(onEnd).toHaveBeenCalledOnce()
})

test('while publications of an agent are written, further ones wait in the network and not in memory', async () => {
  const written: (() => void)[] = []
  const onCertificates = () => new Promise<void>((resolve) => written.push(resolve))
  const { connection, say } = await connected({ onCertificates })
  for (let count = 0; count < 5; count++) say(publication())
  await vi.waitUntil(() => written.length === 2, { interval: 5 })
  // Whatever was sent behind them would have been read by the time a request went out.
  await connection.ask({ type: 'forget', fingerprints: [] }, AbortSignal.timeout(200)).catch(() => {})
  expect(written).toHaveLength(2)
  for (let count = 0; count < 5; count++) {
    await vi.waitUntil(() => written.length > count, { interval: 5 })
    written[count]!()
  }
  expect(written).toHaveLength(5)
})
