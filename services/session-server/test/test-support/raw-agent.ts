// A minimal agent: it speaks the protocol, and can violate it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import {
  type AgentMessage,
  dialChannel,
  type OwnSide,
  ownSideOf,
  readMessage,
  type SecureChannel,
  type ServerMessage,
  serverMessages,
  writeMessage,
} from '../../src/channel/index.ts'

interface Enrolment {
  readonly server: string
  readonly workstationId: string
  readonly serverPublicKey: string
  readonly secret: string
}

export const enrolmentIn = (home: string): Enrolment => JSON.parse(readFileSync(join(home, 'enrolment.json'), 'utf8'))

/** The socket of an agent before anything is said in it. */
export function openSocket({ server }: Pick<Enrolment, 'server'>) {
  const socket = new WebSocket(`${server.replace(/^http/, 'ws')}/agents/channel`)
  onTestFinished(() => socket.terminate())
  socket.on('error', () => {})
  const opened = new Promise<void>((resolve) => socket.once('open', resolve))
  /** The code the server closed with. */
  const closed = new Promise<number>((resolve) => socket.on('close', (code) => resolve(code)))
  return { socket, opened, closed }
}

/** An agent that has proved its key, and has said nothing yet. */
export async function shakenByHand(enrolment: Enrolment, own: OwnSide = ownSideOf(enrolment.secret)) {
  const { socket, opened, closed } = openSocket(enrolment)
  await opened
  const channel: SecureChannel = await dialChannel(socket, own, enrolment.serverPublicKey, new AbortController().signal)
  const heard: ServerMessage[] = []
  channel.listen(
    (content) => {
      const read = readMessage(serverMessages, content)
      if ('message' in read) heard.push(read.message)
    },
    () => {},
  )
  return {
    heard,
    channel,
    socket,
    closed,
    send: (message: AgentMessage) => channel.send(writeMessage(message)),
    next: <Kind extends ServerMessage['type']>(type: Kind): Promise<Extract<ServerMessage, { type: Kind }>> =>
      vi.waitUntil(() => heard.find((message) => message.type === type) as never, { interval: 5 }),
  }
}

export async function connectByHand(enrolment: Enrolment, own?: OwnSide) {
  const agent = await shakenByHand(enrolment, own)
  agent.send({ type: 'hello', agentVersion: '0', platform: 'by hand' })
  return agent
}

export type RawAgent = Awaited<ReturnType<typeof connectByHand>>
