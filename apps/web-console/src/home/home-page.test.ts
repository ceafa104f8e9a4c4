import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServiceView, SuiteView, WalkView } from '@chancela/demo/contract'
import { openBrowser, type PageOptions, type TestBrowser, type WatchedPage } from '@chancela/testkit/browser'
import { builtPages } from '@chancela/testkit/pages'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type BundleServer, serveBundle } from '../../test/bundle-server.ts'
import { sampleSuite } from '../../test/sample-suite.ts'
import { arrivedWalk, sampleWalk } from '../../test/sample-walk.ts'

let folder: string
let browser: TestBrowser
let server: BundleServer
let current: WatchedPage | undefined
/** Console errors that a test provokes on purpose. */
let provoked: RegExp | undefined

beforeAll(async () => {
  folder = await builtPages('home')
  browser = await openBrowser()
})

afterAll(() => browser.close())

beforeEach(async () => {
  provoked = undefined
  server = await serveBundle(folder, sampleSuite())
})

// Every test ends with these checks: no console error, no policy violation, no request to another origin.
afterEach(async () => {
  await leave()
  await server.stop()
})

describe('services', () => {
  test('each has a card with its title, its sentence, its address and its state in words', async () => {
    const page = await open()
    const words = { running: 'Running', degraded: 'Degraded', stopped: 'Stopped', 'not-built': 'Not built yet' }
    for (const service of sampleSuite().services) {
      const text = await card(page, service).innerText()
      expect(text).toContain(service.summary['en-US'])
      expect(text).toContain(service.baseUrl)
      expect(text).toContain(words[service.state])
    }
  })

  test('the summary counts those that run and names the version and the start', async () => {
    const page = await open({ prepare: (page) => inTimeZone(page, 'America/Sao_Paulo') })
    const summary = page.locator('main dl').first()
    expect(oneLine(await summary.innerText())).toContain(
      'Running 5 of 7 1 needs attention 1 more to come Version 0.1.0 Started Mar 2, 2026, 9:00 AM',
    )
  })

  test('readiness checks say which one is not ok', async () => {
    const page = await open()
    const checks = card(page, named('document-platform')).locator('dd').getByRole('listitem')
    expect((await checks.allInnerTexts()).map(oneLine)).toEqual(['database ok', 'storage not ok'])
  })

  test('links lead to what the service has, and to nothing else', async () => {
    const page = await open()
    const links = async (name: string) => {
      const found = await card(page, named(name)).getByRole('link').all()
      return Promise.all(found.map(async (link) => [await link.innerText(), await link.getAttribute('href')]))
    }
    expect(await links('session-server')).toEqual([
      ['http://localhost:8081', 'http://localhost:8081'],
      ['Reference', 'http://localhost:8081/scalar/v1'],
      ['OpenAPI', 'http://localhost:8081/openapi/v1.json'],
      ['Health', 'http://localhost:8081/health'],
    ])
    expect(await links('notary')).toEqual([])
    expect(await links('batch-signer')).toEqual([])
  })

  test('a stopped service says how to start it', async () => {
    const page = await open()
    await card(page, named('batch-signer')).getByRole('button', { name: 'Copy start command' }).click()
    await expect.poll(() => clipboard(page)).toBe('npm start -- --only batch-signer')
  })

  test('the demo key is hidden until asked for, and copied either way', async () => {
    const page = await open()
    const service = named('session-server')
    const shown = () => card(page, service).innerText()
    expect(await page.content()).not.toContain(service.apiKey)
    await card(page, service).getByRole('button', { name: 'Copy demo key of Signing session server' }).click()
    await expect.poll(() => clipboard(page)).toBe(service.apiKey)
    await card(page, service).getByRole('button', { name: 'Show demo key of Signing session server' }).click()
    expect(await shown()).toContain(service.apiKey)
    await card(page, service).getByRole('button', { name: 'Hide demo key of Signing session server' }).click()
    expect(await shown()).not.toContain(service.apiKey)
  })

  test('a command shows no key, and what is copied holds it', async () => {
    const page = await open()
    const service = named('session-server')
    const { title, command } = service.curl[0]!
    const what = `command: ${title['en-US']} (${service.title['en-US']})`
    await card(page, service).getByText('2 commands to try').click()
    await card(page, service)
      .getByRole('button', { name: `Copy ${what}` })
      .click()
    await expect.poll(() => clipboard(page)).toBe(command)
    expect(await page.content()).not.toContain(service.apiKey)
    await card(page, service)
      .getByRole('button', { name: `Show ${what}` })
      .click()
    expect(await card(page, service).innerText()).toContain(command)
  })

  test('a suite without services says so', async () => {
    server.answer = { ...sampleSuite(), services: [], holders: [] }
    const page = await open()
    for (const text of ['No service yet', 'No test holder']) await page.getByText(text).waitFor()
  })
})

