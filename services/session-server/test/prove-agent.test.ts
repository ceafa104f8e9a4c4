// An agent and its token outlive whatever becomes of the server, and sign afterwards. The short form runs with every test;
// `npm run prove:agent` restarts the server fifty times.
import { setTimeout as sleep } from 'node:timers/promises'
import { callerOf } from '@chancela/testkit/service-world'
import { addToken } from '@chancela/workstation-agent'
import { expect, test } from 'vitest'
import { startAgentProcess } from './test-support/agent-of-proof.ts'
import { layCable } from './test-support/cable.ts'
import { startServerProcess } from './test-support/killed-server.ts'
import { type SessionWorld, startSessionServer } from './test-support/session-world.ts'
import { sharedSignatureService } from './test-support/signature-service.ts'
import { fetchWhenReady, newPdf, signForm } from './test-support/signing.ts'
import { createSession, newTokenHolder, newWorkstation, TOKEN_PIN, untilOffered } from './test-support/workstation.ts'

const restarts = Number(process.env.CHANCELA_AGENT_RESTARTS ?? 3)

const service = sharedSignatureService()

/** Longer than either side waits for a sign of life of the other. */
const TOO_LONG = 4_000

type Server = Awaited<ReturnType<typeof startServerProcess>>

async function proofWorld() {
  const settings = { Workstations: { PingSeconds: 1, AnswerSeconds: 2 } }
  const before = await startSessionServer('SQLite', { settings, signer: service })
  const cable = await layCable(before.consoleUrl)
  const holder = await newTokenHolder()
  const { home, id } = await newWorkstation(before, [holder.cpf], cable.url)
  await addToken(home, holder.token.module, holder.label)
  await before.stop()
  cable.cut()
  const agent = await startAgentProcess(home, TOKEN_PIN)
  let server: Server | undefined
  const asClient = (): SessionWorld => ({
    ...before,
    baseUrl: server!.baseUrl,
    ...callerOf(server!.baseUrl, { 'X-API-Key': before.client.apiKey }),
  })
  return {
    agent,
    token: holder.token,
    server: () => server!,
    asClient,
    cpf: holder.cpf,
    offered: () => untilOffered(before, id),
    /** The server starts, wherever; the agent finds it. */
    async start() {
      const connected = agent.connections()
      server = await startServerProcess(before)
      cable.plug(server.consoleUrl)
      return connected
    },
    async end(how: Ending) {
      await server![how]()
      cable.cut()
    },
    async pull() {
      await holder.token.pull()
      agent.tokenMoved(holder.token.module)
    },
    async putBack() {
      await holder.token.putBack()
      agent.tokenMoved(holder.token.module)
    },
  }
}

type ProofWorld = Awaited<ReturnType<typeof proofWorld>>
type Ending = 'stop' | 'kill'

interface Trouble {
  readonly before?: (world: ProofWorld, sessionId: string) => Promise<unknown>
  /** While the server is down. */
  readonly meanwhile?: (world: ProofWorld) => Promise<unknown>
  readonly after?: (world: ProofWorld) => Promise<unknown>
  /** Whether the PIN is gone, so that the holder types it again. */
  readonly dropsPin: boolean
}

/** What happens around a restart, in turn. */
const troubles: Readonly<Record<string, Trouble>> = {
  'the agent is idle: no PIN is in use': {
    before: (world, sessionId) => world.asClient().json('POST', '/v1/sessions/deactivate', { sessionId }),
    dropsPin: true,
  },
  'a PIN is in use': { dropsPin: false },
  'the token is pulled while the server is down': {
    meanwhile: async (world) => {
      await world.pull()
      await sleep(300)
      await world.putBack()
    },
    dropsPin: true,
  },
  'the agent is frozen, and the server finds it silent': {
    before: async ({ agent }) => agent.signal('SIGSTOP'),
    after: async ({ agent }) => {
      await sleep(TOO_LONG)
      agent.signal('SIGCONT')
    },
    dropsPin: false,
  },
  'the server is frozen, and the agent finds it silent': {
    before: async ({ server }) => {
      server().signal('SIGSTOP')
      await sleep(TOO_LONG)
      server().signal('SIGCONT')
    },
    dropsPin: false,
  },
  'the token is pulled, and comes back after the server': {
    before: (world) => world.pull(),
    after: (world) => world.putBack(),
    dropsPin: true,
  },
}

/** A session; the holder types the PIN where none is in use. */
async function openSession({ asClient, cpf }: ProofWorld): Promise<string> {
  const { status, body } = await createSession(asClient(), cpf)
  expect([status, body.error]).toEqual([201, undefined])
  return body.sessionId
}

async function sign({ asClient }: ProofWorld, sessionId: string): Promise<void> {
  const { status, body } = await signForm(asClient(), sessionId, newPdf())
  expect([status, body.error]).toEqual([202, undefined])
  expect((await fetchWhenReady(asClient(), body.signatureId)).status).toBe(200)
}

test(`an agent with a token outlives ${restarts} restarts of its server, and signs after each with nobody at it`, async () => {
  const world = await proofWorld()
  const { agent } = world
  await agent.untilConnected(await world.start())
  await world.offered()
  let sessionId = await openSession(world)
  await sign(world, sessionId)
  const rounds = Object.entries(troubles)
  for (let round = 0; round < restarts; round++) {
    const [name, { before, meanwhile, after, dropsPin }] = rounds[round % rounds.length]!
    const how: Ending = (round + Math.floor(round / rounds.length)) % 2 === 0 ? 'kill' : 'stop'
    if (restarts > rounds.length) process.stdout.write(`  ${round + 1} of ${restarts}: ${how}; ${name}\n`)
    const pages = agent.pages()
    await before?.(world, sessionId)
    await world.end(how)
    await meanwhile?.(world)
    const connected = await world.start()
    await after?.(world)
    await agent.untilConnected(connected)
    await world.offered()
    if (dropsPin) sessionId = await openSession(world)
    await sign(world, sessionId)
    expect([name, agent.pages() - pages]).toEqual([name, dropsPin ? 1 : 0])
  }
  expect(agent.said.filter((sentence) => /error:|cannot be looked at/.test(sentence))).toEqual([])
})
