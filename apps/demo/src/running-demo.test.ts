// What a person finds in the first minutes: one demo and one browser for all of it.
import { execFile } from 'node:child_process'
import { sign } from 'node:crypto'
import { copyFileSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openPkcs12 } from '@chancela/signature-engine/keys'
import { openBrowser, type PageOptions, type TestBrowser, type WatchedPage } from '@chancela/testkit/browser'
import { temporaryFolder } from '@chancela/testkit/tools'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Demo, type DemoPorts, freePorts, preparedFolder, startDemo } from '../test/demo-process.ts'
import { forecastOf } from '../test/official-forecast.ts'
import type { HolderView, SuiteView } from './home/contract.ts'

type Page = WatchedPage['page']

let ports: DemoPorts
let demo: Demo
let browser: TestBrowser
beforeAll(async () => {
  ports = await freePorts()
  demo = await startDemo(await preparedFolder(ports), ports)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await demo?.end('SIGKILL')
  if (demo) rmSync(demo.folder, { recursive: true, force: true })
})

describe('npm start', () => {
  test('prints the table, writes data/demo.json, and everything that answers says it is well', async () => {
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
      'credential-platform',
      'pki-core-console',
      'pki-core',
      'session-server-console',
      'session-server',
      'home',
    ])
    const running = (await suite()).services.filter(({ healthUrl }) => healthUrl !== undefined)
    expect(running.map(({ name }) => name).toSorted()).toEqual(Object.keys(file.services).toSorted())
    expect(running.filter(({ state, checks }) => state !== 'running' || checks.some(({ ok }) => !ok))).toEqual([])
    for (const { healthUrl } of running)
      expect([healthUrl, await (await fetch(healthUrl!)).json()]).toEqual([healthUrl, { healthy: true, status: 'OK' }])
    expect(file.trustAnchors && existsSync(file.trustAnchors)).toBe(true)
    expect(file.holders.length).toBeGreaterThanOrEqual(3)
    for (const holder of file.holders) expect(existsSync(holder.pkcs12)).toBe(true)
  })

  test('signs what is dropped into its folder, and lists the folders in data/demo.json', async () => {
    const { inputFolder, outputFolder } = demo.file().services['batch-signer']!
    copyFileSync(join(demo.folder, 'demo', 'samples', 'contrato.pdf'), join(inputFolder!, 'contrato.pdf'))
    const signed = join(outputFolder!, 'contrato.signed.pdf')
    await expect.poll(() => existsSync(signed)).toBe(true)
    await expect.poll(() => existsSync(join(inputFolder!, 'contrato.pdf'))).toBe(false)
    expect(await forecast(readFileSync(signed))).toMatchObject(approved)
  })

  test('signs under a session of a holder in its vault', async () => {
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
    await expect.poll(async () => (await call('GET', `/signatures/${signatureId}/document`)).status).toBe(200)
    const document = await (await call('GET', `/signatures/${signatureId}/document`)).arrayBuffer()
    expect(await forecast(Buffer.from(document))).toMatchObject(approved)
  })

  test('signs at the PKI core with the key of a holder', async () => {
    const { services, holders } = demo.file()
    const { baseUrl, apiKey } = services['pki-core']!
    const call = async (path: string, body: object) => {
      const headers = { 'X-Api-Key': apiKey!, 'Content-Type': 'application/json' }
      return (
        await fetch(`${baseUrl}/api/signature${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      ).json()
    }
    const { privateKey, certificate } = await openPkcs12(readFileSync(holders[0]!.pkcs12), holders[0]!.pin)
    const content = readFileSync(join(demo.folder, 'demo', 'samples', 'contrato.pdf')).toString('base64')
    const named = { content: certificate.der.toString('base64') }
    const begun = await call('', { file: { name: 'contrato.pdf', content }, certificate: named })
    const signature = sign('sha256', Buffer.from(begun.toSign.data, 'base64'), privateKey).toString('base64')
    const { signedFile } = await call('/completion', { state: begun.state, signature })
    expect(await forecast(Buffer.from(await (await fetch(signedFile.url)).arrayBuffer()))).toMatchObject(approved)
  })

  test('signs for its university, whose certificate the demo PKI issued', async () => {
    const { baseUrl, apiKey, instituteId } = demo.file().services['credential-platform']!
    const lists = `${baseUrl}/api/institutes/${instituteId}/cancellation-lists`
    const headers = { 'X-Api-Key': apiKey! }
    expect((await fetch(lists, { method: 'POST', headers })).status).toBe(201)
    const statuses = async () => {
      const { items } = (await (await fetch(lists, { headers })).json()) as { items: { status: string }[] }
      return items.map(({ status }) => status)
    }
    await expect.poll(statuses).toEqual(['Signed'])
  })

  test('authenticates a holder at the PKI core with the command of its card', async () => {
    const { curl } = (await suite()).services.find(({ name }) => name === 'pki-core')!
    const folder = temporaryFolder()
    symlinkSync(demo.folder, join(folder, 'data'))
    const { command } = curl.find(({ command }) => command.includes('completion'))!
    const { stdout } = await promisify(execFile)('bash', ['-ec', command], { cwd: folder })
    expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toMatchObject({
      success: true,
      certificate: { subjectDisplayName: 'ANA BEATRIZ SOUZA' },
    })
  })

  test('offers a person in a signature session the cloud and tokens', async () => {
    const { baseUrl, apiKey } = demo.file().services['pki-core']!
    const headers = { 'X-Api-Key': apiKey!, 'Content-Type': 'application/json' }
    const created = await fetch(`${baseUrl}/api/signature-sessions`, { method: 'POST', headers, body: '{}' })
    const { redirectUrl } = (await created.json()) as { redirectUrl: string }
    const token = new URL(redirectUrl).searchParams.get('token')!
    const page = await fetch(`${baseUrl}/api/signature-session`, { headers: { 'X-Signature-Session-Token': token } })
    expect(await page.json()).toMatchObject({ allowCloudCertificate: true, allowToken: true })
  })

  test('lets a person authorize with a cloud certificate, and shows the session at its return page', async () => {
    const { services, holders } = demo.file()
    const { baseUrl, apiKey, platformKey, credentialsKey, coreKey, redirectUri } = services['cloud-hub']!
    const call = async (path: string, body: object, key = apiKey) => {
      const headers = { 'X-Api-Key': key!, 'Content-Type': 'application/json' }
      return fetch(`${baseUrl}/api/sessions${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    }
    // The two platforms and the PKI core redirect people there, too.
    for (const [name, key] of [
      ['document-platform', platformKey],
      ['credential-platform', credentialsKey],
      ['pki-core', coreKey],
    ] as const) {
      const back = { redirectUri: `${services[name]!.baseUrl}/cloud-return?signing=1`, discover: false }
      expect((await call('/chooser', back, key)).status).toBe(200)
    }
    for (const name of ['NuvemDemo', 'NuvemDemoCSC']) {
      const created = await call(`/services/${name}`, { redirectUri })
      expect(created.status).toBe(200)
      const page = await newPage({ locale: 'en-US', width: 1280 })
      await page.goto(((await created.json()) as { authUrl: string }).authUrl)
      await authorize(page, holders[0]!, redirectUri!)
      await page.getByRole('heading', { name: 'Back from the provider' }).waitFor()
      const session = await page.locator('pre').first().innerText()
      const hash = Buffer.alloc(32).toString('base64')
      expect((await call('/sign-hash', { session, hash, digestAlgorithm: 'SHA-256' })).status).toBe(200)
    }
  })
})

/** Who looks: both languages and both widths. */
const visitors = [
  { locale: 'en-US', width: 1280 },
  { locale: 'pt-BR', width: 1280 },
  { locale: 'en-US', width: 390 },
  { locale: 'pt-BR', width: 390 },
] as const

type Visitor = Pick<(typeof visitors)[number], 'locale' | 'width'>

describe('the home page', () => {
  test.each(visitors)(
    'is true: nothing degraded, every link answers, for $locale at $width pixels',
    async (visitor) => {
      const page = await openHome(visitor)
      const { services } = await suite()
      await page.getByText(services[0]!.summary[visitor.locale]).first().waitFor()
      expect(await page.locator('[data-state="degraded"]').count()).toBe(0)
      expect(await page.getByText(/needs? attention|pedem? atenção/).count()).toBe(0)
      expect(await widthOf(page)).toBe(visitor.width)
      const links = await page.getByRole('link').evaluateAll(addressesOf)
      expect(links.length).toBeGreaterThan(35)
      for (const address of new Set(links.map((link) => link.replace(/#.*/, '')))) {
        const answer = (await page.goto(address, { waitUntil: 'commit' }))!
        const type = /\/(health|v1\.json)$/.test(address) ? 'application/json' : 'text/html'
        expect([address, answer.status(), answer.headers()['content-type']]).toEqual([
          address,
          200,
          `${type}; charset=utf-8`,
        ])
      }
    },
  )

  // The other services have pages and page tests of their own.
  const plain = ['session-server', 'cloud-hub', 'pki-core', 'batch-signer-compact', 'demo-pki', 'demo-cloud']

  test.each([visitors[0], visitors[3]])('leads to what a service is, for $locale at $width pixels', async (visitor) => {
    const page = await newPage({ ...visitor, colorScheme: visitor.width === 390 ? 'dark' : 'light' })
    const { services } = await suite()
    for (const { title, baseUrl, healthUrl } of services.filter(({ name }) => plain.includes(name))) {
      await page.goto(baseUrl)
      expect(await page.locator('h1').textContent()).toBe(title[visitor.locale])
      expect(await page.getByRole('main').getByRole('link').evaluateAll(addressesOf)).toContain(healthUrl)
      expect([baseUrl, await widthOf(page)]).toEqual([baseUrl, visitor.width])
    }
    const other = visitor.locale === 'pt-BR' ? 'English' : 'Português'
    await page.getByRole('link', { name: other }).click()
    await page.waitForURL(/\?lang=/)
    expect(await page.locator('html').getAttribute('lang')).not.toBe(visitor.locale)
  })
})

describe('an address where nothing is', () => {
  // Each part of the suite has addresses that people mistype: beside its pages, and beside its API.
  const mistyped = ['/nope', '/login/nope', '/approvals/nope', '/dashboard', '/documents/a/b', '/%zz']
  // One part alone is a verification code there, and has a page that says that nothing was found.
  const isCode = (name: string, path: string) => name === 'credential-platform' && /^\/\w+$/.test(path)

  test.each(visitors.slice(0, 2))('is a page of every part, for $locale, with a way back', async (visitor) => {
    const page = await newPage({ ...visitor, provoked: /status of 404/ })
    const title = visitor.locale === 'pt-BR' ? 'Esta página não existe' : 'There is no such page'
    const back = visitor.locale === 'pt-BR' ? 'Ir para a primeira página' : 'Go to the first page'
    for (const [name, { baseUrl }] of Object.entries(demo.file().services)) {
      for (const path of mistyped.filter((one) => !isCode(name, one))) {
        const answer = (await page.goto(baseUrl + path))!
        const { 'content-type': type } = answer.headers()
        expect([name, path, answer.status(), type]).toEqual([name, path, 404, 'text/html; charset=utf-8'])
        expect([name, path, await page.locator('h1').textContent()]).toEqual([name, path, title])
      }
      expect([name, await widthOf(page)]).toEqual([name, visitor.width])
      await page.goto(`${baseUrl}/deep/er/nope`)
      await page.getByRole('link', { name: back }).click()
      await page.waitForURL((url) => !url.pathname.startsWith('/deep'))
      await page.locator('h1').first().waitFor()
      expect([name, await page.locator('h1').count()]).toEqual([name, 1])
    }
  })
})

describe('the walk through a signature', () => {
  test('leads a person from the button by the e-mail and the provider to a valid signature', async () => {
    const page = await openHome({ locale: 'pt-BR', width: 390 })
    await page.getByRole('button', { name: 'Assinar um documento agora' }).click()
    const letter = await popup(page, () => page.getByRole('link', { name: 'Ler o e-mail' }).click())
    const signing = await popup(letter, () =>
      letter.frameLocator('iframe').getByRole('link', { name: 'Ler e assinar' }).click(),
    )
    await signing.getByText('Certificado em nuvem').click()
    await signInTheCloud(signing, 'Assinar com certificado em nuvem')
    await signing.getByRole('heading', { name: 'Você assinou o documento' }).waitFor()
    await page.getByText('A assinatura é válida').waitFor()
    expect(await widthOf(page)).toBe(390)
    await page.reload()
    await page.getByText('A assinatura é válida').waitFor()
    await page.getByText('ANA BEATRIZ SOUZA', { exact: true }).waitFor()
  })

  test('leads from its page straight to the signature, and gives the signed PDF away', async () => {
    const page = await openHome({ locale: 'en-US', width: 1280 })
    await page.getByRole('button', { name: 'Sign a document now' }).click()
    const signing = await popup(page, () => page.getByRole('link', { name: 'Open the contract and sign' }).click())
    await signInTheCloud(signing, 'Sign with a cloud certificate')
    await page.getByText('The signature is valid').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the signed PDF' }).click(),
    ])
    const signed = readFileSync(await download.path())
    expect(signed.toString('latin1')).toMatch(/^%PDF-.*\/ETSI\.CAdES\.detached/s)
    expect(await forecast(signed)).toMatchObject(approved)
    const verified = await popup(page, () => page.getByRole('link', { name: 'Verify it at the platform' }).click())
    await verified.getByText('ANA BEATRIZ SOUZA').first().waitFor()
  })

  test('of a document nobody knows is not found', async () => {
    const { baseUrl } = demo.file().services.home!
    const answer = await fetch(`${baseUrl}/api/walks/0199a0f2-7c3e-7d11-9f39-1a2b3c4d5e6f`)
    expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ code: 'walk.not-found' })])
  })
})

