// The agent's window as a holder uses it: a token, a real browser on a small screen, and the keyboard alone.
import { openBrowser, type TestBrowser } from '@chancela/testkit/browser'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sharedSessionServer } from './test-support/session-world.ts'
import { newTokenStation, promptedSession, TOKEN_PIN } from './test-support/workstation.ts'

const world = sharedSessionServer('SQLite')
let browser: TestBrowser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

test('the window shows connection and certificate, and signs a test by keyboard; a session keeps its PIN', async () => {
  const station = await newTokenStation(world())
  const { agent, desktop, cpf } = station
  expect(await agent.openWindow()).toBe(true)
  const watched = await browser.newPage({ locale: 'pt-BR', viewport: { width: 390, height: 760 } })
  const { page } = watched
  const press = async (name: string) => {
    const link = page.getByText(name, { exact: true })
    await vi.waitUntil(async () => {
      await page.keyboard.press('Tab')
      return link.evaluate((element) => element.matches(':focus'))
    })
    await page.keyboard.press('Enter')
  }
  const fits = async () => expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  const testWithPin = async () => {
    await press('Assinar um teste')
    await page.getByLabel('PIN').waitFor()
    await fits()
    expect(await page.content()).not.toContain(cpf)
    // The field has the focus already.
    await page.keyboard.type(TOKEN_PIN)
    await page.keyboard.press('Enter')
    await page.getByText('confere com o certificado de Portador').waitFor()
  }

  await page.goto(desktop.urls.pop()!)
  await page.getByText(/Conectado desde/).waitFor()
  await fits()
  const masked = `***.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-**`
  await page.getByText(`CPF ${masked} · cartao ${masked}`).waitFor()
  expect(await page.content()).not.toContain(cpf)
  await testWithPin()
  await page.getByText('O PIN foi esquecido.').waitFor()
  await press('Voltar')
  await page.getByText(/for a test at this computer/).waitFor()
  expect(await page.getByText('PIN em uso').count()).toBe(0)

  await promptedSession(world(), station)
  await press('Atualizar')
  await page.getByText('PIN em uso').waitFor()
  await testWithPin()
  await page.getByText('O PIN continua em uso').waitFor()
  await press('Voltar')
  await page.getByText('PIN em uso').waitFor()
  expect([watched.errors, watched.policyViolations, watched.outsideRequests()]).toEqual([[], [], []])
})