describe('looking around', () => {
  const lookCard = (page: Page, title: string) =>
    page
      .locator('#look')
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: title, exact: true }) })

  test('every page for people has a link and what opens it, the password hidden until asked for', async () => {
    const page = await open()
    const { title, signIn } = named('session-server-console')
    const shown = lookCard(page, title['en-US'])
    expect(await shown.getByRole('link').getAttribute('href')).toBe(signIn!.url)
    expect(oneLine(await shown.innerText())).toContain(`E-mail ${signIn!.email}`)
    expect(await page.content()).not.toContain(signIn!.password)
    await shown.getByRole('button', { name: `Copy password for ${title['en-US']}` }).click()
    await expect.poll(() => clipboard(page)).toBe(signIn!.password)
    expect(await page.locator('#look').getByRole('heading', { level: 3 }).allTextContents()).toEqual([
      'Signing session server, console',
      'Document-signature platform',
      'Inbox',
      'Verify a document',
    ])
  })

  test('the inbox is on the page even when nothing else is', async () => {
    server.answer = { ...sampleSuite(), services: [], holders: [] }
    const page = await open()
    expect(await lookCard(page, 'Inbox').getByRole('link').getAttribute('href')).toBe('mail')
  })
})

describe('the walk through a signature', () => {
  const begin = (page: Page) => page.getByRole('button', { name: 'Sign a document now' })
  const steps = (page: Page) =>
    page.locator('main ol > li').evaluateAll((all) => all.map((step) => (step as HTMLElement).dataset.state))
  const visit = (walk: WalkView | undefined) => {
    if (walk) server.walk = walk
    return open({ path: `/walk?id=${sampleWalk().id}`, until: 'main h1' })
  }

  test('begins with one button, and its page comes back as it was when it is loaded again', async () => {
    server.walk = sampleWalk()
    const page = await open()
    await begin(page).click()
    await page.getByRole('heading', { name: 'A signature, from sending to verdict' }).waitFor()
    expect(page.url()).toBe(`${server.origin}/walk?id=${sampleWalk().id}`)
    await page.reload()
    await page.getByRole('heading', { name: 'The contract was sent' }).waitFor()
  })

  test('says which services it lacks where only a part was started', async () => {
    server.answer = { ...sampleSuite(), walk: { missing: ['document-platform', 'demo-pki'] } }
    const page = await open()
    await page.getByText('document-platform and demo-pki').waitFor()
    expect(await begin(page).count()).toBe(0)
  })

  test('tells what to do next as the e-mail, the signature and the verdict come', async () => {
    const page = await visit(sampleWalk())
    await expect.poll(() => steps(page)).toEqual(['done', 'now', 'waiting', 'waiting'])
    server.walk = arrivedWalk()
    await expect.poll(() => steps(page)).toEqual(['done', 'done', 'now', 'waiting'])
    expect(await page.getByRole('link', { name: 'Read the e-mail' }).getAttribute('href')).toBe('mail/1')
    const { search } = new URL((await page.getByRole('link', { name: /and sign$/ }).getAttribute('href'))!)
    expect(search).toBe('?ticket=t&culture=en-US&way=cloud')
    await page.getByRole('button', { name: 'Copy PIN of Maria da Silva Souza' }).waitFor()
    server.walk = arrivedWalk({ status: 'FlowConcluded' })
    await page.getByText('checks the file').waitFor()
    const found = (label: string, line: string) => [{ label, lines: [line] }]
    const findings = { 'pt-BR': found('Nível', 'básica'), 'en-US': found('Level', 'basic: proves who signed') }
    server.walk = arrivedWalk({
      status: 'Concluded',
      signedUrl: 'api/walks/1/signed.pdf',
      verdict: { indication: 'valid', findings },
    })
    await page.getByText('The signature is valid').waitFor()
    expect(await steps(page)).toEqual(['done', 'done', 'done', 'done'])
    await page.getByText('basic: proves who signed').waitFor()
    await page.getByRole('button', { name: 'Sign another' }).waitFor()
  })

  test('without a cloud the certificate is in a file', async () => {
    const page = await visit(arrivedWalk({ hasCloud: false }))
    await page.getByRole('button', { name: 'Copy PKCS#12 path of Maria da Silva Souza' }).waitFor()
    const { search } = new URL((await page.getByRole('link', { name: /and sign$/ }).getAttribute('href'))!)
    expect(search).toBe('?ticket=t&culture=en-US')
  })

  test('ends with a refusal, too', async () => {
    const page = await visit(arrivedWalk({ status: 'Refused' }))
    await page.getByText('You refused to sign.').waitFor()
    expect(await steps(page)).toEqual(['done', 'done', 'now', 'waiting'])
  })

  test('of a document that is gone leads to a new one', async () => {
    const page = await visit(undefined)
    await page.getByText('The document platform knows no such document.').waitFor()
    server.walk = sampleWalk()
    await begin(page).click()
    await page.getByRole('heading', { name: 'The contract was sent' }).waitFor()
    provoked = /status of 404/
  })
})

