// The window over HTTP, as a browser and as others who try.
import { readdirSync, readFileSync } from 'node:fs'
import { request as send } from 'node:http'
import { join } from 'node:path'
import { DAY } from '@chancela/service-kernel/clock'
import { identityOf, newIdentitySecret } from '@chancela/session-server/channel'
import { temporaryFolder } from '@chancela/testkit/tools'
import { expect, onTestFinished, test, vi } from 'vitest'
import { AgentHome } from '../home.ts'
import { runAgentCli } from '../run-agent-cli.ts'
import { startAgent } from '../start-agent.ts'
import { newFileHolder, PASSWORD } from '../test-support/holder-file.ts'
import { knownCards, middlewareOf } from '../tokens/cards.ts'
import { statePage } from './state-page.ts'

const CPF = '52998224725'

const enrolled = (home: string) =>
  new AgentHome(home).writeEnrolment({
    server: 'http://127.0.0.1:9',
    serverPublicKey: identityOf(newIdentitySecret()).publicKey,
    workstationId: 'w-1',
    name: 'Recepção <2>',
    secret: newIdentitySecret(),
  })

/** An agent that reaches no server, and its desktop. */
async function newAgent(home: string, clock: () => Date = () => new Date()) {
  enrolled(home)
  const urls: string[] = []
  const agent = await startAgent({
    home,
    clock,
    pollMilliseconds: 20,
    backOff: { first: 60_000, longest: 60_000 },
    terminal: undefined,
    openBrowser: async (url) => {
      urls.push(url)
      return true
    },
  })
  onTestFinished(() => agent.stop())
  return { agent, urls }
}

/** A browser with the window open: its cookie, and its pages. */
async function browse(url: string) {
  const { origin } = new URL(url)
  const entered = await fetch(url, { redirect: 'manual' })
  const cookie = entered.headers.get('set-cookie')!
  const headers = { cookie: cookie.split(';')[0]!, 'accept-language': 'pt-BR' }
  const get = async (path: string, more: Record<string, string> = {}) => {
    const answer = await fetch(origin + path, { headers: { ...headers, ...more } })
    return { status: answer.status, html: await answer.text(), headers: answer.headers }
  }
  const post = async (path: string, fields: Record<string, string>, more: Record<string, string> = { origin }) => {
    const options = { method: 'POST', body: new URLSearchParams(fields), headers: { ...headers, ...more } }
    const answer = await fetch(origin + path, options)
    return { status: answer.status, html: await answer.text() }
  }
  const token = async () => (await get('/test')).html.match(/name="token" value="([^"]+)"/)![1]!
  return { origin, entered, cookie, get, post, token }
}

async function newWindow(clock?: () => Date) {
  const holder = await newFileHolder()
  const { agent, urls } = await newAgent(holder.home, clock)
  expect(await agent.openWindow()).toBe(true)
  return { ...holder, agent, urls, window: await browse(urls[0]!) }
}

test('the window says how the connection is, and whose certificates are here until when', async () => {
  const { window } = await newWindow()
  const { html, headers } = await vi.waitUntil(async () => {
    const shown = await window.get('/')
    return shown.html.includes('Próxima tentativa') ? shown : undefined
  })
  for (const told of ['<html lang="pt-BR">', '127.0.0.1:9', 'Recepção &lt;2&gt;', 'Última falha', 'ECONNREFUSED'])
    expect(html).toContain(told)
  for (const told of ['ANA BEATRIZ SOUZA', 'CPF ***.982.247-**', 'ana-souza.p12', 'válido até'])
    expect(html).toContain(told)
  expect(html).not.toContain(CPF)
  expect(html).not.toContain('Vence em')
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
  })
  expect((await window.get('/', { 'accept-language': 'en' })).html).toContain('Next attempt')
})

test.each([
  ['pt-BR', 'Esta página não existe.', 'Voltar'],
  ['en', 'There is no such page.', 'Back'],
])('an address of which the window has no page is told in %s, with a way back', async (language, told, back) => {
  const { window } = await newWindow()
  const { status, headers, html } = await window.get('/nope', { 'accept-language': language })
  expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(html).toContain(`<h1>${told}</h1>`)
  expect(html).toMatch(new RegExp(`<a[^>]* href="/"[^>]*>${back}</a>`))
})

test.each([
  [-12, 'Vence em 12 dias'],
  [1, 'Vencido'],
])('a certificate %i days from its end has a warning', async (days, told) => {
  const { certificate } = (await newFileHolder()).sources.all[0]!.certificates[0]!
  const now = new Date(certificate.notAfter.getTime() + days * DAY)
  const { window } = await newWindow(() => now)
  expect((await window.get('/')).html).toContain(told)
})

