// A participant signs with a token at a computer: the page, in a frame of another origin, speaks to the service alone, the
// real agent has dialled out, and SoftHSM2 signs.
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openBrowser, type TestBrowser } from '@chancela/testkit/browser'
import { builtPages } from '@chancela/testkit/pages'
import { temporaryFolder } from '@chancela/testkit/tools'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { contentOf, judges } from '../../../../services/document-platform/test/test-support/signers.ts'
import { sharedSessionServer } from '../../../../services/session-server/test/test-support/session-world.ts'
import { newCpf } from '../../../../services/session-server/test/test-support/vault.ts'
import { untilOffered } from '../../../../services/session-server/test/test-support/workstation.ts'
import { axeFindings, namelessControls } from '../../test/accessibility.ts'
import { approveIn, tokenWorld } from '../../test/token-world.ts'

/** `chancela-agent run` as a process, once it is connected; its windows open in the given program. */
async function agentProcess(home: string, browser: string): Promise<void> {
  const bin = fileURLToPath(new URL('../../../workstation-agent/bin/chancela-agent.mjs', import.meta.url))
  const args = ['--conditions=chancela-source', '--import', 'tsx', bin, 'run', '--home', home, '--browser', browser]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  for await (const line of createInterface({ input: child.stderr })) if (line.startsWith('Connected')) return
  throw new Error('The agent ended.')
}

const sessions = sharedSessionServer('SQLite', { settings: { Approvals: { QuietSeconds: 0 } } })
let bundle = ''
let browser: TestBrowser

beforeAll(async () => {
  bundle = await builtPages('documents')
  browser = await openBrowser()
})

afterAll(() => browser.close())

const world = (over: { locale?: string; width?: number } = {}) =>
  tokenWorld({ browser, bundle, sessions: sessions(), ...over })