describe('test identities', () => {
  test('a table names each holder, with the CPF as printed and the PIN hidden until asked for', async () => {
    const page = await open()
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Maria da Silva Souza' }) })
    expect(await row.getByRole('cell').allInnerTexts()).toEqual([
      '529.982.247-25',
      expect.stringContaining('hidden'),
      'maria.souza@example.com',
      'Vault',
      'data/demo/holder-1.p12',
    ])
    await row.getByRole('button', { name: 'Show PIN of Maria da Silva Souza' }).click()
    expect(await row.innerText()).toContain('1234')
  })

  test('CPF, key file and trust anchors are copied as the services take them', async () => {
    const page = await open()
    const copies = async (what: string, text: string) => {
      await page.getByRole('button', { name: `Copy ${what}` }).click()
      await expect.poll(() => clipboard(page)).toBe(text)
    }
    await copies('CPF of Maria da Silva Souza', '52998224725')
    await copies('PKCS#12 path of Maria da Silva Souza', 'data/demo/holder-1.p12')
    await copies('path of the trust anchors', 'data/demo/roots.pem')
  })

  test('a kind of custody this page does not know keeps the server’s word', async () => {
    const page = await open()
    await page.getByRole('cell', { name: 'smart card' }).waitFor()
  })
})

describe('copying', () => {
  const button = 'Copy base URL of Demo PKI'

  test('is confirmed to the eye and to a screen reader', async () => {
    const page = await open()
    await page.getByRole('button', { name: button }).click()
    await expect.poll(() => clipboard(page)).toBe('http://localhost:8087')
    await page.getByRole('status').getByText('Copied: base URL of Demo PKI').waitFor()
    await page.locator(`[aria-label="${button}"][data-tone="good"]`).waitFor()
    await page.locator(`[aria-label="${button}"][data-tone="quiet"]`).waitFor()
  })

  test('works where the browser withholds its clipboard interface, as on an address in the local network', async () => {
    const page = await open({ prepare: (page) => page.addInitScript(withholdClipboard) })
    // An address no other test copies: the clipboard outlives the page.
    await page.getByRole('button', { name: 'Copy base URL of Evidence archive' }).click()
    await page.getByRole('status').getByText('Copied: base URL of Evidence archive').waitFor()
    const other = await page.context().newPage()
    await other.goto(`${server.origin}/seal.svg`)
    await expect.poll(() => clipboard(other)).toBe('http://localhost:8099')
  })

  test('that the browser refuses is told, not pretended', async () => {
    const page = await open({ prepare: (page) => page.addInitScript(withholdClipboard) })
    await page.evaluate(() => {
      document.execCommand = () => false
    })
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('status').getByText('The browser refused to copy base URL of Demo PKI').waitFor()
  })
})

