import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import {
  type AgentMessage,
  answerHello,
  beginHandshake,
  identityOf,
  newIdentitySecret,
  writeMessage,
} from '../../channel/index.ts'
import { AgentConnection, type ConnectionEvents, closeCodes } from './agent-connection.ts'

/** Both ends of one connection after the handshake. */
async function connected(events: Partial<ConnectionEvents>) {
  const [server, agent] = [identityOf(newIdentitySecret()), identityOf(newIdentitySecret())]
  const handshake = beginHandshake(agent, server.publicKey, { workstationId: 'w', agentVersion: '1', platform: 'test' })
  const hello = answerHello(server, handshake.hello)
  const { proof, frames } = handshake.answer(hello.challenge)
  const listening = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => void listening.close())
  await once(listening, 'listening')
  const arrived = once(listening, 'connection')
  const socket = new WebSocket(`ws://127.0.0.1:${(listening.address() as AddressInfo).port}`)
  const [accepted] = (await arrived) as [WebSocket]
  if (socket.readyState !== WebSocket.OPEN) await once(socket, 'open')
  const nothing = { onCertificates: vi.fn(), onPair: vi.fn(), onBroken: vi.fn(), onEnd: vi.fn() }
  new AgentConnection('w', accepted, hello.finish(proof).frames, { ...nothing, ...events })
  const say = (message: AgentMessage) => socket.send(frames.seal(writeMessage(message)))
  return { socket, say }
}

test('a failure while an agent is heard cuts its connection and is told, and goes no further', async () => {
  const failure = new Error('a mistake of ours')
  const onBroken = vi.fn()
  const onEnd = vi.fn()
  const onCertificates = () => {
    throw failure
  }
  const { socket, say } = await connected({ onCertificates, onBroken, onEnd })
  say({ type: 'certificates', id: crypto.randomUUID(), certificates: [] })
  const [code] = await once(socket, 'close')
  expect(code).toBe(closeCodes.broken)
  expect(onBroken).toHaveBeenCalledWith(expect.any(AgentConnection), failure)
  expect(onEnd).toHaveBeenCalledOnce()
})