describe('a token at a computer', () => {
  test('found by CPF signs on the page in a frame of another origin, which reaches no local port', async () => {
    const { page, platform, site, agentWindow, newDocument, station } = await world()
    const { id, embedUrl } = await newDocument()
    site.framed.address = embedUrl
    await page.goto(site.origin)
    const frame = page.frameLocator('iframe')
    await frame.getByText('Token ou cartão em um computador', { exact: true }).click()
    await frame.getByRole('button', { name: 'Assinar com token' }).click()
    const code = (await frame.getByLabel('Código desta assinatura').textContent())!

    const window = await agentWindow()
    await window.getByText(code, { exact: true }).waitFor()
    for (const told of [platform.organization.name, 'Contrato de locação.pdf', '1 documento'])
      await window.getByText(told).first().waitFor()
    await approveIn(window)

    await frame.getByRole('heading', { name: 'Você assinou o documento' }).waitFor()
    expect(await page.evaluate(() => (window as unknown as { told: unknown[] }).told)).toEqual([
      JSON.stringify({ type: 'documentSigned', id }),
    ])
    expect(await judges.pdf((await contentOf(platform, id)).bytes, 1)).toContain(`PORTADOR ${station.cpf}`)
  })

  test('is not reached from the page itself: a local port is closed to it, and to its sockets', async () => {
    const { site, newDocument } = await world()
    const { embedUrl } = await newDocument()
    const { page, policyViolations } = await browser.newPage({ locale: 'pt-BR' })
    const listening = createServer((_, answer) => answer.end('here')).listen(0, '127.0.0.1')
    onTestFinished(() => void listening.close())
    let calls = 0
    listening.on('connection', () => calls++)
    site.framed.address = embedUrl
    await page.goto(site.origin)
    await page.frameLocator('iframe').getByText('Token ou cartão em um computador', { exact: true }).waitFor()
    const { port } = listening.address() as AddressInfo
    const reached = await page.frames()[1]!.evaluate(async (local) => {
      const socket = new Promise((done) => {
        const opened = new WebSocket(`ws://127.0.0.1:${local}`)
        opened.onopen = () => done('open')
        opened.onerror = () => done('closed')
      })
      const fetched = fetch(`http://127.0.0.1:${local}`, { mode: 'no-cors' }).then(
        () => 'open',
        () => 'closed',
      )
      return [await fetched, await Promise.resolve(socket).catch(() => 'closed')]
    }, port)
    expect(reached).toEqual(['closed', 'closed'])
    expect(calls).toBe(0)
    await expect.poll(() => policyViolations.filter((each) => each.startsWith('connect-src')).length).toBe(2)
  })

  test('joins by the code that is typed into the window of the agent', async () => {
    const { page, platform, agentWindow, newDocument, station } = await world()
    const { administrator, id: workstation } = station.workstation
    await administrator.call('PUT', `/api/workstations/${workstation}`, { name: 'Recepção', cpfs: [newCpf()] })
    const { id, url } = await newDocument()
    await page.goto(url)
    await page.getByText('Token ou cartão em um computador', { exact: true }).click()
    await page.getByRole('button', { name: 'Assinar com token' }).click()
    const code = (await page.getByLabel('Código desta assinatura').textContent())!

    await station.agent.openCodeWindow()
    const window = await agentWindow()
    await window.getByLabel('Código').fill('ZZZZ-ZZZZ')
    await window.getByRole('button', { name: 'Continuar' }).click()
    await window.getByRole('alert').getByText('Nenhuma página espera por este código').waitFor()
    await window.getByLabel('Código').fill(code.toLowerCase())
    await window.getByRole('button', { name: 'Continuar' }).click()
    await window.getByText(code, { exact: true }).waitFor()
    await approveIn(window)
    await page.getByRole('heading', { name: 'Você assinou o documento' }).waitFor()
    await judges.pdf((await contentOf(platform, id)).bytes, 1)

    // The way that was used last comes first.
    const next = await newDocument('Outro.pdf')
    await page.goto(next.url)
    await page.getByRole('button', { name: 'Assinar com token' }).waitFor()
    const ways = page.getByRole('radiogroup', { name: 'Como assinar' }).getByRole('radio')
    expect(await ways.first().getAttribute('value')).toBe('token')
    // A code is good once.
    expect(await station.agent.pair(code)).toBe('not-found')
  })

  test('a refusal at the agent is told, and the page may ask again', async () => {
    const { page, platform, agentWindow, newDocument } = await world()
    const { id, url } = await newDocument()
    await page.goto(`${url}&way=token`)
    await page.getByRole('button', { name: 'Assinar com token' }).click()
    await (await agentWindow()).getByRole('button', { name: 'Recusar' }).click()
    await page.getByRole('alert').getByText('O pedido foi recusado no computador').waitFor()
    await page.getByRole('button', { name: 'Assinar com token' }).click()
    await approveIn(await agentWindow())
    await page.getByRole('heading', { name: 'Você assinou o documento' }).waitFor()
    await judges.pdf((await contentOf(platform, id)).bytes, 1)
  })

  test('an agent that goes away in the middle is told; a participant who cancels closes the window there', async () => {
    const { page, agentWindow, newDocument, station } = await world()
    const { url } = await newDocument()
    await page.goto(`${url}&way=token`)
    await page.getByRole('button', { name: 'Assinar com token' }).click()
    const code = (await page.getByLabel('Código desta assinatura').textContent())!
    await agentWindow()
    await page.getByRole('button', { name: 'Cancelar' }).click()
    await expect.poll(() => station.said.some((sentence) => sentence.includes('taken back'))).toBe(true)
    expect(await station.agent.pair(code)).toBe('not-found')

    await page.getByRole('button', { name: 'Assinar com token' }).click()
    await agentWindow()
    await station.agent.pair((await page.getByLabel('Código desta assinatura').textContent())!)
    await station.agent.stop()
    await page.getByRole('alert').getByText('A conexão com o computador se perdeu').waitFor()
  })

  test('an agent in a process of its own, with the token, signs', async () => {
    const { page, platform, newDocument, station } = await world()
    await station.agent.stop()
    const folder = temporaryFolder()
    // The desktop's browser of that process: a program that is given the address of a window.
    const desktop = join(folder, 'desktop.sh')
    writeFileSync(
      desktop,
      `#!/bin/sh\nprintf %s "$1" > ${folder}/window.new && mv ${folder}/window.new ${folder}/window\n`,
    )
    chmodSync(desktop, 0o755)
    await agentProcess(station.workstation.home, desktop)
    await untilOffered(sessions(), station.workstation.id)

    const { id, url } = await newDocument()
    await page.goto(`${url}&way=token`)
    await page.getByRole('button', { name: 'Assinar com token' }).click()
    const code = (await page.getByLabel('Código desta assinatura').textContent())!
    const shown = join(folder, 'window')
    const address = await vi.waitUntil(() => existsSync(shown) && readFileSync(shown, 'utf8'), { interval: 50 })
    const { page: window } = await browser.newPage({ locale: 'pt-BR' })
    await window.goto(address)
    await window.getByText(code, { exact: true }).waitFor()
    await approveIn(window)
    await page.getByRole('heading', { name: 'Você assinou o documento' }).waitFor()
    await judges.pdf((await contentOf(platform, id)).bytes, 1)
  })
})

