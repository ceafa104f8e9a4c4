import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { MINUTE } from '@chancela/service-kernel/clock'
import { listPkcs11Tokens } from '@chancela/signature-engine/keys'
import { formattedCpf } from '@chancela/signature-engine/x509'
import { signedIn } from '@chancela/testkit/console'
import { temporaryFolder } from '@chancela/testkit/tools'
import { enrol } from '@chancela/workstation-agent'
import { describe, expect, test, vi } from 'vitest'
import { identityOf, newIdentitySecret } from '../src/channel/index.ts'
import {
  type Answer,
  databases,
  newClient,
  type SessionWorld,
  sharedSessionServer,
  startSessionServer,
} from './test-support/session-world.ts'
import { holdInVault, newCpf, PIN as VAULT_PIN } from './test-support/vault.ts'
import {
  createSession,
  newRawStation,
  newTokenStation,
  newWorkstation,
  promptedSession,
  startTestAgent,
  TOKEN_PIN,
  type TokenStation,
  untilOffered,
} from './test-support/workstation.ts'

const refusal = ({ status, body }: Answer) => [status, body.error?.code]

/** Whether the token ever got a wrong PIN. */
const wrongPinGiven = async ({ token, label }: TokenStation): Promise<boolean> =>
  (await listPkcs11Tokens(token.module)).find((info) => info.label === label)!.pinCountLow

const newCode = async (world: SessionWorld) => {
  const { call } = await signedIn(world)
  return (await call('POST', '/api/workstations', { name: 'Recepção', cpfs: [newCpf()] })).body as {
    readonly code: string
    readonly workstation: { readonly id: string }
  }
}

