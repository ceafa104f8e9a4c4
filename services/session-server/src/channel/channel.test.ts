import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type ConnectionOptions, connect, createSecureContext, TLSSocket } from 'node:tls'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { newIdentitySecret } from './identity.ts'
import { MAX_FRAME_BYTES } from './messages.ts'
import { type OwnSide, ownSideOf } from './own-side.ts'
import { ChannelProblem } from './problem.ts'
import { acceptChannel, dialChannel, type SecureChannel } from './secure-channel.ts'
import { MAX_PIECE_BYTES, WebSocketBytes } from './web-socket-bytes.ts'

const never = new AbortController().signal
const newSide = (): OwnSide => ownSideOf(newIdentitySecret())

/** Two sockets that are connected. */
async function sockets() {
  const listening = new WebSocketServer({ port: 0, host: '127.0.0.1', maxPayload: MAX_PIECE_BYTES })
  onTestFinished(() => void listening.close())
  await once(listening, 'listening')
  const arrived = once(listening, 'connection')
  const atAgent = new WebSocket(`ws://127.0.0.1:${(listening.address() as AddressInfo).port}`)
  const [atServer] = (await arrived) as [WebSocket]
  for (const socket of [atAgent, atServer]) {
    socket.on('error', () => {})
    onTestFinished(() => socket.terminate())
  }
  if (atAgent.readyState !== WebSocket.OPEN) await once(atAgent, 'open')
  return { atAgent, atServer }
}

/** Both ends of a channel. */
async function channels(server = newSide(), agent = newSide()) {
  const { atAgent, atServer } = await sockets()
  const [ofServer, ofAgent] = await Promise.all([
    acceptChannel(atServer, server, never),
    dialChannel(atAgent, agent, server.identity.publicKey, never),
  ])
  return { server, agent, ofServer, ofAgent, atAgent, atServer }
}

/** What comes over a channel, and how it was lost. */
function heardBy(channel: SecureChannel) {
  const heard: Buffer[] = []
  const lost = vi.fn()
  channel.listen((content) => void heard.push(content), lost)
  return { heard, lost }
}

const untilLost = (lost: ReturnType<typeof vi.fn>) => vi.waitUntil(() => lost.mock.calls[0], { interval: 5 })

/** Another's end: TLS that the test controls. */
const someTls = (socket: WebSocket, options: ConnectionOptions): TLSSocket =>
  connect({ rejectUnauthorized: false, ...options, socket: new WebSocketBytes(socket) }).on('error', () => {})

/** A certificate with the key, made by openssl under another name. */
async function someCertificate(key: KeyObject): Promise<{ readonly key: string; readonly cert: string }> {
  const folder = temporaryFolder()
  const pem = key.export({ type: 'pkcs8', format: 'pem' }) as string
  writeFileSync(join(folder, 'key.pem'), pem)
  const out = join(folder, 'certificate.pem')
  const subject = ['-subj', '/CN=somebody else', '-days', '1']
  const { ok, text } = await runTool('openssl', [
    'req',
    '-x509',
    '-key',
    join(folder, 'key.pem'),
    ...subject,
    '-out',
    out,
  ])
  if (!ok) throw new Error(text)
  return { key: pem, cert: readFileSync(out, 'utf8') }
}

/** The server's answer to a handshake: the key it was shown, or its problem. */
const answerTo = (socket: WebSocket, own: OwnSide, signal: AbortSignal = never): Promise<string | ChannelProblem> =>
  acceptChannel(socket, own, signal).then(
    ({ peerKey }) => peerKey,
    (problem: ChannelProblem) => problem,
  )