describe('the page that tests a computer', () => {
  test('makes a test signature and says that everything is there', async () => {
    const { page, origin, agentWindow, station } = await world()
    await page.goto(`${origin}/login`)
    await page.getByRole('link', { name: 'Testar o meu computador' }).click()
    await page.getByRole('button', { name: 'Fazer uma assinatura de teste' }).click()
    await station.agent.pair((await page.getByLabel('Código desta assinatura').textContent())!)
    const window = await agentWindow()
    await window.getByText('Nenhum documento é assinado').waitFor()
    await approveIn(window, 'Testar')
    await page.getByRole('heading', { name: 'Este computador consegue assinar' }).waitFor()
    await page.getByText(`PORTADOR ${station.cpf}`).waitFor()
  })

  test('says what is missing', async () => {
    const { page, origin, station } = await world()
    await station.token.pull()
    await expect.poll(() => station.said.some((sentence) => sentence.includes('is away'))).toBe(true)
    await page.goto(`${origin}/test-my-computer`)
    await page.getByRole('button', { name: 'Fazer uma assinatura de teste' }).click()
    await station.agent.pair((await page.getByLabel('Código desta assinatura').textContent())!)
    await page.getByRole('heading', { name: 'Falta alguma coisa' }).waitFor()
    await page.getByText('O token ou cartão não está na leitora. Insira-o').waitFor()
    await station.token.putBack()
  })
})

const SHOTS = process.env.CHANCELA_SHOTS

describe.each([
  ['pt-BR', 390],
  ['pt-BR', 1280],
  ['en-US', 390],
  ['en-US', 1280],
] as const)('in %s at %d pixels', (locale, width) => {
  test('nothing hangs over the edge, everything to press has a name, and axe finds nothing', async () => {
    const { page, origin, agentWindow, newDocument, station } = await world({ locale, width })
    const check = async (shown: typeof page, name: string) => {
      if (SHOTS) await shown.screenshot({ path: `${SHOTS}/${name}-${locale}-${width}.png`, fullPage: true })
      expect(await shown.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(width)
      expect(await namelessControls(shown), name).toEqual([])
      expect(await axeFindings(shown), name).toEqual([])
    }
    const { url } = await newDocument('Contrato de locação com um nome bastante comprido, revisão 3.pdf')
    await page.goto(`${url}&way=token&preview=true`)
    const sign = page.getByRole('button', { name: /^(Sign with a token|Assinar com token)$/ })
    await sign.waitFor()
    await check(page, 'token')
    await sign.click()
    await page.getByLabel(/^(Code of this signature|Código desta assinatura)$/).waitFor()
    await check(page, 'code')
    const window = await agentWindow()
    await check(window, 'agent')
    await window.getByRole('button', { name: /^(Decline|Recusar)$/ }).click()
    await page.getByRole('alert').waitFor()

    await station.agent.openCodeWindow()
    await check(await agentWindow(), 'agent-code')

    await page.goto(`${origin}/test-my-computer`)
    await page.getByRole('button', { name: /^(Make a test|Fazer uma)/ }).click()
    const code = page.getByLabel(/^(Code of this signature|Código desta assinatura)$/)
    await station.agent.pair((await code.textContent())!)
    await approveIn(await agentWindow(), locale === 'pt-BR' ? 'Testar' : 'Test')
    await page.getByRole('heading', { name: /can sign|consegue assinar/ }).waitFor()
    await check(page, 'test')
  })
})
