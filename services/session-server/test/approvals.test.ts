// Signatures that a holder approves at a workstation, for an application that shows a page elsewhere.
import { createHash, randomBytes, verify } from 'node:crypto'
import { MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { addToken, runAgentCli } from '@chancela/workstation-agent'
import { describe, expect, test, vi } from 'vitest'
import { connectByHand, enrolmentIn } from './test-support/raw-agent.ts'
import {
  type Answer,
  databases,
  newClient,
  type SessionWorld,
  sharedSessionServer,
} from './test-support/session-world.ts'
import { newCpf } from './test-support/vault.ts'
import {
  createSession,
  newTokenStation,
  newWorkstation,
  promptedSession,
  startTestAgent,
  TOKEN_PIN,
  type TokenStation,
} from './test-support/workstation.ts'

const refusal = ({ status, body }: Answer) => [status, body.error?.code]

const wish = { site: 'documentos.example', requester: 'Hospital Santa Clara', documents: ['Contrato <1>.pdf'] }

const begin = async (world: SessionWorld, more: object = {}) => {
  const { status, body } = await world.json('POST', '/v1/approvals', { ...wish, ...more })
  expect([status, body.state, body.certificate]).toEqual([201, 'WAITING', null])
  return body as { readonly approvalId: string; readonly code: string; readonly expiresAt: string }
}

const read = (world: SessionWorld, id: string) => world.json('GET', `/v1/approvals/${id}`)

const untilState = (world: SessionWorld, id: string, state: string) =>
  vi.waitUntil(
    async () => {
      const { body } = await read(world, id)
      return body.state === state && body
    },
    { interval: 10 },
  )

const digestOf = (text: string) => createHash('sha256').update(text).digest()

const hashOf = (text: string) => ({ hash: digestOf(text).toString('base64'), digestAlgorithm: 'SHA-256' })

const sign = (world: SessionWorld, id: string, body: object) =>
  world.json('POST', `/v1/approvals/${id}/signatures`, body)

/** Whether the key of a station signed the bytes. */
const isSigned = ({ issued }: TokenStation, content: Buffer, signature: string): boolean =>
  verify('sha256', content, issued.key.publicKey, Buffer.from(signature, 'base64'))

const approve = async ({ desktop }: TokenStation) => {
  const page = await desktop.nextPage()
  const { html } = await page.send({ action: 'continue', choice: '0', pin: TOKEN_PIN })
  expect(html).toContain('aprovada')
  return page
}

for (const database of databases) {
  describe(`an approval at a workstation on ${database}`, () => {
    const world = sharedSessionServer(database, { settings: { Approvals: { PromptsPerCpf: 5, QuietSeconds: 60 } } })

    test('by CPF: the holder reads who asks for what, types the PIN, and one hash for each document is signed, once', async () => {
      const station = await newTokenStation(world())
      const documents = ['Contrato <1>.pdf', 'Anexo.pdf']
      const { approvalId, code } = await begin(world(), { documents, cpf: station.cpf })
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/)
      const page = await station.desktop.nextPage({ 'accept-language': 'en' })
      for (const told of [code, wish.site, wish.requester, world().client.name, 'Contrato &lt;1&gt;.pdf', 'Anexo.pdf'])
        expect(page.html).toContain(told)
      expect(page.html).toContain('on 2 documents')
      expect((await page.send({ action: 'continue', choice: '0', pin: 'errado' })).html).toContain('not accepted')
      expect(refusal(await sign(world(), approvalId, { hashes: [hashOf('a'), hashOf('b')] }))).toEqual([
        409,
        'APPROVAL_NOT_READY',
      ])
      expect((await page.send({ action: 'continue', choice: '0', pin: TOKEN_PIN })).html).toContain('approved')
      const { certificate, chain } = await untilState(world(), approvalId, 'READY')
      expect(Buffer.from(certificate, 'base64')).toEqual(Buffer.from(station.issued.der))
      expect(chain.length).toBeGreaterThan(0)

      const { status, body } = await sign(world(), approvalId, { hashes: [hashOf('a'), hashOf('b')] })
      expect(status).toBe(200)
      const signed = ['a', 'b'].map((text, at) => isSigned(station, Buffer.from(text), body.signatures[at]))
      expect(signed).toEqual([true, true])
      expect((await read(world(), approvalId)).body.state).toBe('SIGNED')
      expect(refusal(await sign(world(), approvalId, { hashes: [hashOf('a'), hashOf('c')] }))).toEqual([
        409,
        'APPROVAL_OVER',
      ])
      // The PIN was for this alone.
      await vi.waitUntil(() => station.said.includes(`The PIN of ${station.label} is forgotten.`))
      const { administrator } = station.workstation
      const { body: events } = await administrator.call('GET', `/api/events?type=ApprovalSigned&q=${approvalId}`)
      expect(events.items).toMatchObject([{ actor: world().client.name, text: expect.stringContaining('2 documents') }])
    })

    test('by code: whoever types it at an agent takes part with a certificate there; it is good once', async () => {
      const [station, other] = [await newTokenStation(world()), await newTokenStation(world())]
      const { approvalId, code } = await begin(world())
      expect(await station.agent.pair('0000-0000')).toBe('not-found')
      expect(await station.agent.pair('no code')).toBe('not-a-code')
      expect(await station.agent.pair(code.toLowerCase().replace('-', ' '))).toBe('found')
      expect(await other.agent.pair(code)).toBe('not-found')
      expect((await approve(station)).html).toContain(code)
      await untilState(world(), approvalId, 'READY')
      const { body } = await sign(world(), approvalId, { hashes: [hashOf('x')] })
      expect(isSigned(station, Buffer.from('x'), body.signatures[0])).toBe(true)
      expect(await other.agent.pair(code)).toBe('not-found')
      expect(other.desktop.urls).toEqual([])
    })

    test('a code takes the question back from the screens that were found by CPF', async () => {
      const [asked, station] = [await newTokenStation(world()), await newTokenStation(world())]
      const { approvalId, code } = await begin(world(), { cpf: asked.cpf })
      const page = await asked.desktop.nextPage()
      expect(await station.agent.pair(code)).toBe('found')
      await vi.waitUntil(() => asked.said.some((sentence) => sentence.includes('taken back')))
      expect((await page.send({ action: 'continue', choice: '0', pin: TOKEN_PIN })).status).toBe(410)
      await approve(station)
      const { certificate } = await untilState(world(), approvalId, 'READY')
      expect(Buffer.from(certificate, 'base64')).toEqual(Buffer.from(station.issued.der))
    })

    test('the answer says nothing of whether somebody is connected', async () => {
      const station = await newTokenStation(world())
      const there = await begin(world(), { cpf: station.cpf })
      const nowhere = await begin(world(), { cpf: newCpf() })
      await station.desktop.nextPage()
      const [one, two] = [(await read(world(), there.approvalId)).body, (await read(world(), nowhere.approvalId)).body]
      const withoutOwn = ({ approvalId: _, code: __, expiresAt: ___, ...rest }: typeof one) => rest
      expect(withoutOwn(one)).toEqual(withoutOwn(two))
    })

    test('who declines signs nothing, and is left alone for a while; the code works still', async () => {
      const station = await newTokenStation(world())
      const { approvalId } = await begin(world(), { cpf: station.cpf })
      const page = await station.desktop.nextPage()
      expect((await page.send({ action: 'decline' })).html).toContain('recusado')
      await untilState(world(), approvalId, 'DECLINED')
      expect(refusal(await sign(world(), approvalId, { hashes: [hashOf('a')] }))).toEqual([409, 'APPROVAL_OVER'])

      const again = await begin(world(), { cpf: station.cpf })
      expect(await station.agent.pair(again.code)).toBe('found')
      await approve(station)
      await untilState(world(), again.approvalId, 'READY')
      // One window: the refusal kept the other away, the code opened this one.
      expect(station.desktop.urls).toEqual([])
      world().clock.advance(61 * SECOND)
      await begin(world(), { cpf: station.cpf })
      await station.desktop.nextPage()
    })

    test('a person is not asked without end', async () => {
      const station = await newTokenStation(world())
      for (let count = 0; count < 5; count++) {
        const { approvalId } = await begin(world(), { cpf: station.cpf })
        await station.desktop.nextPage()
        expect((await world().json('DELETE', `/v1/approvals/${approvalId}`)).body.state).toBe('CANCELED')
      }
      const { code } = await begin(world(), { cpf: station.cpf })
      expect(await station.agent.pair(code)).toBe('found')
      await station.desktop.nextPage()
      expect(station.desktop.urls).toEqual([])
    })

    test('an agent that goes away ends what was approved at it', async () => {
      const station = await newTokenStation(world())
      const { approvalId } = await begin(world(), { cpf: station.cpf })
      await approve(station)
      await untilState(world(), approvalId, 'READY')
      await station.agent.stop()
      expect((await untilState(world(), approvalId, 'FAILED')).problem).toBe('AGENT_GONE')
      const { status, body } = await sign(world(), approvalId, { hashes: [hashOf('a')] })
      expect([status, body.error.code, body.error.details.problem]).toEqual([409, 'APPROVAL_OVER', 'AGENT_GONE'])
    })

    test('a token that is pulled before it signs is told', async () => {
      const station = await newTokenStation(world(), { pollMilliseconds: 60_000 })
      const { approvalId, code } = await begin(world())
      await station.agent.pair(code)
      await approve(station)
      await untilState(world(), approvalId, 'READY')
      await station.token.pull()
      const { body } = await sign(world(), approvalId, { hashes: [hashOf('a')] })
      expect([body.error.code, body.error.details.problem]).toEqual(['APPROVAL_OVER', 'TOKEN_GONE'])
    })

    test('what is missing at the workstation is told, to the person who typed the code there', async () => {
      const { home } = await newWorkstation(world(), [newCpf()])
      const agent = await startTestAgent(home)
      await agent.connected
      const problemOf = async () => {
        const { approvalId, code } = await begin(world(), { kind: 'test', documents: [] })
        expect(await agent.pair(code)).toBe('found')
        return (await untilState(world(), approvalId, 'FAILED')).problem
      }
      expect(await problemOf()).toBe('NO_SOURCE')
      const station = await newTokenStation(world())
      await addToken(home, station.token.module, station.label)
      await station.token.pull()
      await vi.waitUntil(async () => (await problemOf()) === 'NO_TOKEN', { interval: 200 })
      await station.token.putBack()
    })

    test('a test signs a nonce behind a prefix, and nothing else', async () => {
      const station = await newTokenStation(world())
      const { approvalId, code } = await begin(world(), { kind: 'test', documents: [] })
      await station.agent.pair(code)
      const page = await station.desktop.nextPage()
      expect(page.html).toContain('Nenhum documento é assinado')
      await page.send({ action: 'continue', choice: '0', pin: TOKEN_PIN })
      await untilState(world(), approvalId, 'READY')
      const invalid = [{}, { hashes: [hashOf('a')] }, { nonce: 'AAAA' }, { nonce: 'AAAA', hashes: [hashOf('a')] }]
      for (const body of invalid)
        expect(refusal(await sign(world(), approvalId, body))).toEqual([400, 'INVALID_REQUEST'])
      const nonce = randomBytes(32)
      const { body } = await sign(world(), approvalId, { nonce: nonce.toString('base64') })
      const text = Buffer.concat([Buffer.from('chancela test signature 1\n'), nonce])
      expect(isSigned(station, text, body.signatures[0])).toBe(true)
    })

    test('chancela-agent pair hands the code to the agent that runs, or starts one for this signature', async () => {
      const said: string[] = []
      const context = {
        print: (text: string) => void said.push(text),
        log: (text: string) => void said.push(text),
        terminal: { write: () => {}, ask: async () => TOKEN_PIN },
        untilStopped: () => new Promise<void>(() => {}),
      }
      const station = await newTokenStation(world())
      const pair = (code: string) => runAgentCli(['pair', code, '--home', station.workstation.home], context)
      expect(await pair('ZZZZ-ZZZZ')).toBe(1)
      const first = await begin(world())
      expect(await pair(first.code)).toBe(0)
      await approve(station)
      await untilState(world(), first.approvalId, 'READY')

      await station.agent.stop()
      const second = await begin(world())
      const alone = pair(second.code)
      await untilState(world(), second.approvalId, 'READY')
      const { body } = await sign(world(), second.approvalId, { hashes: [hashOf('x')] })
      expect(isSigned(station, Buffer.from('x'), body.signatures[0])).toBe(true)
      expect(await alone).toBe(0)
      expect(said.at(-1)).toContain('every PIN is forgotten')
    })

    test('expires, and its code with it', async () => {
      const station = await newTokenStation(world())
      const { approvalId, code } = await begin(world(), { cpf: station.cpf })
      const page = await station.desktop.nextPage()
      world().clock.advance(5 * MINUTE)
      expect((await read(world(), approvalId)).body.state).toBe('EXPIRED')
      expect(await station.agent.pair(code)).toBe('not-found')
      expect((await page.send({ action: 'continue', choice: '0', pin: TOKEN_PIN })).status).toBe(410)
    })

    test('wrong codes are counted by workstation', async () => {
      const station = await newTokenStation(world())
      const { code } = await begin(world())
      for (let count = 0; count < 5; count++) expect(await station.agent.pair('ZZZZ-ZZZZ')).toBe('not-found')
      expect(await station.agent.pair(code)).toBe('too-many')
      world().clock.advance(5 * MINUTE)
      const later = await begin(world())
      expect(await station.agent.pair(later.code)).toBe('found')
    })

    test('belongs to the application that began it', async () => {
      const { approvalId } = await begin(world())
      const stranger = await newClient(world().store)
      const headers = { 'X-API-Key': stranger.apiKey }
      const asStranger = (method: string, path: string, body?: object) =>
        vi.waitUntil(async () => {
          const answer = await world().json(method, path, body, headers)
          return answer.status !== 401 && answer
        })
      for (const [method, path, body] of [
        ['GET', `/v1/approvals/${approvalId}`],
        ['DELETE', `/v1/approvals/${approvalId}`],
        ['POST', `/v1/approvals/${approvalId}/signatures`, { hashes: [hashOf('a')] }],
      ] as const)
        expect(refusal(await asStranger(method, path, body))).toEqual([404, 'APPROVAL_NOT_FOUND'])
      expect((await read(world(), approvalId)).body.state).toBe('WAITING')
    })

    test('what it is for must be whole', async () => {
      for (const wrong of [
        { documents: [] },
        { documents: undefined },
        { kind: 'test' },
        { cpf: '11111111111' },
        { site: '' },
        { kind: 'dance' },
        { documents: Array.from({ length: 101 }, (_, at) => `${at}.pdf`) },
      ])
        expect(refusal(await world().json('POST', '/v1/approvals', { ...wish, ...wrong }))).toEqual([
          400,
          'INVALID_REQUEST',
        ])
    })

    test('the PIN of an approval opens and serves no session, and that of a session stays', async () => {
      const station = await newTokenStation(world())
      const { approvalId, code } = await begin(world())
      await station.agent.pair(code)
      await approve(station)
      await untilState(world(), approvalId, 'READY')
      // The PIN is in use at the token, but not for sessions: the holder is asked.
      const session = promptedSession(world(), station)
      expect((await session).sessionId).toEqual(expect.any(String))
      await sign(world(), approvalId, { hashes: [hashOf('a')] })
      expect((await createSession(world(), station.cpf)).status).toBe(201)
      expect(station.desktop.urls).toEqual([])
      expect(station.said).not.toContain(`The PIN of ${station.label} is forgotten.`)
    })

    test('an agent that answers something else signs nothing', async () => {
      const { home } = await newWorkstation(world(), [newCpf()])
      const station = await newTokenStation(world())
      const agent = await connectByHand(enrolmentIn(home))
      await agent.next('welcome')
      const { approvalId, code } = await begin(world())
      agent.send({ type: 'pair', id: '1', code })
      const { id: to } = await agent.next('approve')
      const der = station.issued.der.toString('base64')
      agent.send({ type: 'approved', to, result: 'approved', der, chain: [] })
      await untilState(world(), approvalId, 'READY')
      const signing = sign(world(), approvalId, { hashes: [hashOf('a')] })
      const { id } = await agent.next('sign-approved')
      agent.send({ type: 'all-signed', to: id, signatures: [randomBytes(256).toString('base64')] })
      const { body } = await signing
      expect([body.error.code, body.error.details.problem]).toEqual(['APPROVAL_OVER', 'NOT_SIGNED'])
    })
  })
}