for (const database of databases) {
  describe(`the enrolment of a workstation on ${database}`, () => {
    const world = sharedSessionServer(database)

    test('works once with its code, and leaves a folder that nobody else may read', async () => {
      const { code } = await newCode(world())
      const home = temporaryFolder()
      await enrol(home, world().consoleUrl, code.toLowerCase().replaceAll('-', ' '))
      expect(readdirSync(home).map((name) => statSync(join(home, name)).mode & 0o777)).toEqual([0o600])
      await expect(enrol(temporaryFolder(), world().consoleUrl, code)).rejects.toThrow('used or too old')
    })

    test('is an event that says which workstation, by whom and from which address', async () => {
      const { code, workstation } = await newCode(world())
      await enrol(temporaryFolder(), world().consoleUrl, code)
      await expect(enrol(temporaryFolder(), world().consoleUrl, code)).rejects.toThrow('used or too old')
      const { call } = await signedIn(world())
      const { body } = await call('GET', `/api/events?type=WorkstationEnrolled&q=${workstation.id}`)
      expect(body.items).toMatchObject([
        { actor: 'agent', address: '127.0.0.1', subject: { kind: 'workstation', id: workstation.id } },
      ])
    })

    test('is refused when the code is too old, and when it was typed wrong', async () => {
      const { code } = await newCode(world())
      const typo = code.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
      await expect(enrol(temporaryFolder(), world().consoleUrl, typo)).rejects.toThrow('used or too old')
      await expect(enrol(temporaryFolder(), world().consoleUrl, 'ABCDE')).rejects.toThrow('not an enrolment code')
      world().clock.advance(15 * MINUTE)
      await expect(enrol(temporaryFolder(), world().consoleUrl, code)).rejects.toThrow('used or too old')
    })

    test('tells nothing to a server that answers in the place of another, and does not believe it', async () => {
      const { code } = await newCode(world())
      let told = ''
      const { publicKey: serverPublicKey } = identityOf(newIdentitySecret())
      const impostor = createServer(async (request, response) => {
        for await (const chunk of request) told += chunk
        response.end(JSON.stringify({ workstationId: 'x', name: 'x', serverPublicKey }))
      })
      await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve))
      const { port } = impostor.address() as AddressInfo
      const home = temporaryFolder()
      await expect(enrol(home, `http://127.0.0.1:${port}`, code)).rejects.toThrow('Another server answered')
      impostor.close()
      expect(readdirSync(home)).toEqual([])
      // An eavesdropped enrolment enrols only the agent that sent it.
      const heard = JSON.parse(told)
      const { publicKey } = identityOf(newIdentitySecret())
      const stolen = await fetch(`${world().consoleUrl}/agents/enrol`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...heard, publicKey }),
      })
      expect([stolen.status, (await stolen.json()).error.code]).toEqual([401, 'ENROLMENT_REFUSED'])
      await enrol(home, world().consoleUrl, code)
    })

    test('ends the former one when the workstation is enrolled anew', async () => {
      const { home, id, administrator } = await newWorkstation(world(), [newCpf()])
      const agent = await startTestAgent(home)
      const { body } = await administrator.call('POST', `/api/workstations/${id}/code`)
      await enrol(temporaryFolder(), world().consoleUrl, body.code)
      expect(await agent.ended).toBe('refused')
    })
  })

  describe(`a session on a token at a workstation on ${database}`, () => {
    const world = sharedSessionServer(database, {
      settings: { Pin: { MaxFailures: 100 }, Workstations: { House: 'Hospital & Cia' } },
    })

    test('is opened by the holder who types the PIN, while the request of the client waits', async () => {
      const station = await newTokenStation(world())
      const asked = createSession(world(), station.cpf)
      const page = await station.desktop.nextPage({ 'accept-language': 'en-US' })
      expect(page.status).toBe(200)
      const { host } = new URL(world().consoleUrl)
      const told = [
        world().client.name,
        'Hospital &amp; Cia',
        host,
        'All that the application sends',
        '15 minutes without',
      ]
      for (const each of [...told, `PORTADOR ${station.cpf}`, formattedCpf(station.cpf), station.label])
        expect(page.html).toContain(each)
      expect(await page.send({ action: 'continue', pin: TOKEN_PIN })).toMatchObject({
        status: 200,
        html: expect.stringContaining('PIN accepted'),
      })
      const { status, body } = await asked
      expect([status, body.cpf]).toEqual([201, station.cpf])
      const info = await world().json('GET', `/v1/certificates/info?sessionId=${body.sessionId}`)
      expect(info.body).toMatchObject({ cpf: station.cpf, subjectName: `PORTADOR ${station.cpf}`, status: 'ACTIVE' })
      const { body: listed } = await station.workstation.administrator.call('GET', '/api/workstations')
      const own = listed.find(({ id }: { id: string }) => id === station.workstation.id)
      expect(own).toMatchObject({ state: 'online', certificates: 1, address: expect.stringMatching(/127|::1/) })
    })

    test('is opened without asking when the PIN is the one in use; another is INVALID_PIN and stays off the token', async () => {
      const station = await newTokenStation(world())
      await promptedSession(world(), station)
      expect((await createSession(world(), station.cpf)).status).toBe(201)
      for (let count = 0; count < 20; count++)
        expect(refusal(await createSession(world(), station.cpf, `${TOKEN_PIN}${count}`))).toEqual([401, 'INVALID_PIN'])
      expect(station.desktop.urls).toEqual([])
      expect(await wrongPinGiven(station)).toBe(false)
    })

    test('is refused with INVALID_PIN when the holder types the right PIN and the client gave another', async () => {
      const station = await newTokenStation(world())
      const asked = createSession(world(), station.cpf, '000000')
      const page = await station.desktop.nextPage()
      await page.send({ action: 'continue', pin: TOKEN_PIN })
      expect(refusal(await asked)).toEqual([401, 'INVALID_PIN'])
      expect(await wrongPinGiven(station)).toBe(false)
    })

    const failuresOf = async (cpf: string): Promise<number> => {
      const rows = await world().store.db.selectFrom('pin_failures').selectAll().where('cpf', '=', cpf).execute()
      return rows.flatMap(({ times }) => JSON.parse(times) as string[]).length
    }

    test('of two workstations the one without a PIN in use is asked, also while the other has one', async () => {
      const station = await newTokenStation(world())
      await promptedSession(world(), station)
      const { agent, cpf, fingerprint } = await newRawStation(world(), station.cpf)
      const asked = createSession(world(), cpf, '5555')
      agent.send({ type: 'offered', to: (await agent.next('offer')).id, result: 'no-pin' })
      agent.send({ type: 'prompted', to: (await agent.next('prompt')).id, result: 'confirmed', fingerprint })
      expect((await asked).status).toBe(201)
      expect(await failuresOf(cpf)).toBe(0)
      agent.heard.length = 0
      const wrong = createSession(world(), cpf, '6666')
      agent.send({ type: 'offered', to: (await agent.next('offer')).id, result: 'differs' })
      expect(refusal(await wrong)).toEqual([401, 'INVALID_PIN'])
      expect(await failuresOf(cpf)).toBe(1)
      expect(station.desktop.urls).toEqual([])
    })

    test('of two tokens at one workstation the one without a PIN in use is asked for, also while the other has one', async () => {
      const { agent, cpf, fingerprints } = await newRawStation(world(), newCpf(), 2)
      const [inUse, other] = fingerprints
      const offers = () => agent.heard.filter((message) => message.type === 'offer')
      const answer = async (pinOfOther: 'no-pin' | 'differs') => {
        await vi.waitUntil(() => offers().length === 2, { interval: 5 })
        for (const { id: to, fingerprints } of offers())
          agent.send({ type: 'offered', to, result: fingerprints[0] === inUse ? 'differs' : pinOfOther })
      }
      const asked = createSession(world(), cpf, '5555')
      await answer('no-pin')
      const prompt = await agent.next('prompt')
      expect(prompt.fingerprints).toEqual([other])
      agent.send({ type: 'prompted', to: prompt.id, result: 'confirmed', fingerprint: other! })
      expect((await asked).status).toBe(201)
      expect(await failuresOf(cpf)).toBe(0)
      agent.heard.length = 0
      const wrong = createSession(world(), cpf, '6666')
      await answer('differs')
      expect(refusal(await wrong)).toEqual([401, 'INVALID_PIN'])
      expect(await failuresOf(cpf)).toBe(1)
    })

    test('a right PIN is not called wrong, nor counted, because the vault has another and the workstation does not say', async () => {
      const station = await newTokenStation(world())
      const { cpf } = station
      await holdInVault(world(), 'ana-souza', { cpf })
      for (let times = 0; times < 2; times++) {
        const asked = createSession(world(), cpf)
        await (await station.desktop.nextPage()).send({ action: 'decline' })
        expect(refusal(await asked)).toEqual([422, 'PIN_NOT_AVAILABLE'])
      }
      await station.agent.stop()
      await untilState(station, 'offline')
      expect(refusal(await createSession(world(), cpf))).toEqual([422, 'WORKSTATION_OFFLINE'])
      expect(await failuresOf(cpf)).toBe(0)
      // Whoever tries others on the vault meanwhile is counted, once for each.
      for (const [pin, failures] of [
        ['1111', 1],
        ['1111', 1],
        ['2222', 2],
        [TOKEN_PIN, 2],
      ] as const) {
        expect(refusal(await createSession(world(), cpf, pin))).toEqual([422, 'WORKSTATION_OFFLINE'])
        expect(await failuresOf(cpf)).toBe(failures)
      }
      expect((await createSession(world(), cpf, VAULT_PIN)).status).toBe(201)
    })

    test('a wrong PIN typed by the holder is told with what the token says, and may be typed again', async () => {
      const station = await newTokenStation(world())
      const asked = createSession(world(), station.cpf)
      const page = await station.desktop.nextPage({ 'accept-language': 'pt-BR' })
      const wrong = await page.send({ action: 'continue', pin: 'errado' })
      expect(wrong.html).toContain('não foi aceito')
      expect(wrong.html).toContain('PIN errado foi digitado')
      expect((await page.send({ action: 'continue', pin: TOKEN_PIN })).html).toContain('PIN aceito')
      expect((await asked).status).toBe(201)
      expect(await wrongPinGiven(station)).toBe(false)
    })

    test('is PIN_NOT_AVAILABLE when the holder declines, and when nothing can be shown', async () => {
      const station = await newTokenStation(world())
      const asked = createSession(world(), station.cpf)
      const page = await station.desktop.nextPage()
      expect((await page.send({ action: 'decline' })).html).toContain('Pedido recusado')
      expect(refusal(await asked)).toEqual([422, 'PIN_NOT_AVAILABLE'])
      expect((await page.send({ action: 'continue', pin: TOKEN_PIN }).catch(() => ({ status: 0 }))).status).not.toBe(
        200,
      )
      await station.agent.stop()
      await startTestAgent(station.workstation.home)
      await untilOffered(world(), station.workstation.id)
      await untilState(station, 'online')
      expect(refusal(await createSession(world(), station.cpf))).toEqual([422, 'PIN_NOT_AVAILABLE'])
    })

    const untilState = ({ workstation: { administrator, id } }: TokenStation, state: string) =>
      vi.waitUntil(
        async () =>
          (await administrator.call('GET', '/api/workstations')).body.find((one: { id: string }) => one.id === id)
            .state === state,
        { interval: 20 },
      )

    test('is WORKSTATION_OFFLINE when the agent is away', async () => {
      const station = await newTokenStation(world())
      await station.agent.stop()
      await untilState(station, 'offline')
      expect(refusal(await createSession(world(), station.cpf))).toEqual([422, 'WORKSTATION_OFFLINE'])
    })

    test('drops the PIN when it is deactivated', async () => {
      const station = await newTokenStation(world())
      const { sessionId } = await promptedSession(world(), station)
      expect((await world().json('POST', '/v1/sessions/deactivate', { sessionId })).status).toBe(200)
      expect(station.said).toContain(`The PIN of ${station.label} is forgotten.`)
      await promptedSession(world(), station)
    })

    test('ends when its token is pulled and the PIN goes with it; the certificate is held again when it is back', async () => {
      const station = await newTokenStation(world())
      const { sessionId } = await promptedSession(world(), station)
      const info = () => world().json('GET', `/v1/certificates/info?sessionId=${sessionId}`)
      await station.token.pull()
      await vi.waitUntil(async () => (await info()).status !== 200, { interval: 20 })
      expect(refusal(await info())).toEqual([404, 'CERT_NOT_FOUND'])
      expect(station.said).toContain(`${station.label} is away; its PIN is forgotten.`)
      expect(refusal(await createSession(world(), station.cpf))).toEqual([404, 'CERT_NOT_FOUND'])
      await station.token.putBack()
      await untilOffered(world(), station.workstation.id)
      expect(refusal(await info())).toEqual([401, 'SESSION_EXPIRED'])
      await promptedSession(world(), station)
      const held = world().store.db.selectFrom('certificate').select('id')
      expect(await held.where('workstation_id', '=', station.workstation.id).execute()).toHaveLength(1)
    })

    test('ends when its workstation is revoked, which cuts the agent off at once', async () => {
      const station = await newTokenStation(world())
      const { sessionId } = await promptedSession(world(), station)
      const { administrator, id, home } = station.workstation
      expect((await administrator.call('DELETE', `/api/workstations/${id}`)).status).toBe(204)
      expect(await station.agent.ended).toBe('refused')
      expect(station.said).toContain(
        'The enrolment of this workstation was revoked: ask the administrator for a new code.',
      )
      expect((await world().json('GET', `/v1/sessions/status?sessionId=${sessionId}`)).body.active).toBe(false)
      expect(refusal(await createSession(world(), station.cpf))).toEqual([404, 'CERT_NOT_FOUND'])
      expect(await (await startTestAgent(home)).ended).toBe('refused')
    })

    test('ends when the workstation may not offer certificates of its holder any more', async () => {
      const station = await newTokenStation(world())
      const { sessionId } = await promptedSession(world(), station)
      const { administrator, id } = station.workstation
      await administrator.call('PUT', `/api/workstations/${id}`, { name: 'Recepção', cpfs: [newCpf()] })
      expect((await world().json('GET', `/v1/sessions/status?sessionId=${sessionId}`)).body.active).toBe(false)
      expect(refusal(await createSession(world(), station.cpf))).toEqual([404, 'CERT_NOT_FOUND'])
    })

    test('leaves the PIN in no log, no row, no file of the agent and no sentence it says', async () => {
      const station = await newTokenStation(world())
      await promptedSession(world(), station)
      const tables = [
        'workstation',
        'certificate',
        'signing_session',
        'pin_failures',
        'audit_event',
        'pin_to_forget',
      ] as const
      const rows = await Promise.all(tables.map((table) => world().store.db.selectFrom(table).selectAll().execute()))
      const { home } = station.workstation
      const files = readdirSync(home).map((name) => readFileSync(join(home, name), 'utf8'))
      const all = [JSON.stringify(rows), ...files, ...station.said, world().log()].join('\n')
      expect(all).toContain(station.label)
      expect(all).not.toContain(TOKEN_PIN)
    })
  })

  test(`a holder who does not answer in time is PIN_NOT_AVAILABLE on ${database}`, async () => {
    const world = await startSessionServer(database, { settings: { Pin: { PromptSeconds: 1 } } })
    const station = await newTokenStation(world)
    expect(refusal(await createSession(world, station.cpf))).toEqual([422, 'PIN_NOT_AVAILABLE'])
    await vi.waitUntil(() => station.said.includes('Nobody answered in time.'), { interval: 10 })
    expect(await wrongPinGiven(station)).toBe(false)
  })
}

