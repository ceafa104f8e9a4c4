// End to end with a workstation: a holder with a token, a page in a real browser, and everything between.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBrowser, type TestBrowser, type WatchedPage } from '@chancela/testkit/browser'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { layCable } from './test-support/cable.ts'
import { type SessionWorld, startSessionServer } from './test-support/session-world.ts'
import { sharedSignatureService } from './test-support/signature-service.ts'
import { fetchWhenReady, newPdf, signForm } from './test-support/signing.ts'
import { createSession, newTokenStation, TOKEN_PIN } from './test-support/workstation.ts'

const signer = sharedSignatureService()
let browser: TestBrowser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

async function verdictOf(world: SessionWorld, sessionId: string): Promise<string> {
  const { status, body } = await signForm(world, sessionId, newPdf())
  expect([status, body.status]).toEqual([202, 'PROCESSING'])
  const file = join(temporaryFolder(), 'signed.pdf')
  writeFileSync(file, Buffer.from(await (await fetchWhenReady(world, body.signatureId)).arrayBuffer()))
  return (await runTool('pdfsig', ['-nocert', file])).text
}

test('enrol, open a session by prompt, sign, restart the server, sign again, deactivate', async () => {
  const shown: WatchedPage[] = []
  const desktop = async (url: string) => {
    const watched = await browser.newPage({ locale: 'pt-BR', viewport: { width: 390, height: 760 } })
    await watched.page.goto(url)
    shown.push(watched)
    return true
  }
  const first = await startSessionServer('SQLite', { signer })
  const cable = await layCable(first.consoleUrl)
  const station = await newTokenStation(first, { openBrowser: desktop }, cable.url)

  const asked = createSession(first, station.cpf)
  const watched = await vi.waitUntil(() => shown[0], { interval: 10 })
  const { page } = watched
  await page.getByText(first.client.name).first().waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await page.getByLabel('PIN').fill('errado')
  await page.getByRole('button', { name: 'Continuar' }).click()
  await page.getByText('O PIN não foi aceito').waitFor()
  await page.getByLabel('PIN').fill(TOKEN_PIN)
  await page.getByRole('button', { name: 'Continuar' }).click()
  await page.getByText('PIN aceito.').waitFor()
  const { status, body } = await asked
  expect([status, body.cpf]).toEqual([201, station.cpf])
  const { sessionId } = body
  expect(await verdictOf(first, sessionId)).toContain('Signature is Valid')

  cable.cut()
  await first.stop()
  const second = await startSessionServer('SQLite', { signer, after: first })
  cable.plug(second.consoleUrl)
  expect(await verdictOf(second, sessionId)).toContain('Signature is Valid')

  const ended = await second.json('POST', '/v1/sessions/deactivate', { sessionId })
  expect([ended.status, ended.body.active]).toEqual([200, false])
  await vi.waitUntil(() => station.said.includes(`The PIN of ${station.label} is forgotten.`))
  expect(shown).toHaveLength(1)
  expect([watched.errors, watched.policyViolations, watched.outsideRequests()]).toEqual([[], [], []])
})
