import { spawn } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder } from '@chancela/testkit/tools'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Demo, type DemoPorts, freePorts, preparedFolder, settingsFor, startDemo } from '../test/demo-process.ts'
import type { DemoFile } from './demo-file.ts'
import type { SuiteView } from './home/contract.ts'
import { runDemo } from './main.ts'

describe('npm start', () => {
  test('comes back after a kill with the same keys and the certificates it had issued', async () => {
    const folder = preparedCopy()
    const first = await start(folder)
    const issued = await askPki(first, 'POST', '/api/people', { name: 'Ana Teste', cpf: '52998224725', password: '1' })
    expect(issued.status).toBe(201)
    await first.end('SIGKILL')

    const second = await start(folder)
    const taking = ['demo-pki', 'batch-signer', 'cloud-hub', 'credential-platform', 'document-platform', 'pki-core']
    for (const name of [...taking, 'session-server'])
      expect(second.file().services[name]?.apiKey).toBe(first.file().services[name]?.apiKey)
    for (const name of ['cloud-hub', 'session-server']) {
      expect(second.file().services[name]).toEqual(first.file().services[name])
      // Keys of services on whose pages people sign in the cloud and with tokens.
      for (const key of ['platformKey', 'credentialsKey', 'coreKey'])
        expect(second.file().services[name]?.[key]).toEqual(expect.any(String))
    }
    const { json } = await askPki(second, 'GET', '/api/certificates')
    expect((json as { label: string }[]).map(({ label }) => label)).toContain('ana-teste')
  })

  test('stops everything at Ctrl+C, answering what runs first, and frees the folder', async () => {
    const demo = await start(preparedCopy())
    await askPki(demo, 'PUT', '/api/faults/crl', { kind: 'late', delayMs: 700, times: 1 })
    const late = fetch(`${demo.file().services['demo-pki']!.baseUrl}/crl/level-2.crl`)
    await expect.poll(async () => (await askPki(demo, 'GET', '/api/faults')).json).toEqual({})
    expect(await demo.end('SIGINT')).toBe(0)
    expect((await late).status).toBe(200)
    expect(existsSync(join(demo.folder, 'demo.pid'))).toBe(false)
  })

  test('starts a part with --only, and refuses a service that there is not', async () => {
    const folder = temporaryFolder()
    const looked = async () => {
      const { services } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as DemoFile
      expect(Object.keys(services)).toEqual(['home'])
      const { baseUrl } = services.home!
      const view = (await (await fetch(`${baseUrl}/api/suite`)).json()) as SuiteView
      expect(view.services.find(({ name }) => name === 'demo-pki')?.state).toBe('stopped')
      expect(view.services.find(({ name }) => name === 'credential-platform')?.state).toBe('stopped')
      // The view names the services that are missing.
      expect(view.walk.missing).toEqual(['document-platform', 'demo-pki'])
      const begun = await fetch(`${baseUrl}/api/walks`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ language: 'pt-BR' }),
      })
      expect([begun.status, await begun.json()]).toEqual([409, expect.objectContaining({ code: 'walk.not-ready' })])
    }
    expect(await demoHere(folder, ['--only', 'home'], { untilStopped: looked })).toMatchObject({ code: 0 })

    const refused = await failingDemo(temporaryFolder(), ['--only', 'notary'])
    expect(refused).toMatch(
      /^notary is unknown; this build has demo-pki, demo-cloud, batch-signer, cloud-hub, document-platform, credential-platform, pki-core, session-server, home\.$/m,
    )
    expect(await failingDemo(temporaryFolder(), ['--only', 'demo-cloud'])).toContain('--only demo-pki,demo-cloud')
  })

  test('begins anew with --fresh, and only with it', async () => {
    const folder = temporaryFolder()
    const leftOver = join(folder, 'left-over')
    writeFileSync(leftOver, '')
    expect(await demoHere(folder, ['--only', 'home'])).toMatchObject({ code: 0 })
    expect(existsSync(leftOver)).toBe(true)
    expect(await demoHere(folder, ['--only', 'home', '--fresh'])).toMatchObject({ code: 0 })
    expect([existsSync(leftOver), existsSync(join(folder, 'demo.json'))]).toEqual([false, true])
  })

  test('makes a password for each installation, which stays, opens its consoles, and is printed', async () => {
    const [folder, other] = [temporaryFolder(), temporaryFolder()]
    const passwordIn = (one: string) => readFileSync(join(one, 'demo-password'), 'utf8')
    const signIn = async () => {
      const { services } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as DemoFile
      const { baseUrl, userEmail: email, userPassword: password } = services['cloud-hub-console']!
      const headers = { 'content-type': 'application/json' }
      const signedIn = await fetch(`${baseUrl}/api/session`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ email, password }),
      })
      expect([signedIn.status, password]).toEqual([200, passwordIn(folder)])
    }
    const first = await demoHere(folder, ['--only', 'cloud-hub'], { untilStopped: signIn })
    const password = passwordIn(folder)
    expect(first).toMatchObject({ code: 0, output: expect.stringContaining(password) })
    expect(password).toMatch(/^[\w-]{16}$/)
    expect(statSync(join(folder, 'demo-password')).mode & 0o777).toBe(0o600)
    // As after a kill before the accounts were described.
    rmSync(join(folder, 'demo.json'))
    expect(await demoHere(folder, ['--only', 'cloud-hub'], { untilStopped: signIn })).toMatchObject({ code: 0 })
    expect(await demoHere(other, ['--only', 'cloud-hub'])).toMatchObject({ code: 0 })
    expect(passwordIn(other)).not.toBe(password)
  })

  test('refuses a folder another demo uses, without touching it', async () => {
    const folder = temporaryFolder()
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)', 'apps/demo'])
    onTestFinished(() => void other.kill())
    writeFileSync(join(folder, 'demo.pid'), String(other.pid))
    writeFileSync(join(folder, 'demo.json'), 'of the other')
    expect(await failingDemo(folder, ['--only', 'home', '--fresh'])).toContain('already running')
    expect(readFileSync(join(folder, 'demo.json'), 'utf8')).toBe('of the other')
  })
})

