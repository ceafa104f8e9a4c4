// A minimal agent: it speaks the protocol, and can violate it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import {
  type AgentMessage,
  beginHandshake,
  identityOf,
  readMessage,
  type SealedFrames,
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

export interface RawAgent {
  readonly heard: ServerMessage[]
  readonly frames: SealedFrames
  readonly socket: WebSocket
  send(message: AgentMessage): void
  /** The code the server closed with. */
  readonly closed: Promise<number>
  next<Kind extends ServerMessage['type']>(type: Kind): Promise<Extract<ServerMessage, { type: Kind }>>
}

export async function connectByHand(enrolment: Enrolment, signer = identityOf(enrolment.secret)): Promise<RawAgent> {
  const { server, workstationId, serverPublicKey } = enrolment
  const handshake = beginHandshake(signer, serverPublicKey, { workstationId, agentVersion: '0', platform: 'by hand' })
  const socket = new WebSocket(`${server.replace(/^http/, 'ws')}/agents/channel`)
  onTestFinished(() => socket.terminate())
  const heard: ServerMessage[] = []
  const closed = new Promise<number>((resolve) => socket.on('close', (code) => resolve(code)))
  const frames = await new Promise<SealedFrames>((resolve, reject) => {
    let sealed: SealedFrames | undefined
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The server closed.')))
    socket.on('open', () => socket.send(handshake.hello))
    socket.on('message', (data: Buffer) => {
      if (sealed) {
        const read = readMessage(serverMessages, sealed.open(data))
        if ('message' in read) heard.push(read.message)
        return
      }
      const answer = handshake.answer(data.toString('utf8'))
      sealed = answer.frames
      socket.send(answer.proof)
      resolve(sealed)
    })
  })
  return {
    heard,
    frames,
    socket,
    closed,
    send: (message) => socket.send(frames.seal(writeMessage(message))),
    next: (type) => vi.waitUntil(() => heard.find((message) => message.type === type) as never, { interval: 5 }),
  }
}
