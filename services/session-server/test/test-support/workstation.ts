// Holders on their machines: a software token, the real agent with it, and a test that answers its page.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signedIn } from '@chancela/testkit/console'
import type { IssuedCertificate } from '@chancela/testkit/demo-pki'
import { newSoftToken, type SoftToken } from '@chancela/testkit/soft-token'
import { type AgentOptions, addToken, enrol, type RunningAgent, startAgent } from '@chancela/workstation-agent'
import { expect, onTestFinished, vi } from 'vitest'
import { running } from './pki.ts'
import { connectByHand, enrolmentIn } from './raw-agent.ts'
import type { SessionWorld } from './session-world.ts'
import { newCpf } from './vault.ts'

/** A PIN that occurs nowhere else. */
export const TOKEN_PIN = '84-token-17'

/** A person with a unique certificate. */
export const newPerson = (cpf: string = newCpf()): Promise<IssuedCertificate> =>
  running.pki.issueHolder(
    `token-${cpf}-${crypto.randomUUID()}`,
    { kind: 'person', name: `Portador ${cpf}`, cpf, born: '1980-01-01', email: 'portador@example.com' },
    {},
    running.pki.certificate('bruno-lima').key,
  )

interface TokenHolder {
  readonly cpf: string
  /** Of the token. */
  readonly label: string
  readonly token: SoftToken
  readonly issued: IssuedCertificate
}

/** A person whose certificate is on a token. */
export async function newTokenHolder(): Promise<TokenHolder> {
  const cpf = newCpf()
  const issued = await newPerson(cpf)
  const label = `cartao ${cpf}`
  const issuers = running.pki.chainOf(issued).slice(1)
  const token = await newSoftToken({ label, pin: TOKEN_PIN, holders: [issued], issuers })
  onTestFinished(() => token.destroy())
  return { cpf, label, issued, token }
}

/** An open page of the agent. */
interface OpenPage {
  readonly status: number
  readonly html: string
  send(fields: Readonly<Record<string, string>>): Promise<{ readonly status: number; readonly html: string }>
}

/** Resolves when a page takes no PIN any more: it stays for a minute, to say that its question is over. */
export const untilOver = (page: OpenPage): Promise<void> =>
  expect.poll(async () => (await page.send({ action: 'continue', pin: TOKEN_PIN })).status).toBe(410)

/** A desktop whose browser the test controls. */
function newDesktop() {
  const urls: string[] = []
  return {
    urls,
    openBrowser: async (url: string) => {
      urls.push(url)
      return true
    },
    /** The next page that is shown. */
    async nextPage(headers: Readonly<Record<string, string>> = {}): Promise<OpenPage> {
      const url = await vi.waitUntil(() => urls.shift(), { interval: 5 })
      const answer = await fetch(url, { headers })
      const send: OpenPage['send'] = async (fields) => {
        const sent = await fetch(answer.url, { method: 'POST', body: new URLSearchParams(fields), headers })
        return { status: sent.status, html: await sent.text() }
      }
      return { status: answer.status, html: await answer.text(), send }
    },
  }
}

/** A workstation of the console, and a folder with its enrolment. */
export async function newWorkstation(world: SessionWorld, cpfs: readonly string[], consoleUrl = world.consoleUrl) {
  const administrator = await signedIn(world)
  const { status, body } = await administrator.call('POST', '/api/workstations', { name: 'Recepção', cpfs })
  if (status !== 200) throw new Error(`No workstation was made: ${status}.`)
  const home = mkdtempSync(join(tmpdir(), 'chancela-agent-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  await enrol(home, consoleUrl, body.code)
  return { id: body.workstation.id as string, home, administrator }
}

/** Starts an agent, which stops at the end of the test. */
export async function startTestAgent(home: string, options: Partial<AgentOptions> = {}): Promise<RunningAgent> {
  const agent = await startAgent({
    home,
    pollMilliseconds: 100,
    backOff: { first: 20, longest: 100 },
    terminal: undefined,
    openBrowser: async () => false,
    ...options,
  })
  onTestFinished(() => agent.stop())
  return agent
}

/** Resolves when the workstation's certificate is stored and validated. */
export const untilOffered = ({ store }: Pick<SessionWorld, 'store'>, workstationId: string, status = 'ACTIVE') =>
  vi.waitUntil(
    async () => {
      const rows = await store.db
        .selectFrom('certificate')
        .selectAll()
        .where('workstation_id', '=', workstationId)
        .where('removed_at', 'is', null)
        .execute()
      return rows.find((row) => row.status === status)
    },
    { interval: 10 },
  )

/** A holder with a connected agent whose certificate may sign. */
export async function newTokenStation(world: SessionWorld, options: Partial<AgentOptions> = {}, consoleUrl?: string) {
  const holder = await newTokenHolder()
  const workstation = await newWorkstation(world, [holder.cpf], consoleUrl)
  await addToken(workstation.home, holder.token.module, holder.label)
  const desktop = newDesktop()
  const said: string[] = []
  const agent = await startTestAgent(workstation.home, {
    openBrowser: desktop.openBrowser,
    log: (sentence) => void said.push(sentence),
    ...options,
  })
  await untilOffered(world, workstation.id)
  return { ...holder, workstation, desktop, agent, said }
}

/** A workstation whose agent a test speaks for, with certificates of the CPF, each on a token of its own. */
export async function newRawStation(world: SessionWorld, cpf: string = newCpf(), tokens = 1) {
  const issued = await Promise.all(Array.from({ length: tokens }, () => newPerson(cpf)))
  const { home, id } = await newWorkstation(world, [cpf])
  const agent = await connectByHand(enrolmentIn(home))
  await agent.next('welcome')
  const certificates = issued.map((one, at) => {
    const chain = running.pki.chainOf(one).slice(1)
    return { der: base64(one), chain: chain.map(base64), source: `cartao-${at}` }
  })
  agent.send({ type: 'certificates', id: '1', certificates })
  const offered = await vi.waitUntil(
    async () => {
      const held = world.store.db.selectFrom('certificate').select('fingerprint').where('workstation_id', '=', id)
      const rows = await held.where('status', '=', 'ACTIVE').execute()
      return rows.length === tokens && rows
    },
    { interval: 10 },
  )
  const fingerprints = offered.map(({ fingerprint }) => fingerprint)
  return { agent, cpf, fingerprint: fingerprints[0]!, fingerprints }
}

const base64 = ({ der }: { readonly der: Buffer }): string => der.toString('base64')

export type TokenStation = Awaited<ReturnType<typeof newTokenStation>>

export const createSession = (world: SessionWorld, cpf: string, pin: string = TOKEN_PIN) =>
  world.json('POST', '/v1/sessions', { cpf, pin })

/** Opens a session whose PIN the holder enters. */
export async function promptedSession(world: SessionWorld, { cpf, desktop }: Pick<TokenStation, 'cpf' | 'desktop'>) {
  const asked = createSession(world, cpf)
  const page = await desktop.nextPage()
  await page.send({ action: 'continue', pin: TOKEN_PIN })
  const { status, body } = await asked
  if (status !== 201) throw new Error(`No session: ${status} ${JSON.stringify(body)}.`)
  return body as { readonly sessionId: string }
}