describe('a start that cannot be', () => {
  test.each([
    ['CHANCELA__COMMON__ENVIRONMENT', 'production', 'home Environment'],
    ['CHANCELA__HOME__ENVIRONMENT', 'production', 'home Environment'],
    ['CHANCELA__COMMON__HTTP__HOST', '0.0.0.0', 'home Http:Host'],
    ['CHANCELA__HOME__HTTP__HOST', '::', 'home Http:Host'],
    ['CHANCELA__HOME__HTTP__HOST', '192.168.0.7', 'home Http:Host'],
  ])('says in one sentence that nobody else may reach the demo: %s=%s', async (variable, value, setting) => {
    const output = await failingDemo(temporaryFolder(), ['--only', 'home'], { [variable]: value })
    expect(output.trim().split('\n')).toEqual([expect.stringContaining(setting)])
  })

  test('includes one whose console somebody else could reach', async () => {
    const exposed = { CHANCELA__SESSION_SERVER__CONSOLE__HOST: '0.0.0.0' }
    expect(await failingDemo(temporaryFolder(), ['--only', 'session-server'], exposed)).toContain(
      'session-server Console:Host',
    )
  })

  test('names the setting when a port is busy', async () => {
    const { port, server } = await busyPort()
    onTestFinished(() => void server.close())
    const output = await failingDemo(temporaryFolder(), ['--only', 'home'], {
      CHANCELA__HOME__HTTP__PORT: String(port),
    })
    expect(output.trim().split('\n')).toEqual([
      `Port ${port} is already in use by another program. Change the setting home Http:Port.`,
    ])
  })

  test('names the setting when a store is corrupt, and leaves the file as it is', async () => {
    const folder = preparedCopy()
    const store = join(folder, 'demo-pki', 'store.db')
    writeFileSync(store, 'this is no database, '.repeat(200))
    const output = await failingDemo(folder)
    expect(output).toContain('demo-pki Database:Url')
    expect(readFileSync(store, 'utf8')).toContain('this is no database')
  })

  test('names --data when the folder cannot be written', async () => {
    const file = join(temporaryFolder(), 'a-file')
    writeFileSync(file, '')
    expect(await failingDemo(file)).toContain('choose another with --data')
  })

  test('says that the disk is full, without a stack', async () => {
    // /dev/full stands in for the disk: every write to it fails as on a full disk.
    const folder = temporaryFolder()
    symlinkSync('/dev/full', join(folder, 'demo.json.new'))
    const output = await failingDemo(folder, ['--only', 'home'])
    expect(output).toContain('is on a full disk')
    expect(output).not.toContain('    at ')
  })

  test('reports every wrong setting at once', async () => {
    const output = await failingDemo(temporaryFolder(), [], {
      CHANCELA__HOME__HTTP__PORT: 'x',
      CHANCELA__DEMO_PKI__HTTP__PROT: '1',
    })
    expect(output).toContain('home Http:Port')
    expect(output).toContain('CHANCELA__DEMO_PKI__HTTP__PROT')
  })

  test('answers an unknown option with the usage', async () => {
    expect(await failingDemo(temporaryFolder(), ['--sing'])).toContain('npm start [-- options]')
  })
})

// Certificates contain the address they are served at, so all prepared folders share one port, one demo at a time.
let ports: DemoPorts
let prepared: string
beforeAll(async () => {
  ports = await freePorts()
  prepared = await preparedFolder(ports)
})
afterAll(() => rmSync(prepared, { recursive: true, force: true }))

/** A copy of the folder whose PKI exists already. */
function preparedCopy(): string {
  const folder = temporaryFolder()
  cpSync(prepared, folder, { recursive: true })
  return folder
}

async function start(folder: string): Promise<Demo> {
  const demo = await startDemo(folder, ports)
  onTestFinished(async () => void (await demo.end('SIGKILL')))
  return demo
}

interface Here {
  readonly environment?: Readonly<Record<string, string>>
  /** Runs while the demo is up, before it stops. */
  readonly untilStopped?: () => Promise<void>
}

/** The demo in this process: a new process would take seconds to load and do the same. */
async function demoHere(folder: string, args: readonly string[], { environment, untilStopped }: Here = {}) {
  for (const [name, value] of Object.entries({ ...settingsFor(ports), ...environment })) vi.stubEnv(name, value)
  const told: string[] = []
  const hear = (line: string) => void told.push(line)
  const host = { log: hear, print: hear, untilStopped: untilStopped ?? (async () => {}) }
  return { code: await runDemo(['--data', folder, ...args], host), output: told.join('\n') }
}

/** Runs a demo that must not start, and returns its whole output. */
async function failingDemo(folder: string, args: readonly string[] = [], environment: Here['environment'] = {}) {
  const { code, output } = await demoHere(folder, args, { environment })
  expect(code).toBe(1)
  return output
}

async function askPki(demo: Demo, method: string, path: string, body?: unknown) {
  const { baseUrl, apiKey = '' } = demo.file().services['demo-pki']!
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { 'x-api-key': apiKey, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, json: (await response.json()) as unknown }
}

async function busyPort(): Promise<{ port: number; server: Server }> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as { port: number }).port, server }
}