describe('the channel', () => {
  test('is TLS 1.3 between the keys of both sides, each of which the other knows', async () => {
    const { server, agent, ofServer, ofAgent } = await channels()
    expect(ofServer.peerKey).toBe(agent.identity.publicKey)
    expect(ofAgent.peerKey).toBe(server.identity.publicKey)
  })

  test('carries messages in both directions, whole, in order, up to the largest', async () => {
    const { ofServer, ofAgent } = await channels()
    const [atServer, atAgent] = [heardBy(ofServer), heardBy(ofAgent)]
    const sizes = [0, 1, 65_536, MAX_FRAME_BYTES, 3, MAX_FRAME_BYTES - 1]
    for (const [index, size] of sizes.entries()) {
      ofAgent.send(Buffer.alloc(size, index))
      await vi.waitUntil(() => atServer.heard.length > index, { interval: 5 })
      ofServer.send(atServer.heard[index]!)
    }
    await vi.waitUntil(() => atAgent.heard.length === sizes.length, { interval: 5 })
    expect(atAgent.heard.map((content, index) => content.equals(Buffer.alloc(sizes[index]!, index)))).toEqual(
      sizes.map(() => true),
    )
  })

  test('goes by the key: another certificate of the same key, under another name, is the same agent', async () => {
    const [server, agent] = [newSide(), newSide()]
    const { atAgent, atServer } = await sockets()
    const answer = answerTo(atServer, server)
    someTls(atAgent, { ...(await someCertificate(agent.identity.privateKey)) })
    expect(await answer).toBe(agent.identity.publicKey)
  })

  test('what was sent arrives before a close, and so does its code', async () => {
    const { ofServer, ofAgent } = await channels()
    const { heard, lost } = heardBy(ofAgent)
    const closed = new Promise((resolve) => ofAgent.onClosed(resolve))
    ofServer.send(Buffer.alloc(MAX_FRAME_BYTES))
    ofServer.send(Buffer.from('last'))
    ofServer.close(4003)
    expect(await closed).toBe(4003)
    expect([heard.length, heard.at(-1)?.toString(), lost.mock.calls]).toEqual([2, 'last', []])
  })

  test('a side that does not read makes the other wait, and is given up when too much waits', async () => {
    const { ofServer, ofAgent } = await channels()
    let sent = 0
    const fill = () => {
      for (; sent < 1_000; sent++) ofServer.send(Buffer.alloc(MAX_FRAME_BYTES / 4, sent))
    }
    expect(fill).toThrow(ChannelProblem)
    expect(sent).toBeLessThan(20)
    // What was taken in comes as soon as it is read.
    const { heard } = heardBy(ofAgent)
    await vi.waitUntil(() => heard.length === sent, { interval: 5 })
    ofAgent.pause()
    ofServer.send(Buffer.from('later'))
    expect(heard).toHaveLength(sent)
    ofAgent.resume()
    await vi.waitUntil(() => heard.at(-1)?.toString() === 'later', { interval: 5 })
  })

  test('a message that announces more than is allowed is refused before it comes', async () => {
    const [server, agent] = [newSide(), newSide()]
    const { atAgent, atServer } = await sockets()
    const accepted = acceptChannel(atServer, server, never)
    const tls = someTls(atAgent, { secureContext: agent.context })
    const { lost } = heardBy(await accepted)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(MAX_FRAME_BYTES + 1)
    tls.write(length)
    expect(await untilLost(lost)).toEqual([expect.objectContaining({ name: 'ChannelProblem', kind: 'malformed' })])
  })

  test('a message that comes byte by byte is one message', async () => {
    const [server, agent] = [newSide(), newSide()]
    const { atAgent, atServer } = await sockets()
    const accepted = acceptChannel(atServer, server, never)
    const tls = someTls(atAgent, { secureContext: agent.context })
    const { heard } = heardBy(await accepted)
    for (const byte of Buffer.from('\0\0\0\x05abcde\0\0\0\x01f')) tls.write(Buffer.of(byte))
    await vi.waitUntil(() => heard.length === 2, { interval: 5 })
    expect(heard.map(String)).toEqual(['abcde', 'f'])
  })
})