const forecast = (pdf: Uint8Array) => forecastOf(pdf, demo.file().trustAnchors!)

/** Remarks may go with it: a signature without a policy, where nobody asked for one. */
const approved = { signatures: 1, outcome: 'aprovada' }

const suite = async (): Promise<SuiteView> =>
  (await fetch(`${demo.file().services.home!.baseUrl}/api/suite`)).json() as Promise<SuiteView>

interface PageVisitor extends Visitor, Pick<PageOptions, 'colorScheme'> {
  /** Errors of the browser that the test means to bring about. */
  readonly provoked?: RegExp
}

/** A page in a browser context of its own. The test fails on any unexpected error or foreign request. */
async function newPage({ width, provoked, ...options }: PageVisitor): Promise<Page> {
  const watched = await browser.newPage({ ...options, viewport: { width, height: 900 } })
  const { page, errors, requests, policyViolations, outsideRequests } = watched
  onTestFinished(async () => {
    await page.context().close()
    // A page that asks who is signed in gets 401 for an anonymous visitor, one that asks for the customer's logo 404.
    let logos = requests.filter((address) => address.endsWith('/branding/customer-logo')).length
    const isExpected = (error: string) =>
      provoked?.test(error) || /status of 401/.test(error) || (/status of 404/.test(error) && logos-- > 0)
    const unexpected = errors.filter((error) => !isExpected(error))
    expect([unexpected, policyViolations, outsideRequests()]).toEqual([[], [], []])
  })
  return page
}

