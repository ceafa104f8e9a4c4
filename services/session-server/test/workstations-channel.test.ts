import { createHash } from 'node:crypto'
import { get } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { identityOf, newIdentitySecret, writeMessage } from '../src/channel/index.ts'
import { layCable } from './test-support/cable.ts'
import { running } from './test-support/pki.ts'
import { connectByHand, enrolmentIn } from './test-support/raw-agent.ts'
import { databases, sharedSessionServer } from './test-support/session-world.ts'
import { newCpf } from './test-support/vault.ts'
import {
  newPerson,
  newTokenStation,
  newWorkstation,
  promptedSession,
  startTestAgent,
  untilOffered,
} from './test-support/workstation.ts'

const BROKEN = 4004
const SILENT = 4005
const REPLACED = 4002
const REFUSED = 4001

/** What an agent logs after the server's welcome. */
const CONNECTED = 'Connected as Recepção.'

const connectionsIn = (said: readonly string[]): number => said.filter((sentence) => sentence === CONNECTED).length

/** Whether an agent logs an OpenSSL error of its connection. */
const isFailure = (sentence: string): boolean => /connection .* failed.* error:/.test(sentence)

for (const database of databases) {
  describe(`the channel of an agent on ${database}`, () => {
    const world = sharedSessionServer(database, { settings: { Workstations: { PingSeconds: 1, AnswerSeconds: 2 } } })
    const newEnrolment = async () => enrolmentIn((await newWorkstation(world(), [newCpf()])).home)
    const untilLogged = (text: string) => vi.waitUntil(() => world().log().includes(text), { interval: 20 })
    const forgetting = (id: string) => writeMessage({ type: 'forgotten', to: id })

    test('a frame that is repeated cuts the connection', async () => {
      const agent = await connectByHand(await newEnrolment())
      const { id } = await agent.next('welcome')
      const frame = agent.frames.seal(forgetting(id))
      agent.socket.send(frame)
      agent.socket.send(frame)
      expect(await agent.closed).toBe(BROKEN)
      await untilLogged('workstation channel closed')
    })

    test('a frame that was altered, left out, or not sealed at all cuts the connection', async () => {
      const enrolment = await newEnrolment()
      const altered = await connectByHand(enrolment)
      const frame = altered.frames.seal(forgetting((await altered.next('welcome')).id))
      frame[3]! ^= 1
      altered.socket.send(frame)
      expect(await altered.closed).toBe(BROKEN)

      const gap = await connectByHand(enrolment)
      const { id } = await gap.next('welcome')
      gap.frames.seal(forgetting(id))
      gap.socket.send(gap.frames.seal(forgetting(id)))
      expect(await gap.closed).toBe(BROKEN)

      const open = await connectByHand(enrolment)
      await open.next('welcome')
      open.socket.send(JSON.stringify({ type: 'forgotten', to: 'x' }))
      expect(await open.closed).toBe(BROKEN)
    })

    test('a frame of a former connection cuts the one it is sent over', async () => {
      const enrolment = await newEnrolment()
      const former = await connectByHand(enrolment)
      const frame = former.frames.seal(forgetting((await former.next('welcome')).id))
      const next = await connectByHand(enrolment)
      await next.next('welcome')
      expect(await former.closed).toBe(REPLACED)
      next.socket.send(frame)
      expect(await next.closed).toBe(BROKEN)
    })

    test('a message of an unknown type, and one that lacks something, are answered with a problem', async () => {
      const agent = await connectByHand(await newEnrolment())
      await agent.next('welcome')
      agent.send({ type: 'dance', id: '7' } as never)
      expect(await agent.next('problem')).toMatchObject({ to: '7', message: expect.stringContaining('not known') })
      agent.heard.length = 0
      agent.send({ type: 'certificates', id: '8' } as never)
      expect(await agent.next('problem')).toMatchObject({ to: '8', message: expect.stringContaining('malformed') })
      // Unknown fields do not end the connection.
      agent.send({ type: 'certificates', id: '9', certificates: [], since: 'tomorrow' } as never)
      expect(await agent.next('published')).toMatchObject({ to: '9', ignored: [] })
    })

    test('a workstation that is unknown, or has another key, is refused at the handshake', async () => {
      const enrolment = await newEnrolment()
      const stranger = await connectByHand({ ...enrolment, workstationId: 'nobody' })
      expect(await stranger.next('refused')).toMatchObject({ reason: 'unknown' })
      const thief = await connectByHand(enrolment, identityOf(newIdentitySecret()))
      expect(await thief.next('refused')).toMatchObject({ reason: 'unknown' })
      const { publicKey } = identityOf(enrolment.secret)
      const liar = await connectByHand(enrolment, { ...identityOf(newIdentitySecret()), publicKey })
      expect(await liar.next('refused')).toMatchObject({ reason: 'unknown' })
      expect(await liar.closed).toBe(REFUSED)
    })

    test('another path or a request without an upgrade is answered in the words of the surface', async () => {
      const answer = await fetch(`${world().consoleUrl}/agents/channel`)
      expect([answer.status, answer.headers.get('upgrade')]).toEqual([426, 'websocket'])
      const [status, body] = await new Promise<[number | undefined, string]>((resolve, reject) => {
        const headers = { connection: 'upgrade', upgrade: 'websocket' }
        const request = get(`${world().consoleUrl}/agents/other`, { headers }, async (response) => {
          let text = ''
          for await (const chunk of response) text += chunk
          resolve([response.statusCode, text])
        })
        request.on('error', reject)
      })
      expect([status, JSON.parse(body).error.code]).toEqual([404, 'ENDPOINT_NOT_FOUND'])
    })

    test('an agent that gives no sign of life is cut after two pings', async () => {
      const enrolment = await newEnrolment()
      const agent = await connectByHand(enrolment)
      await agent.next('welcome')
      agent.socket.pause()
      const isAway = (line: string) => line.includes(enrolment.workstationId) && line.includes('workstation offline')
      await vi.waitUntil(() => world().log().split('\n').some(isAway), { interval: 50 })
      agent.socket.resume()
      expect(await agent.closed).toBe(SILENT)
    })

    test('certificates of a CPF the workstation may not offer are ignored and logged', async () => {
      const cpf = newCpf()
      const [own, foreign] = [await newPerson(cpf), await newPerson()]
      const { home, id } = await newWorkstation(world(), [cpf])
      const agent = await connectByHand(enrolmentIn(home))
      await agent.next('welcome')
      const offered = [own, foreign].map((issued) => ({
        der: issued.der.toString('base64'),
        chain: running.pki
          .chainOf(issued)
          .slice(1)
          .map(({ der }) => der.toString('base64')),
        source: 'cartao',
      }))
      agent.send({ type: 'certificates', id: '1', certificates: [...offered, { ...offered[0]!, der: 'AAAA' }] })
      const fingerprint = createHash('sha256').update(foreign.der).digest('hex')
      expect(await agent.next('published')).toMatchObject({ to: '1', ignored: [fingerprint] })
      await untilOffered(world(), id)
      const rows = await world()
        .store.db.selectFrom('certificate')
        .selectAll()
        .where('workstation_id', '=', id)
        .execute()
      expect(rows.map((row) => row.fingerprint)).toEqual([createHash('sha256').update(own.der).digest('hex')])
      await untilLogged('foreign certificates ignored')
    })
  })

  describe(`an agent on ${database}`, () => {
    const world = sharedSessionServer(database)
    const other = sharedSessionServer(database)

    test('cuts a connection somebody tampers with, and comes back', async () => {
      const cable = await layCable(world().consoleUrl)
      const { home } = await newWorkstation(world(), [newCpf()], cable.url)
      const said: string[] = []
      await startTestAgent(home, { log: (sentence) => void said.push(sentence) })
      await vi.waitUntil(() => connectionsIn(said) === 1, { interval: 10 })
      cable.cut()
      let changed = 0
      cable.plug(world().consoleUrl)
      cable.tamper((bytes) => {
        // Only the server's challenge is changed: one character of its signature.
        const at = bytes.indexOf('"signature"')
        if (at < 0 || changed++ > 0) return bytes
        const copy = Buffer.from(bytes)
        copy[at + 16] = copy[at + 16] === 0x41 ? 0x42 : 0x41
        return copy
      })
      await vi.waitUntil(() => connectionsIn(said) === 2, { interval: 10 })
      expect(changed).toBeGreaterThan(1)
    })

    test('outlives a connection that throws, tells of it, and comes back', async () => {
      const cable = await layCable(world().consoleUrl)
      const station = await newTokenStation(world(), {}, cable.url)
      const { said, token } = station
      cable.cut()
      // Other code in the process fails inside OpenSSL: Node throws that error at the agent, which opens its own key.
      const others = setInterval(() => token.leaveErrors(), 1)
      await vi
        .waitUntil(() => said.some(isFailure), { interval: 10 })
        .finally(() => {
          clearInterval(others)
        })
      cable.plug(world().consoleUrl)
      await vi.waitUntil(() => connectionsIn(said) === 2, { interval: 10 })
      expect((await promptedSession(world(), station)).sessionId).toEqual(expect.any(String))
    })

    test('outlives an answer that throws: the connection is made again', async () => {
      const { home } = await newWorkstation(world(), [newCpf()])
      const said: string[] = []
      const log = (sentence: string) => {
        if (said.push(sentence) === 1) throw new Error('the terminal is gone')
      }
      const agent = await startTestAgent(home, { log })
      await vi.waitUntil(() => said.length === 3, { interval: 10 })
      expect(said).toEqual([CONNECTED, expect.stringContaining('the terminal is gone'), CONNECTED])
      await agent.stop()
      expect(await agent.ended).toBe('stopped')
    })

    test('does not talk to a server that is not the one it was enrolled at', async () => {
      const cable = await layCable(world().consoleUrl)
      const { home } = await newWorkstation(world(), [newCpf()], cable.url)
      cable.plug(other().consoleUrl)
      const said: string[] = []
      await startTestAgent(home, { log: (sentence) => void said.push(sentence) })
      await vi.waitUntil(() => said.length > 0, { interval: 10 })
      expect(said).toEqual([expect.stringContaining('not the one this agent was enrolled at')])
    })
  })
}