test('a card whose software is missing is named with what to install, whatever it is called', () => {
  const card = knownCards.find(({ name }) => name === 'Watchdata WatchKey')!
  const reader = { name: 'Leitora <1>', atr: card.atr, card, middleware: middlewareOf(card), isInstalled: false }
  const state = {
    now: new Date(),
    enrolment: { server: 'https://sessions.example', name: 'Recepção' },
    status: { state: { kind: 'connecting' }, problem: undefined },
    sources: { all: [], missing: 'driver', problems: ['The module of CPF 529.982.247-25 cannot be used.'] },
    lacking: [reader],
    update: undefined,
    token: 'x',
    journal: [],
  } as const
  const html = statePage(state, 'pt-BR')
  for (const told of [
    'Programas que faltam',
    'Watchdata WatchKey, em Leitora &lt;1&gt;',
    'de Watchdata',
    'Conectando',
    '***.982.247-**',
  ])
    expect(html).toContain(told)
  expect(statePage(state, 'en-US')).toContain('Missing software')
  expect(statePage({ ...state, lacking: [] }, 'en-US')).not.toContain('Missing software')
})

test('its address works once, and a page of nobody’s session tells nothing', async () => {
  const { window, urls } = await newWindow()
  expect(window.entered.status).toBe(303)
  expect(window.cookie).toMatch(/^chancela-agent-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
  for (const url of [urls[0]!, window.origin, `${window.origin}/test`]) {
    const answer = await fetch(url)
    expect([answer.status, (await answer.text()).includes('ANA BEATRIZ')]).toEqual([403, false])
  }
  expect((await window.get('/', { cookie: window.cookie.split(';')[0]!.replace(/.$/, '!') })).status).toBe(403)
  const rebound = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { host: 'evil.example', cookie: window.cookie.split(';')[0]! }
    send(window.origin, { headers }, (response) => resolve(response.statusCode))
      .on('error', reject)
      .end()
  })
  expect(rebound).toBe(421)
})

test('a test signs, is verified by the certificate, and the PIN is forgotten; a wrong PIN may be typed again', async () => {
  const { window, home, said } = await newWindow()
  const token = await window.token()
  expect((await window.post('/test', { token, pin: 'errada' })).html).toContain('não foi aceito')
  const { status, html } = await window.post('/test', { token, choice: '0', pin: PASSWORD })
  expect(status).toBe(200)
  for (const told of ['O teste foi assinado', 'confere com o certificado de ANA BEATRIZ SOUZA', 'O PIN foi esquecido'])
    expect(html).toContain(told)
  expect((await window.get('/')).html).toContain('Signed with ana-souza.p12 for a test at this computer.')
  expect((await window.get('/')).html).not.toContain('PIN em uso')
  for (const name of readdirSync(home)) expect(readFileSync(join(home, name)).includes(PASSWORD)).toBe(false)
  expect(said.join()).not.toContain(PASSWORD)
})

test('what did not come from its own form does nothing', async () => {
  const { window } = await newWindow()
  const [token, { origin }] = [await window.token(), window]
  const fields = { token, pin: PASSWORD }
  for (const [sent, headers] of [
    [{ pin: PASSWORD }, { origin }],
    [{ ...fields, token: token.replace(/.$/, '!') }, { origin }],
    [fields, { origin: 'null' }],
    [fields, { origin: 'https://evil.example' }],
    [fields, {}],
    [fields, { origin, 'sec-fetch-site': 'same-site' }],
  ] as const)
    expect((await window.post('/test', sent, headers)).status).toBe(403)
  expect((await window.get('/', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await window.get('/')).html).not.toContain('Signed with')
  expect((await window.post('/test', fields)).html).toContain('O teste foi assinado')
})

test('chancela-agent open shows the window of the agent that runs, and ends with it', async () => {
  const { home, urls, agent, window } = await newWindow()
  const printed: string[] = []
  expect(await runAgentCli(['open', '--home', home], { print: (text) => void printed.push(text) })).toBe(0)
  expect(printed).toEqual(['The window is open.'])
  expect((await (await browse(urls[1]!)).get('/')).status).toBe(200)
  await agent.stop()
  await vi.waitUntil(() =>
    window.get('/').then(
      () => false,
      () => true,
    ),
  )
})

test('without a desktop the window says so at the terminal, and the agent goes on until it is stopped', async () => {
  const home = temporaryFolder()
  enrolled(home)
  const said: string[] = []
  const code = await runAgentCli(['open', '--browser', join(home, 'no such program'), '--home', home], {
    log: (text) => void said.push(text),
    terminal: undefined,
    untilStopped: async () => {},
  })
  expect([code, said]).toEqual([0, expect.arrayContaining([expect.stringContaining('there is no desktop')])])
})