test('1,000 wrong PINs over two keys lock the CPF and never reach the token', async () => {
  const world = await startSessionServer('SQLite', {
    settings: { Pin: { MaxFailures: 100 }, Workstations: { House: 'Hospital & Cia' } },
  })
  const post = async (apiKey: string, path: string, body: object): Promise<string> =>
    (await world.json('POST', path, body, { 'X-API-Key': apiKey })).body.error.code
  const station = await newTokenStation(world)
  await promptedSession(world, station)
  const other = await newClient(world.store)
  const keys = [world.client.apiKey, other.apiKey]
  const isKnown = async () =>
    (await post(other.apiKey, '/v1/sessions/deactivate', { sessionId: 'x' })) !== 'UNAUTHORIZED'
  await vi.waitUntil(isKnown, { interval: 5 })
  const answers: string[] = []
  const left = Array.from({ length: 1000 }, (_none, index) => index)
  const attempt = async () => {
    for (let at = left.pop(); at !== undefined; at = left.pop())
      answers.push(await post(keys[at % 2]!, '/v1/sessions', { cpf: station.cpf, pin: `errado-${at}` }))
  }
  await Promise.all(Array.from({ length: 8 }, attempt))
  expect(answers.filter((code) => code === 'INVALID_PIN')).toHaveLength(100)
  expect(answers.filter((code) => code === 'TOO_MANY_PIN_ATTEMPTS')).toHaveLength(900)
  expect(await wrongPinGiven(station)).toBe(false)
})
