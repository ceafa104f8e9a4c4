import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@chancela/service-kernel/clock'
import { openBrowser } from '@chancela/testkit/browser'
import { cachedKeys, openDemoPki } from '@chancela/testkit/demo-pki'
import { freePort } from '@chancela/testkit/tools'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { DemoFile } from './demo-file.ts'
import type { SuiteView } from './home/contract.ts'

describe('npm start', () => {
  test('prints the table, writes data/demo.json, and every health route answers', async () => {
    const demo = await startDemo(await preparedFolder())
    expect(demo.output()).toMatch(/service +base URL +reference +demo key/)
    const file = demo.file()
    expect(Object.keys(file.services)).toEqual([
      'demo-pki',
      'demo-cloud',
      'batch-signer',
      'batch-signer-compact',
      'cloud-hub-console',
      'cloud-hub',
      'document-platform',
      'session-server-console',
      'session-server',
      'home',
    ])
    const view = (await (await fetch(`${file.services.home!.baseUrl}/api/suite`)).json()) as SuiteView
    const running = view.services.filter(({ healthUrl }) => healthUrl !== undefined)
    expect(running.map(({ name }) => name).toSorted()).toEqual(Object.keys(file.services).toSorted())
    for (const { healthUrl } of running)
      expect([healthUrl, await (await fetch(healthUrl!)).json()]).toEqual([healthUrl, { healthy: true, status: 'OK' }])
    expect(file.trustAnchors && existsSync(file.trustAnchors)).toBe(true)
    expect(file.holders.length).toBeGreaterThanOrEqual(3)
    for (const holder of file.holders) expect(existsSync(holder.pkcs12)).toBe(true)
  })

  test('signs what is dropped into its folder, and lists the folders in data/demo.json', async () => {
    const demo = await startDemo(await preparedFolder())
    const { inputFolder, outputFolder } = demo.file().services['batch-signer']!
    copyFileSync(join(demo.folder, 'demo', 'samples', 'contrato.pdf'), join(inputFolder!, 'contrato.pdf'))
    const signed = join(outputFolder!, 'contrato.signed.pdf')
    await expect.poll(() => existsSync(signed), patient).toBe(true)
    await expect.poll(() => existsSync(join(inputFolder!, 'contrato.pdf')), patient).toBe(false)
  })

  test('signs under a session of a holder in its vault', async () => {
    const demo = await startDemo(await preparedFolder())
    const { services, holders } = demo.file()
    const { baseUrl, apiKey } = services['session-server']!
    const { cpf, pin } = holders[0]!
    const call = async (method: string, path: string, body?: BodyInit, type?: string) =>
      fetch(`${baseUrl}/v1${path}`, {
        method,
        headers: { 'X-API-Key': apiKey!, ...(type && { 'Content-Type': type }) },
        ...(body && { body }),
      })
    const opened = await call('POST', '/sessions', JSON.stringify({ cpf, pin }), 'application/json')
    expect(opened.status).toBe(201)
    const form = new FormData()
    form.set('sessionId', ((await opened.json()) as { sessionId: string }).sessionId)
    const contract = readFileSync(join(demo.folder, 'demo', 'samples', 'contrato.pdf'))
    form.set('document', new Blob([new Uint8Array(contract)]), 'contrato.pdf')
    const accepted = await call('POST', '/signatures', form)
    const { signatureId } = (await accepted.json()) as { signatureId: string }
    await expect.poll(async () => (await call('GET', `/signatures/${signatureId}/document`)).status, patient).toBe(200)
  })

  test('lets a person authorize with a cloud certificate, and shows the session at its return page', async () => {
    const demo = await startDemo(await preparedFolder())
    const { services, holders } = demo.file()
    const { baseUrl, apiKey, platformKey, redirectUri } = services['cloud-hub']!
    const call = async (path: string, body: object, key = apiKey) => {
      const headers = { 'X-Api-Key': key!, 'Content-Type': 'application/json' }
      return fetch(`${baseUrl}/api/sessions${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    }
    // The document platform sends its users there, too.
    const ofPlatform = { redirectUri: 'http://localhost:8085/cloud-return?signing=1', discover: false }
    expect((await call('/chooser', ofPlatform, platformKey)).status).toBe(200)
    const browser = await openBrowser()
    onTestFinished(() => browser.close())
    for (const name of ['NuvemDemo', 'NuvemDemoCSC']) {
      const created = await call(`/services/${name}`, { redirectUri })
      expect(created.status).toBe(200)
      const { authUrl } = (await created.json()) as { authUrl: string }
      const { page, errors, policyViolations, outsideRequests } = await browser.newPage()
      await page.goto(authUrl)
      await page.getByLabel('CPF or CNPJ').fill(holders[0]!.cpf)
      await page.getByLabel('PIN').fill(holders[0]!.pin)
      await page.getByRole('button', { name: 'Continue' }).click()
      // CSC asks twice: who the holder is, then what may be signed.
      while (!page.url().startsWith(redirectUri!)) {
        const button = page.getByRole('button', { name: 'Approve' })
        await button.waitFor(patient)
        const here = page.url()
        await button.click()
        await page.waitForURL((url) => url.href !== here, patient)
      }
      await page.getByRole('heading', { name: 'Back from the provider' }).waitFor()
      const session = await page.locator('pre').first().innerText()
      const hash = Buffer.alloc(32).toString('base64')
      expect((await call('/sign-hash', { session, hash, digestAlgorithm: 'SHA-256' })).status).toBe(200)
      expect([errors, policyViolations, outsideRequests()]).toEqual([[], [], []])
    }
  })

  test('comes back after a kill with the same keys and the certificates it had issued', async () => {
    const folder = await preparedFolder()
    const first = await startDemo(folder)
    const issued = await askPki(first, 'POST', '/api/people', { name: 'Ana Teste', cpf: '52998224725', password: '1' })
    expect(issued.status).toBe(201)
    await first.end('SIGKILL')

    const second = await startDemo(folder)
    for (const name of ['demo-pki', 'batch-signer', 'cloud-hub', 'document-platform', 'session-server'])
      expect(second.file().services[name]?.apiKey).toBe(first.file().services[name]?.apiKey)
    expect(second.file().services['cloud-hub']).toEqual(first.file().services['cloud-hub'])
    const { json } = await askPki(second, 'GET', '/api/certificates')
    expect((json as { label: string }[]).map(({ label }) => label)).toContain('ana-teste')
  })

  test('stops everything at Ctrl+C, answering what runs first, and frees the folder', async () => {
    const demo = await startDemo(await preparedFolder())
    await askPki(demo, 'PUT', '/api/faults/crl', { kind: 'late', delayMs: 700, times: 1 })
    const late = fetch(`${demo.file().services['demo-pki']!.baseUrl}/crl/level-2.crl`)
    await expect.poll(async () => (await askPki(demo, 'GET', '/api/faults')).json).toEqual({})
    expect(await demo.end('SIGINT')).toBe(0)
    expect((await late).status).toBe(200)
    expect(existsSync(join(demo.folder, 'demo.pid'))).toBe(false)
  })

  test('starts a part with --only, and refuses a service that is not built yet', async () => {
    const demo = await startDemo(await preparedFolder(), ['--only', 'home'])
    expect(Object.keys(demo.file().services)).toEqual(['home'])
    const view = (await (await fetch(`${demo.file().services.home!.baseUrl}/api/suite`)).json()) as SuiteView
    expect(view.services.find(({ name }) => name === 'demo-pki')?.state).toBe('stopped')
    expect(view.services.find(({ name }) => name === 'credential-platform')?.state).toBe('not-built')

    const refused = await failingDemo(temporaryFolder(), ['--only', 'pki-core,credential-platform'])
    expect(refused).toMatch(
      /^pki-core and credential-platform are not part of this build yet; this build has demo-pki, demo-cloud, batch-signer, cloud-hub, document-platform, session-server, home\.$/m,
    )
    expect(await failingDemo(temporaryFolder(), ['--only', 'demo-cloud'])).toContain('--only demo-pki,demo-cloud')
  })

  test('begins anew with --fresh', async () => {
    const folder = temporaryFolder()
    const first = await startDemo(folder, ['--only', 'home'])
    await first.end('SIGINT')
    writeFileSync(join(folder, 'left-over'), '')
    const second = await startDemo(folder, ['--only', 'home', '--fresh'])
    expect(existsSync(join(folder, 'left-over'))).toBe(false)
    await second.end('SIGINT')
  })

  test('refuses a folder another demo uses, without touching it', async () => {
    const demo = await startDemo(temporaryFolder(), ['--only', 'home'])
    const output = await failingDemo(demo.folder, ['--only', 'home', '--fresh'])
    expect(output).toContain('already running')
    expect(demo.file().services.home).toBeDefined()
  })
})

describe('a start that cannot be', () => {
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
    const folder = await preparedFolder()
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
    // The kernel's full device stands in for the disk: every write to it fails as on a full one.
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

describe('the home page', () => {
  test('shows what runs, in a browser, without a request to anywhere else', async () => {
    const demo = await startDemo(await preparedFolder())
    const browser = await openBrowser()
    onTestFinished(() => browser.close())
    const watched = await browser.newPage()
    await watched.page.goto(demo.file().services.home!.baseUrl)
    await watched.page.getByRole('heading', { level: 1 }).waitFor()
    await watched.page.getByRole('heading', { name: 'Demo PKI' }).waitFor()
    expect([watched.errors, watched.policyViolations, watched.outsideRequests()]).toEqual([[], [], []])
  })
})

// Certificates carry the address they are served at, so that all prepared folders share one port, one demo at a time.
/** Machines may be slow. */
const patient = { timeout: 100_000 }

let ports: { pki: number; cloud: number; hub: number; home: number }
beforeAll(async () => {
  ports = { pki: await freePort(), cloud: await freePort(), hub: await freePort(), home: await freePort() }
})

/** A data folder whose PKI is there already, with keys the whole test run shares: making RSA-4096 keys takes seconds. */
async function preparedFolder(): Promise<string> {
  const folder = temporaryFolder()
  await openDemoPki(join(folder, 'demo-pki', 'pki'), {
    baseUrl: `http://localhost:${ports.pki}`,
    clock: systemClock,
    keys: cachedKeys(),
  })
  return folder
}

interface Demo {
  readonly folder: string
  output(): string
  file(): DemoFile
  end(signal: NodeJS.Signals): Promise<number | null>
}

async function startDemo(folder: string, args: readonly string[] = []): Promise<Demo> {
  const { child, output, exit } = launch(folder, args)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exit
  })
  await Promise.race([
    expect.poll(output, patient).toContain('Ctrl+C stops everything'),
    exit.then((code) => Promise.reject(new Error(`The demo ended with ${code}:\n${output()}`))),
  ])
  return {
    folder,
    output,
    file: () => JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as DemoFile,
    end: (signal) => {
      child.kill(signal)
      return exit
    },
  }
}

/** Runs a demo that must not start; its whole output. */
async function failingDemo(
  folder: string,
  args: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<string> {
  const { output, exit } = launch(folder, args, environment)
  expect(await exit).toBe(1)
  return output()
}

// Compiled, as `npm start` runs it: from source a process takes seconds to load.
const program = `import { runDemo } from ${JSON.stringify(join(import.meta.dirname, '../dist/main.js'))}; process.exitCode = await runDemo(process.argv.slice(1))`

function launch(folder: string, args: readonly string[], environment: Record<string, string> = {}) {
  const node = ['--input-type=module', '--eval', program, '--']
  const child: ChildProcess = spawn(process.execPath, [...node, '--data', folder, ...args], {
    env: {
      ...process.env,
      CHANCELA__DEMO_PKI__HTTP__PORT: String(ports.pki),
      CHANCELA__DEMO_CLOUD__HTTP__PORT: String(ports.cloud),
      CHANCELA__CLOUD_HUB__HTTP__PORT: String(ports.hub),
      CHANCELA__CLOUD_HUB__HTTP__PUBLICURL: `http://localhost:${ports.hub}`,
      CHANCELA__CLOUD_HUB__CONSOLE__PORT: '0',
      CHANCELA__HOME__HTTP__PORT: String(ports.home),
      // Nobody needs to know these before they are taken.
      CHANCELA__BATCH_SIGNER__HTTP__PORT: '0',
      CHANCELA__BATCH_SIGNER__COMPACT__PORT: '0',
      CHANCELA__DOCUMENT_PLATFORM__HTTP__PORT: '0',
      CHANCELA__HOME__MAILBOX__PORT: '0',
      ...environment,
    },
  })
  const chunks: string[] = []
  child.stdout?.on('data', (chunk) => chunks.push(String(chunk)))
  child.stderr?.on('data', (chunk) => chunks.push(String(chunk)))
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, output: () => chunks.join(''), exit }
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

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chancela-demo-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function busyPort(): Promise<{ port: number; server: Server }> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as { port: number }).port, server }
}