async function openHome(visitor: Visitor): Promise<Page> {
  const page = await newPage(visitor)
  await page.goto(demo.file().services.home!.baseUrl)
  await page.locator('#services').waitFor()
  return page
}

/** Where links lead. Runs in the page. */
const addressesOf = (links: Element[]) => links.map((link) => (link as HTMLAnchorElement).href)

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

/** What opens in a tab of its own. */
async function popup(page: Page, open: () => Promise<void>): Promise<Page> {
  const [opened] = await Promise.all([page.context().waitForEvent('page'), open()])
  return opened
}

/** From the page of the participant to the provider and back. */
async function signInTheCloud(signing: Page, button: string): Promise<void> {
  await signing.getByRole('button', { name: button }).click()
  await signing.getByRole('link', { name: /^NuvemDemo Nuvem/ }).click()
  await signing.getByLabel('PIN').waitFor()
  await authorize(signing, demo.file().holders[0]!, demo.file().services['document-platform']!.baseUrl)
}

/** Logs in at the provider and approves its requests, until it redirects the holder back. */
async function authorize(page: Page, { cpf, pin }: HolderView, back: string): Promise<void> {
  await page.getByLabel(/^CPF/).fill(cpf)
  await page.getByLabel('PIN').fill(pin)
  await page.locator('main[data-step="login"] button').first().click()
  // CSC asks twice: who the holder is, then what may be signed.
  while (!page.url().startsWith(back)) {
    const approve = page.locator('button[value="approve"]')
    await approve.waitFor()
    const here = page.url()
    await approve.click()
    await page.waitForURL((url) => url.href !== here)
  }
}
