import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test, vi } from 'vitest'
import { layCable } from './test-support/cable.ts'
import { sharedFaultProxy } from './test-support/fault-proxy.ts'
import type { RawAgent } from './test-support/raw-agent.ts'
import {
  type Answer,
  databases,
  type SessionWorld,
  type SettingsFile,
  startSessionServer,
} from './test-support/session-world.ts'
import { type SignatureService, sharedSignatureService } from './test-support/signature-service.ts'
import {
  fetchSigned,
  newPdf,
  rowsOf,
  settledRows,
  signBatch,
  signForm,
  signJson,
  statusAt,
} from './test-support/signing.ts'
import {
  createSession,
  newRawStation,
  newTokenStation,
  promptedSession,
  startTestAgent,
  untilOffered,
} from './test-support/workstation.ts'

const refusal = ({ status, body }: Answer) => [status, body.error?.code]

const verdictOf = async (pdf: Buffer): Promise<string> => {
  const file = join(temporaryFolder(), 'signed.pdf')
  writeFileSync(file, pdf)
  return (await runTool('pdfsig', ['-nocert', file])).text
}

const signedBy = async (world: SessionWorld, sessionId: string): Promise<Buffer> => {
  const { status, body } = await signForm(world, sessionId, newPdf())
  expect([status, body.error]).toEqual([202, undefined])
  const answer = await vi.waitUntil(
    async () => {
      const fetched = await fetchSigned(world, body.signatureId)
      return fetched.status === 200 && fetched
    },
    { interval: 20 },
  )
  return Buffer.from(await answer.arrayBuffer())
}