describe('language', () => {
  test('the first visit follows the browser, down to the words of the server', async () => {
    const page = await open({ locale: 'pt-BR' })
    expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR')
    expect(await page.title()).toBe('Chancela · demonstração')
    await page.getByRole('heading', { name: 'Servidor de sessões de assinatura', exact: true }).waitFor()
    await page.getByText('Ainda não construído').first().waitFor()
    await page.getByRole('heading', { name: 'Arquivo de provas' }).waitFor()
  })

  test('a change turns every text at once and is remembered', async () => {
    const page = await open()
    await page.getByText('PT', { exact: true }).click()
    await page.getByRole('heading', { name: 'Serviços', exact: true }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR')
    await page.reload()
    await page.getByRole('heading', { name: 'Serviços', exact: true }).waitFor()
    await page.getByText('EN', { exact: true }).click()
    await page.getByRole('heading', { name: 'Services', exact: true }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en-US')
  })
})

describe('colours', () => {
  const scheme = (page: Page) => page.locator('html').getAttribute('data-mantine-color-scheme')
  const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

  test('follow the system until the visitor chooses', async () => {
    const page = await open({ colorScheme: 'dark' })
    expect([await scheme(page), await ground(page)]).toEqual(['dark', 'rgb(14, 21, 18)'])
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(() => scheme(page)).toBe('light')
  })

  test('a choice is remembered, and stands before the page’s own script has run', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Use dark colours' }).click()
    expect(await scheme(page)).toBe('dark')
    await page.route('**/assets/*.js', () => {}) // held back for ever: what shows now is the first paint
    await page.reload({ waitUntil: 'commit' })
    await expect.poll(() => ground(page)).toBe('rgb(14, 21, 18)')
    expect(await page.locator('#root').innerHTML()).toBe('')
  })
})

describe('a server in trouble', () => {
  test('while the first answer is on the way, the page says that it loads', async () => {
    let release = () => {}
    server.answer = (response) => {
      release = () => void response.end(JSON.stringify(sampleSuite()))
    }
    const page = await open({ until: '[aria-busy="true"]' })
    await page.getByText('Loading…').waitFor()
    release()
    await page.getByRole('heading', { name: 'Signing session server', exact: true }).waitFor()
  })

  test.each([
    ['answers with status 503', 'The server answered with status 503.', 503, '{}'],
    ['sends something else than JSON', 'The server answered something that is not JSON.', 200, '<html>'],
  ])('that %s is named, until it recovers by itself', async (_name, sentence, status, body) => {
    server.answer = (response) => void response.writeHead(status).end(body)
    const page = await open({ until: '[role="alert"]' })
    await page.getByRole('alert').getByText(sentence).waitFor()
    server.answer = sampleSuite()
    await page.getByRole('heading', { name: 'Signing session server', exact: true }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    provoked = /status of 503/
  })

  test('that stops leaves its last data on the page under a banner, which goes when it is back', async () => {
    const page = await open()
    await server.stop()
    await page.getByRole('alert').getByText(`Nothing answers at ${server.origin}.`).waitFor()
    await page.getByRole('heading', { name: 'Signing session server', exact: true }).waitFor()

    server.answer = withState('session-server', 'stopped')
    await server.start()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await page.getByRole('status').getByText('The server answers again.').waitFor()
    expect(await card(page, named('session-server')).innerText()).toContain('Stopped')
    provoked = /ERR_CONNECTION_REFUSED/
  })

  test('can be asked again at once', async () => {
    server.answer = (response) => void response.writeHead(500).end()
    const page = await open({ until: '[role="alert"]' })
    server.answer = sampleSuite()
    await page.getByRole('button', { name: 'Try now' }).click()
    await page.getByRole('heading', { name: 'Signing session server', exact: true }).waitFor()
    provoked = /status of 500/
  })

  test('whose answer has another shape breaks into a sentence, not into an empty window', async () => {
    server.answer = { version: '9' } as unknown as SuiteView
    const page = await open({ until: '[role="alert"]' })
    await page.getByRole('alert').getByText('This page broke').waitFor()
    provoked = /./
  })

  test('changes of state arrive without a reload', async () => {
    const page = await open()
    server.answer = withState('document-platform', 'running')
    await page.getByRole('status').getByText('6 of 7').waitFor()
    expect(await card(page, named('document-platform')).innerText()).toContain('Running')
  })
})

describe('any screen', () => {
  // A phone, and the 320 pixels of WCAG 2.2, 1.4.10 (reflow).
  test.each([
    [390, 'en-US'],
    [320, 'pt-BR'],
  ])('at %d pixels in %s nothing hangs over the edge, and holders become cards', async (width, locale) => {
    const page = await open({ viewport: { width, height: 844 }, locale })
    for (const fold of await page.locator('summary').all()) await fold.click()
    const hidden = page.getByRole('button', { name: /^(Show|Mostrar)/ })
    while (await hidden.count()) await hidden.first().click()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    expect(await overhanging(page)).toEqual([])
    expect(await page.getByRole('table').count()).toBe(0)
    await page.locator('#identities').getByRole('heading', { name: 'Maria da Silva Souza' }).waitFor()
  })

  test('visitors who asked for less motion see none', async () => {
    const moving = async (reducedMotion: 'reduce' | 'no-preference') => {
      const page = await open({ prepare: (page) => page.emulateMedia({ reducedMotion }) })
      return page.evaluate(() => document.getAnimations().length)
    }
    expect(await moving('no-preference')).toBeGreaterThan(0)
    expect(await moving('reduce')).toBe(0)
  })
})

describe('any visitor', () => {
  test('the keyboard reaches the content, then the copy button, and shows where it is', async () => {
    const page = await open()
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Skip to content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
    await tabTo(page, 'Copy base URL of Signing session server')
    expect(await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle)).toBe('solid')
    await page.keyboard.press('Enter')
    await expect.poll(() => clipboard(page)).toBe('http://localhost:8081')
  })

  test('one title, headings without gaps, and the four landmarks', async () => {
    const page = await open()
    const levels = await page.getByRole('heading').evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])))
    expect(levels.filter((level) => level === 1)).toHaveLength(1)
    expect(levels.filter((level, place) => level > (levels[place - 1] ?? 0) + 1)).toEqual([])
    for (const landmark of ['banner', 'navigation', 'main', 'contentinfo'] as const) {
      expect(await page.getByRole(landmark).count()).toBe(1)
    }
  })

  test('whatever can be used has a name of its own', async () => {
    const page = await open()
    for (const fold of await page.locator('summary').all()) await fold.click()
    const names = await usableNames(page)
    expect(names.length).toBeGreaterThan(40)
    expect(names.filter(({ name }) => name.trim() === '')).toEqual([])
  })
})