describe('a handshake is refused before anything is said', () => {
  test('by the agent, when another server answers: it sends nothing', async () => {
    const { atAgent, atServer } = await sockets()
    const accepted = acceptChannel(atServer, newSide(), never)
    const dialled = dialChannel(atAgent, newSide(), newSide().identity.publicKey, never)
    await expect(dialled).rejects.toMatchObject({ kind: 'not-authentic' })
    const said = await accepted.then((channel) => channel.first(never)).catch((problem) => problem)
    expect(said).toBeInstanceOf(ChannelProblem)
  })

  test.each([
    ['TLS 1.2', { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' }, 'ERR_SSL_UNSUPPORTED_PROTOCOL'],
    ['no certificate', {}, 'proved no key'],
  ] as const)('by the server: %s', async (_name, options, reason) => {
    const { atAgent, atServer } = await sockets()
    const answer = answerTo(atServer, newSide())
    someTls(atAgent, options)
    expect(await answer).toMatchObject({ name: 'ChannelProblem', message: expect.stringContaining(reason) })
  })

  test('by the server: a key of another kind', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { atAgent, atServer } = await sockets()
    const answer = answerTo(atServer, newSide())
    someTls(atAgent, await someCertificate(privateKey))
    expect(await answer).toMatchObject({ kind: 'not-authentic' })
  })

  test('by the agent: a server that speaks TLS 1.2', async () => {
    const { atAgent, atServer } = await sockets()
    const server = newSide()
    const old = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } as const
    const secureContext = createSecureContext({ ...(await someCertificate(server.identity.privateKey)), ...old })
    new TLSSocket(new WebSocketBytes(atServer), { isServer: true, secureContext }).on('error', () => {})
    const dialled = dialChannel(atAgent, newSide(), server.identity.publicKey, never)
    await expect(dialled).rejects.toMatchObject({ name: 'ChannelProblem' })
  })

  test('by the server: a session of before, resumed', async () => {
    const [server, agent] = [newSide(), newSide()]
    const first = await sockets()
    const accepted = acceptChannel(first.atServer, server, never)
    const tls = someTls(first.atAgent, { secureContext: agent.context })
    const [session] = (await once(tls, 'session')) as [Buffer]
    expect((await accepted).peerKey).toBe(agent.identity.publicKey)
    const second = await sockets()
    const answer = answerTo(second.atServer, server)
    someTls(second.atAgent, { secureContext: agent.context, session })
    expect(await answer).toBeInstanceOf(ChannelProblem)
  })

  test.each([
    ['garbage', (socket: WebSocket) => socket.send(Buffer.alloc(300, 7))],
    ['a text', (socket: WebSocket) => socket.send('{"version":1}')],
    ['more than a piece', (socket: WebSocket) => socket.send(Buffer.alloc(MAX_PIECE_BYTES + 1))],
    ['a connection that is dropped', (socket: WebSocket) => socket.terminate()],
    [
      'a connection that is dropped in the middle',
      (socket: WebSocket) => {
        someTls(socket, {})
        socket.once('message', () => socket.terminate())
      },
    ],
  ])('by the server: %s', async (_name, send) => {
    const { atAgent, atServer } = await sockets()
    const answer = answerTo(atServer, newSide())
    send(atAgent)
    expect(await answer).toBeInstanceOf(ChannelProblem)
  })

  test('by both: a side that says nothing in time', async () => {
    const { atAgent, atServer } = await sockets()
    expect(await answerTo(atServer, newSide(), AbortSignal.timeout(20))).toBeInstanceOf(ChannelProblem)
    const silent = dialChannel(atAgent, newSide(), newSide().identity.publicKey, AbortSignal.timeout(20))
    await expect(silent).rejects.toBeInstanceOf(ChannelProblem)
  })
})

describe('an open channel is lost', () => {
  test.each([
    ['by a text', (socket: WebSocket) => socket.send('x')],
    ['by bytes that are not of TLS', (socket: WebSocket) => socket.send(Buffer.alloc(64, 7))],
  ])('%s', async (_name, send) => {
    const { ofServer, atAgent } = await channels()
    const { heard, lost } = heardBy(ofServer)
    send(atAgent)
    expect(await untilLost(lost)).toEqual([expect.any(ChannelProblem)])
    expect(heard).toEqual([])
  })

  test('by a record that is repeated, left out, altered, or of another channel', async () => {
    const records = async () => {
      const pair = await channels()
      const sent: Buffer[] = []
      const send = pair.atAgent.send.bind(pair.atAgent)
      // The network in between takes what is sent from now on.
      pair.atAgent.send = ((data: Buffer, done?: () => void) => {
        sent.push(Buffer.from(data))
        done?.()
      }) as never
      pair.ofAgent.send(Buffer.from('one'))
      await vi.waitUntil(() => sent.length === 1, { interval: 5 })
      pair.ofAgent.send(Buffer.from('two'))
      await vi.waitUntil(() => sent.length === 2, { interval: 5 })
      return { ...pair, sent: sent as [Buffer, Buffer], send }
    }
    const foreign = (await records()).sent[0]
    const altered = ([one]: [Buffer, Buffer]) => {
      const copy = Buffer.from(one)
      copy[copy.length - 1]! ^= 1
      return [copy]
    }
    const wrong: (readonly [string[], (sent: [Buffer, Buffer]) => Buffer[]])[] = [
      [['one'], ([one]) => [one, one]],
      [[], ([, two]) => [two]],
      [[], altered],
      [[], () => [foreign]],
    ]
    for (const [before, make] of wrong) {
      const { ofServer, sent, send } = await records()
      const { heard, lost } = heardBy(ofServer)
      for (const record of make(sent)) send(record)
      expect(await untilLost(lost)).toEqual([expect.any(ChannelProblem)])
      expect(heard.map(String)).toEqual(before)
    }
  })
})