describe('signing with a token at a workstation', () => {
  const signer = sharedSignatureService()
  const settings = { Signing: { ReconnectGraceSeconds: 2 } }
  /** Another service, whose documents are there before they are signed. */
  const inSteps = sharedFaultProxy(signer)
  const start = (
    database: (typeof databases)[number],
    after?: SessionWorld,
    more: SettingsFile = {},
    at: () => Pick<SignatureService, 'baseUrl' | 'apiKey'> = signer,
  ) => startSessionServer(database, { signer: at, settings: { ...settings, ...more }, ...(after && { after }) })

  for (const database of databases) {
    test(`goes on after a restart of the server, and ends with the session, on ${database}`, async () => {
      const first = await start(database)
      const cable = await layCable(first.consoleUrl)
      const station = await newTokenStation(first, {}, cable.url)
      const { sessionId } = await promptedSession(first, station)
      expect(await verdictOf(await signedBy(first, sessionId))).toContain('Signature is Valid')

      cable.cut()
      await first.stop()
      const second = await start(database, first)
      cable.plug(second.consoleUrl)
      expect((await second.json('GET', `/v1/sessions/status?sessionId=${sessionId}`)).body.active).toBe(true)
      expect(await verdictOf(await signedBy(second, sessionId))).toContain('Signature is Valid')
      expect(station.desktop.urls).toEqual([])

      expect((await second.json('POST', '/v1/sessions/deactivate', { sessionId })).status).toBe(200)
      expect(refusal(await signJson(second, sessionId, newPdf()))).toEqual([401, 'SESSION_EXPIRED'])
      expect(station.said).toContain(`The PIN of ${station.label} is forgotten.`)
    })

    test(`waits for a workstation within the reconnect grace, and then is WORKSTATION_OFFLINE, on ${database}`, async () => {
      const world = await start(database)
      const cable = await layCable(world.consoleUrl)
      const station = await newTokenStation(world, {}, cable.url)
      const { sessionId } = await promptedSession(world, station)
      cable.cut()
      await untilAway(station.said)
      const waiting = signForm(world, sessionId, newPdf())
      cable.plug(world.consoleUrl)
      expect((await waiting).status).toBe(202)
      station.said.length = 0
      cable.cut()
      await untilAway(station.said)
      expect(refusal(await signForm(world, sessionId, newPdf()))).toEqual([422, 'WORKSTATION_OFFLINE'])
    })

    const untilAway = (said: readonly string[]) =>
      vi.waitUntil(() => said.some((sentence) => sentence.includes('cannot be reached')), {
        interval: 5,
      })

    test(`a PIN is dropped when the workstation is back that was away when its session ended, on ${database}`, async () => {
      const world = await start(database)
      const cable = await layCable(world.consoleUrl)
      const station = await newTokenStation(world, {}, cable.url)
      const { sessionId } = await promptedSession(world, station)
      cable.cut()
      await untilAway(station.said)
      const toForget = () => world.store.db.selectFrom('pin_to_forget').selectAll().execute()
      expect((await world.json('POST', '/v1/sessions/deactivate', { sessionId })).status).toBe(200)
      expect(await toForget()).toHaveLength(1)
      expect(station.said).not.toContain(`The PIN of ${station.label} is forgotten.`)
      cable.plug(world.consoleUrl)
      await vi.waitUntil(() => station.said.includes(`The PIN of ${station.label} is forgotten.`))
      await vi.waitUntil(async () => (await toForget()).length === 0)
      await promptedSession(world, station)
    })

    test(`an agent that dies between hash and signature leaves no document behind, on ${database}`, async () => {
      const world = await start(database)
      const before = (await signer().json('GET', '/api/documents?limit=0')).body.totalCount
      const { agent, sessionId, fingerprint } = await rawSession(world)
      const asked = signForm(world, sessionId, newPdf())
      await answerCheck(agent, 'in-use')
      expect(await agent.next('sign')).toMatchObject({ fingerprint, digestAlgorithm: 'SHA-256' })
      agent.socket.terminate()
      expect(refusal(await asked)).toEqual([422, 'WORKSTATION_OFFLINE'])
      expect(await settledRows(world)).toMatchObject([
        { state: 'Failed', document_id: null, code: 'WORKSTATION_OFFLINE' },
      ])
      expect((await signer().json('GET', '/api/documents?limit=0')).body.totalCount).toBe(before)
    })

    test(`where the document is there already, it is canceled, on ${database}`, async () => {
      const world = await start(database, undefined, {}, inSteps)
      const { agent, sessionId } = await rawSession(world)
      const asked = signForm(world, sessionId, newPdf())
      await answerCheck(agent, 'in-use')
      await agent.next('sign')
      agent.socket.terminate()
      const { status, body } = await asked
      expect([status, body.status]).toEqual([202, 'PROCESSING'])
      expect(await settledRows(world)).toMatchObject([
        { state: 'Canceled', document_id: body.signatureId, code: 'WORKSTATION_OFFLINE' },
      ])
      expect(await statusAt(signer(), body.signatureId)).toBe('Canceled')
    })

    const isActive = async (world: SessionWorld, sessionId: string): Promise<boolean> =>
      (await world.json('GET', `/v1/sessions/status?sessionId=${sessionId}`)).body.active

    test(`a session ends with the agent that had its PIN, also where nothing is signed meanwhile, on ${database}`, async () => {
      const world = await start(database)
      const station = await newTokenStation(world)
      const { sessionId } = await promptedSession(world, station)
      await station.agent.stop()
      expect(await isActive(world, sessionId)).toBe(true)
      await startTestAgent(station.workstation.home)
      await vi.waitUntil(async () => !(await isActive(world, sessionId)), { interval: 20 })
      expect(refusal(await signForm(world, sessionId, newPdf()))).toEqual([401, 'SESSION_EXPIRED'])
      expect(refusal(await signBatch(world, sessionId, [['a.pdf', newPdf()]]))).toEqual([401, 'SESSION_EXPIRED'])
      expect(await rowsOf(world)).toEqual([])
    })

    test(`a session whose PIN was dropped ends before a document leaves the server, on ${database}`, async () => {
      const world = await start(database)
      for (const sign of [
        signForm,
        (...[to, id, pdf]: Parameters<typeof signForm>) => signBatch(to, id, [['a.pdf', pdf]]),
      ]) {
        const { agent, sessionId } = await rawSession(world)
        const asked = sign(world, sessionId, newPdf())
        await answerCheck(agent, 'no-pin')
        expect(refusal(await asked)).toEqual([401, 'SESSION_EXPIRED'])
        expect(await isActive(world, sessionId)).toBe(false)
        expect(refusal(await sign(world, sessionId, newPdf()))).toEqual([401, 'SESSION_EXPIRED'])
      }
      expect(await rowsOf(world)).toEqual([])
      const ends = await world.store.db.selectFrom('signing_session').select('end_reason').execute()
      expect(ends).toEqual([{ end_reason: 'stranded' }, { end_reason: 'stranded' }])
    })

    test(`a session whose PIN was dropped between hash and signature ends then, on ${database}`, async () => {
      const world = await start(database)
      const { agent, sessionId } = await rawSession(world)
      const asked = signForm(world, sessionId, newPdf())
      await answerCheck(agent, 'in-use')
      const { id: to } = await agent.next('sign')
      agent.send({ type: 'not-signed', to, problem: 'no-pin', message: 'no PIN is in use' })
      expect(refusal(await asked)).toEqual([401, 'SESSION_EXPIRED'])
      expect(await settledRows(world)).toMatchObject([{ state: 'Failed', code: 'SESSION_EXPIRED' }])
      expect(await isActive(world, sessionId)).toBe(false)
    })

    test(`the token is pulled: its session ends, and a sign says so before a document leaves the server, on ${database}`, async () => {
      const world = await start(database)
      const station = await newTokenStation(world)
      const { sessionId } = await promptedSession(world, station)
      await station.token.pull()
      await vi.waitUntil(async () => !(await isActive(world, sessionId)), { interval: 20 })
      expect(refusal(await signForm(world, sessionId, newPdf()))).toEqual([404, 'CERT_NOT_FOUND'])
      expect(refusal(await world.json('POST', '/v1/sessions/deactivate', { sessionId }))).toEqual([
        401,
        'SESSION_EXPIRED',
      ])
      await station.token.putBack()
      await untilOffered(world, station.workstation.id)
      expect(refusal(await signForm(world, sessionId, newPdf()))).toEqual([401, 'SESSION_EXPIRED'])
      expect(await rowsOf(world)).toEqual([])
    })

    test(`an agent that is connected and says nothing is WORKSTATION_OFFLINE before a document leaves the server, on ${database}`, async () => {
      const world = await start(database, undefined, { Workstations: { AnswerSeconds: 1 } })
      const { sessionId } = await rawSession(world)
      expect(refusal(await signForm(world, sessionId, newPdf()))).toEqual([422, 'WORKSTATION_OFFLINE'])
      expect([await rowsOf(world), await isActive(world, sessionId)]).toEqual([[], true])
    })

    /** A session at an agent that a test speaks for. */
    async function rawSession(world: SessionWorld) {
      const { agent, cpf, fingerprint } = await newRawStation(world)
      const opened = createSession(world, cpf, 'qualquer')
      agent.send({ type: 'offered', to: (await agent.next('offer')).id, result: 'confirmed', fingerprint })
      const { sessionId } = (await opened).body as { sessionId: string }
      return { agent, sessionId, fingerprint }
    }

    const answerCheck = async (agent: RawAgent, result: 'in-use' | 'no-pin') =>
      agent.send({ type: 'pin-checked', to: (await agent.next('check-pin')).id, result })
  }
})