describe('the built page', () => {
  test('holds nothing inline, and only relative addresses', async () => {
    await open()
    const html = await readFile(join(folder, 'index.html'), 'utf8')
    expect(html).not.toMatch(/<style|\sstyle=|<script(?![^>]*\ssrc=)|\son\w+=/)
    const addresses = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address)
    expect(addresses.length).toBeGreaterThan(3)
    expect(addresses.filter((address) => !address?.startsWith('./'))).toEqual([])
  })
})

type Page = WatchedPage['page']

interface OpenOptions extends PageOptions {
  /** What to do before the page is loaded. */
  prepare?: (page: Page) => Promise<unknown>
  /** What to wait for; default the list of services. */
  until?: string
  path?: string
}

/** Opens the home page as a new visitor. */
async function open({ prepare, until = '#services', path = '', ...options }: OpenOptions = {}): Promise<Page> {
  await leave()
  current = await browser.newPage(options)
  const { page } = current
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await prepare?.(page)
  await page.goto(server.origin + path)
  await page.locator(until).first().waitFor()
  return page
}

/** Ends the visit, and fails on anything that went wrong in it. */
async function leave(): Promise<void> {
  if (!current) return
  const { page, errors, policyViolations, requests } = current
  current = undefined
  await page.context().close()
  expect(errors.filter((error) => !provoked?.test(error))).toEqual([])
  expect(policyViolations).toEqual([])
  expect(requests.filter((address) => !address.startsWith(`${server.origin}/`))).toEqual([])
}

async function inTimeZone(page: Page, timezoneId: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setTimezoneOverride', { timezoneId })
}

/** As a browser does on plain HTTP anywhere but on localhost. */
const withholdClipboard = () => Object.defineProperty(navigator, 'clipboard', { value: undefined })

function named(name: string): ServiceView {
  return sampleSuite().services.find((service) => service.name === name)!
}

function withState(name: string, state: ServiceView['state']): SuiteView {
  const suite = sampleSuite()
  return {
    ...suite,
    services: suite.services.map((service) => (service.name === name ? { ...service, state } : service)),
  }
}

const card = (page: Page, { title }: ServiceView) =>
  page
    .locator('#services')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: title['en-US'], exact: true }) })

const oneLine = (text: string) => text.replace(/\s+/g, ' ')

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)

async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 20; presses++) {
    await page.keyboard.press('Tab')
    if ((await focused(page)) === name) return
  }
  throw new Error(`Twenty presses of Tab did not reach "${name}".`)
}

/** Texts and buttons that overflow the right edge; ornaments are clipped by their frame and do not count. */
const overhanging = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('main :is(p, code, a, button, dt, dd, h1, h2, h3, h4, li)')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth)
      .map((element) => element.textContent),
  )

/** Accessible names as Chromium exposes them to screen readers. */
async function usableNames(page: Page): Promise<{ role: string; name: string }[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  return nodes
    .filter(({ ignored, role }) => !ignored && ['button', 'link', 'radio', 'DisclosureTriangle'].includes(role?.value))
    .map(({ role, name }) => ({ role: String(role?.value), name: String(name?.value ?? '') }))
}
