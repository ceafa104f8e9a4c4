import { createHash } from 'node:crypto'
import { get } from 'node:http'
import { HOUR } from '@chancela/service-kernel/clock'
import { type TestClock, testClock } from '@chancela/testkit/clock'
import { type AgentOptions, enrol } from '@chancela/workstation-agent'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { CHANNEL, newIdentitySecret, ownSideOf, readEnrolmentCode } from '../src/channel/index.ts'
import { layCable } from './test-support/cable.ts'
import { running } from './test-support/pki.ts'
import { connectByHand, enrolmentIn, openSocket, shakenByHand } from './test-support/raw-agent.ts'
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

type BackOff = NonNullable<AgentOptions['backOff']>

const BROKEN = 4004
const SILENT = 4005
const REPLACED = 4002
const REFUSED = 4001
/** RFC 6455 §7.4.1. */
const TOO_BIG = 1009

/** What an agent logs after the server's welcome. */
const CONNECTED = 'Connected as Recepção.'

const connectionsIn = (said: readonly string[]): number => said.filter((sentence) => sentence === CONNECTED).length

for (const database of databases) {
  describe(`the channel of an agent on ${database}`, () => {
    const world = sharedSessionServer(database, { settings: { Workstations: { PingSeconds: 1, AnswerSeconds: 2 } } })
    const newEnrolment = async () => enrolmentIn((await newWorkstation(world(), [newCpf()])).home)
    const untilLogged = (text: string) => vi.waitUntil(() => world().log().includes(text), { interval: 20 })
    const events = async (id: string) =>
      world()
        .store.db.selectFrom('audit_event')
        .select('type')
        .where('subject_id', '=', id)
        .where('type', '=', 'WorkstationOutdated')
        .execute()

    test('what is not TLS, inside an open channel or in its place, cuts the connection', async () => {
      const enrolment = await newEnrolment()
      const spoilt = await connectByHand(enrolment)
      await spoilt.next('welcome')
      spoilt.socket.send(Buffer.alloc(64, 7))
      expect(await spoilt.closed).toBe(BROKEN)
      await untilLogged('workstation channel closed')

      const open = await connectByHand(enrolment)
      await open.next('welcome')
      open.socket.send(JSON.stringify({ type: 'forgotten', to: 'x' }))
      expect(await open.closed).toBe(BROKEN)

      const garbage = openSocket(enrolment)
      await garbage.opened
      garbage.socket.send(Buffer.alloc(300, 7))
      expect(await garbage.closed).toBe(REFUSED)
    })

    test('a message above the largest is not sent, and a piece above the largest cuts the connection', async () => {
      const agent = await connectByHand(await newEnrolment())
      await agent.next('welcome')
      expect(() => agent.channel.send(Buffer.alloc(1024 * 1024 + 1))).toThrow('too long')
      agent.socket.send(Buffer.alloc(1024 * 1024))
      expect(await agent.closed).toBe(TOO_BIG)
    })

    test('an agent that comes again takes the place of its former connection', async () => {
      const enrolment = await newEnrolment()
      const former = await connectByHand(enrolment)
      await former.next('welcome')
      const next = await connectByHand(enrolment)
      await next.next('welcome')
      expect(await former.closed).toBe(REPLACED)
    })

    test('handshakes that are dropped in the middle, or never finished, keep nobody out', async () => {
      const enrolment = await newEnrolment()
      const dropped = Array.from({ length: 300 }, () => openSocket(enrolment))
      await Promise.all(dropped.map(({ opened }) => opened))
      for (const { socket } of dropped) socket.terminate()
      const silent = openSocket(enrolment)
      await silent.opened
      const mute = await shakenByHand(enrolment)
      const agent = await vi.waitUntil(
        async () => {
          const arrived = await connectByHand(enrolment).catch(() => undefined)
          return arrived
        },
        { interval: 50 },
      )
      await agent.next('welcome')
      expect([await silent.closed, await mute.closed]).toEqual([REFUSED, REFUSED])
    })

    test('an agent that begins with anything but hello is not let in', async () => {
      const agent = await shakenByHand(await newEnrolment())
      agent.send({ type: 'certificates', id: '1', certificates: [] })
      expect(await agent.closed).toBe(REFUSED)
      expect(agent.heard).toEqual([])
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

    test('a key that is nobody’s is refused, and nothing it says is read', async () => {
      const enrolment = await newEnrolment()
      const thief = await connectByHand(enrolment, ownSideOf(newIdentitySecret()))
      expect(await thief.next('refused')).toMatchObject({ reason: 'unknown' })
      expect(await thief.closed).toBe(REFUSED)
      expect(thief.heard).toHaveLength(1)
    })

    test('an agent is the workstation of its key, whatever it has in its folder', async () => {
      const [one, other] = [await newEnrolment(), await newEnrolment()]
      const agent = await connectByHand({ ...other, workstationId: one.workstationId })
      await agent.next('welcome')
      const row = (id: string) =>
        world().store.db.selectFrom('workstation').select('platform').where('id', '=', id).executeTakeFirst()
      expect(await row(other.workstationId)).toEqual({ platform: 'by hand' })
      expect(await row(one.workstationId)).not.toEqual({ platform: 'by hand' })
    })

    describe('an enrolment of before', () => {
      /** As the service left it before the channel was TLS. */
      const ofBefore = async () => {
        const workstation = await newWorkstation(world(), [newCpf()])
        const { db } = world().store
        await db.updateTable('workstation').set({ channel: 1 }).where('id', '=', workstation.id).execute()
        return workstation
      }
      const stateOf = async ({ administrator, id }: Awaited<ReturnType<typeof ofBefore>>) =>
        (await administrator.call('GET', '/api/workstations')).body.find((one: { id: string }) => one.id === id).state

      test('is told in words at the agent and once in the events, and a new code mends it', async () => {
        const workstation = await ofBefore()
        for (let count = 0; count < 2; count++) {
          const said: string[] = []
          const agent = await startTestAgent(workstation.home, { log: (sentence) => void said.push(sentence) })
          expect(await agent.ended).toBe('refused')
          expect(said).toEqual([expect.stringContaining('enrol it again with a new code')])
        }
        expect(await events(workstation.id)).toHaveLength(1)
        expect(await stateOf(workstation)).toBe('outdated')
        const { body } = await workstation.administrator.call('POST', `/api/workstations/${workstation.id}/code`)
        await enrol(workstation.home, world().consoleUrl, body.code)
        await (await startTestAgent(workstation.home)).connected
        expect(await stateOf(workstation)).toBe('online')
      })

      test('is told in the events also when the program is that of before', async () => {
        const workstation = await ofBefore()
        const { secret } = enrolmentIn(workstation.home)
        const { publicKey } = ownSideOf(secret).identity
        for (let count = 0; count < 2; count++) {
          const { socket, opened, closed } = openSocket(enrolmentIn(workstation.home))
          await opened
          socket.send(JSON.stringify({ version: 1, workstationId: workstation.id, publicKey, agentVersion: '0.1.0' }))
          expect(await closed).toBe(REFUSED)
        }
        await vi.waitUntil(async () => (await events(workstation.id)).length > 0, { interval: 10 })
        expect(await events(workstation.id)).toHaveLength(1)
      })

      test('is told of nobody who is enrolled for the channel of today, whoever says so', async () => {
        const { home, id } = await newWorkstation(world(), [newCpf()])
        const { publicKey } = ownSideOf(enrolmentIn(home).secret).identity
        for (const text of [JSON.stringify({ version: 1, publicKey }), '{', 'null', ' '.repeat(9_000)]) {
          const { socket, opened, closed } = openSocket(enrolmentIn(home))
          await opened
          socket.send(text)
          expect(await closed).toBe(REFUSED)
        }
        expect(await events(id)).toEqual([])
      })
    })

    test('an enrolment that does not name the channel is refused by name, and its code stays good', async () => {
      const { administrator } = await newWorkstation(world(), [newCpf()])
      const { body: made } = await administrator.call('POST', '/api/workstations', { name: 'B', cpfs: [newCpf()] })
      const send = (body: object) =>
        fetch(`${world().consoleUrl}/agents/enrol`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      const code = readEnrolmentCode(made.code)!
      const { publicKey } = ownSideOf(newIdentitySecret()).identity
      const about = { publicKey, platform: 'test', agentVersion: '1' }
      const body = { ...about, codeKey: code.key, proof: code.prove(about) }
      const refused = await send(body)
      expect([refused.status, JSON.stringify(await refused.json())]).toEqual([400, expect.stringContaining('channel')])
      expect((await send({ ...body, channel: CHANNEL })).status).toBe(200)
      // The same once more: the code is used.
      const again = await send({ ...body, channel: CHANNEL })
      expect([again.status, (await again.json()).error.code]).toEqual([401, 'ENROLMENT_REFUSED'])
      // The same key with another code: a key is one workstation.
      const { body: next } = await administrator.call('POST', '/api/workstations', { name: 'C', cpfs: [newCpf()] })
      const other = readEnrolmentCode(next.code)!
      const twice = await send({ ...about, codeKey: other.key, proof: other.prove(about), channel: CHANNEL })
      expect([twice.status, (await twice.json()).error.code]).toEqual([401, 'ENROLMENT_REFUSED'])
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
        // Only the first of what the server says after the upgrade is changed: the last byte of its handshake.
        if (bytes.includes('HTTP/1.1 101') || changed++ > 0) return bytes
        const copy = Buffer.from(bytes)
        copy[copy.length - 1]! ^= 1
        return copy
      })
      await vi.waitUntil(() => connectionsIn(said) === 2, { interval: 10 })
      expect(changed).toBeGreaterThan(1)
    })

    describe('on a machine that was asleep', () => {
      // Without a word for hours, which nobody takes for silence.
      const patient = sharedSessionServer(database, { settings: { Workstations: { PingSeconds: 300 } } })
      const newSleeper = async (backOff: BackOff) => {
        const cable = await layCable(patient().consoleUrl)
        const { home } = await newWorkstation(patient(), [newCpf()], cable.url)
        const [clock, said]: [TestClock, string[]] = [testClock(), []]
        return {
          cable,
          clock,
          said,
          start: () => startTestAgent(home, { clock, backOff, log: (sentence) => void said.push(sentence) }),
        }
      }

      test('gives its connection up and dials again', async () => {
        const { cable, clock, said, start } = await newSleeper({ first: 20, longest: 100 })
        await start()
        await vi.waitUntil(() => connectionsIn(said) === 1, { interval: 10 })
        cable.tamper(() => Buffer.alloc(0))
        clock.advance(HOUR)
        await vi.waitUntil(() => said.some((sentence) => sentence.includes('asleep')), { interval: 10 })
        cable.plug(patient().consoleUrl)
        await vi.waitUntil(() => connectionsIn(said) === 2, { interval: 10 })
      })

      test('waits no longer for its next attempt', async () => {
        const { cable, clock, said, start } = await newSleeper({ first: HOUR, longest: HOUR })
        cable.cut()
        await start()
        await vi.waitUntil(() => said.some((sentence) => sentence.includes('cannot be reached')), { interval: 10 })
        cable.plug(patient().consoleUrl)
        clock.advance(HOUR)
        await vi.waitUntil(() => connectionsIn(said) === 1, { interval: 10 })
      })
    })

    test('comes back and signs while other code in its process leaves errors to OpenSSL', async () => {
      const cable = await layCable(world().consoleUrl)
      const station = await newTokenStation(world(), {}, cable.url)
      const { said, token } = station
      const others = setInterval(() => token.leaveErrors(), 1)
      onTestFinished(() => clearInterval(others))
      for (let count = 2; count < 6; count++) {
        cable.cut()
        cable.plug(world().consoleUrl)
        await vi.waitUntil(() => connectionsIn(said) === count, { interval: 10 })
      }
      expect((await promptedSession(world(), station)).sessionId).toEqual(expect.any(String))
      expect(said.filter((sentence) => /error:|failed/.test(sentence))).toEqual([])
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
