import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CONSENT_VERSION } from '@chancela/pki-core/contract'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sharedCore } from '../../../../services/pki-core/test/test-support/core-world.ts'
import { type Actor, held } from '../../../../services/pki-core/test/test-support/faces/actor.ts'
import { FakeCamera } from '../../../../services/pki-core/test/test-support/faces/camera.ts'
import { actorOf, poses, sceneOf, tilts } from '../../../../services/pki-core/test/test-support/faces/people.ts'
import { axeFindings, namelessControls } from '../../test/accessibility.ts'
import { bundlePages, type Page, type VisitOptions } from '../../test/bundle-pages.ts'
import { faultsOf } from '../../test/texts.ts'
import { bioTexts, CONSENT_SHOWN } from './bio-texts.ts'

const scene = sceneOf('ana')
const camera = new FakeCamera(scene)
afterAll(() => camera.close())

const filmed = bundlePages('bio', () => ({ camera: camera.file }))
const blind = bundlePages('bio')
// After the pages: a service reads its bundle when it starts. Two movements: `npm run prove:biometrics` has more.
const world = sharedCore('SQLite', { Biometrics: { Attempts: 1, Challenges: 2 } })

let ana: Actor
beforeAll(async () => {
  ana = await actorOf('ana')
})

const returnUrl = 'https://app.example/back'

async function started(request: object = { returnUrl }) {
  const { body } = await world().json('POST', '/api/bio/sessions/liveness', request)
  const { pathname, search } = new URL(body.sessionUrl)
  return { path: pathname + search, sessionId: body.sessionId as string }
}

const visit = (pages: typeof filmed, path: string, options: VisitOptions = {}): Promise<Page> =>
  pages.visit(world().baseUrl, path, world().clock, options)

/** Whoever stands before the camera reads what is asked, until nothing more is. */
async function watch(page: Page, shows: (instruction: string) => void): Promise<void> {
  const instruction = page.locator('[data-instruction]')
  const ended = page.getByRole('alert')
  for (;;) {
    await instruction.or(ended).first().waitFor()
    if (await ended.isVisible()) return
    const asked = await instruction.getAttribute('data-instruction', { timeout: 500 }).catch(() => null)
    if (asked) shows(asked)
    await new Promise((done) => setTimeout(done, 50))
  }
}

const completed = async (ticket: unknown) =>
  (await world().json('POST', '/api/bio/sessions/liveness/completion', { ticket })).body

const phone = { viewport: { width: 390, height: 844 } }

/** Nothing is wider than the window, and nobody is left out. */
async function expectUsable(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  expect([await axeFindings(page), await namelessControls(page)]).toEqual([[], []])
}

test('every text says something in each language, and the consent shown is the one that is recorded', () => {
  expect(faultsOf(bioTexts)).toEqual([])
  expect(CONSENT_SHOWN).toBe(CONSENT_VERSION)
})

test('a person who does as the page asks passes, and is sent back with the ticket', async () => {
  const { path, sessionId } = await started()
  const options = { ...phone, locale: 'pt-BR', elsewhere: ['https://app.example'], provoked: /ERR_/ }
  const page = await visit(filmed, path, options)
  const agree = page.getByRole('button', { name: 'Concordo, ligar a câmera' })
  await agree.waitFor()
  await expectUsable(page)
  const left = new Promise<string>((found) =>
    page.on('request', (sent) => sent.url().startsWith(returnUrl) && found(sent.url())),
  )
  await agree.click()
  const moves = Object.fromEntries(Object.entries(poses).map(([name, pose]) => [name, ana.frame(pose)]))
  await watch(page, (instruction) => camera.show(moves[instruction]!))
  await page.getByRole('heading', { name: 'Pronto' }).waitFor()
  const ticket = new URL(await left).searchParams.get('completeTicket')
  expect(await completed(ticket)).toMatchObject({ sessionId, success: true, faceLivenessStatus: { success: true } })
})

test('a still picture before the same camera fails, however it is held', async () => {
  camera.show(scene)
  const { path, sessionId } = await started({ trustedOrigin: 'https://app.example' })
  const page = await visit(filmed, path)
  await page.getByRole('button', { name: 'I agree, switch the camera on' }).click()
  await page.getByRole('heading', { name: 'Look straight into the camera' }).waitFor()
  await expectUsable(page)
  const sheets = Object.fromEntries(Object.entries(tilts).map(([name, tilt]) => [name, held(scene, tilt)]))
  let shown = 0
  await watch(page, (instruction) => {
    camera.show(sheets[instruction]!)
    // The seconds of a movement pass by the server's clock.
    if (instruction !== 'LookStraight' && ++shown % 10 === 0) world().clock.advance(3_000)
  })
  await page.getByRole('heading', { name: 'It did not work' }).waitFor()
  await expectUsable(page)
  const status = await world().json('GET', `/api/bio/sessions/liveness/${sessionId}/status`)
  expect(status.body).toMatchObject({ success: false, faceLivenessStatus: { success: false, attemptCount: 1 } })
})

/** A site that shows a page in a frame and keeps what it is told. */
async function siteAround(frame: () => string): Promise<string> {
  const http = createServer((_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/html' })
    answer.end(`<link rel="icon" href="data:,"><title>site</title><iframe allow="camera" src="${frame()}"></iframe>
      <script>addEventListener('message', ({ data, origin }) => { window.told = { ...data, origin } })</script>`)
  })
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
  onTestFinished(() => void http.close())
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`
}

test('in a frame, the site that the session trusts is told; no other site may show the page', async () => {
  let frame = ''
  const origin = await siteAround(() => frame)
  const { path } = await started({ trustedOrigin: origin })
  frame = `${world().baseUrl}${path}`
  const page = await blind.visit(origin, '/', world().clock, { elsewhere: [world().baseUrl], provoked: /frame/i })
  const inside = page.frameLocator('iframe')
  await inside.getByRole('button', { name: 'I do not agree' }).click()
  await inside.getByRole('heading', { name: 'Cancelled' }).waitFor()
  const told = await page.waitForFunction(() => (window as unknown as { told?: Record<string, string> }).told)
  const { completeTicket, ...rest } = (await told.jsonValue())!
  expect(rest).toEqual({ source: 'chancela-bio', state: 'Aborted', origin: world().baseUrl })
  expect(await completed(completeTicket)).toMatchObject({ success: false })

  const policyOf = async (address: string) =>
    /frame-ancestors ([^;]*)/.exec((await fetch(address)).headers.get('content-security-policy')!)![1]
  expect(await policyOf(frame)).toBe(origin)
  expect(await policyOf(`${world().baseUrl}${(await started()).path}`)).toBe("'none'")
  expect(await policyOf(`${world().baseUrl}/bio/session?token=nobody`)).toBe("'none'")
})

test('who has no camera is told so plainly, and can try again or leave', async () => {
  const { path } = await started()
  const page = await visit(blind, path, {
    ...phone,
    locale: 'es-ES',
    elsewhere: ['https://app.example'],
    provoked: /ERR_/,
  })
  await page.getByRole('button', { name: 'Acepto, encender la cámara' }).press('Enter')
  const { refused, absent } = bioTexts['es-ES'].camera
  await page.getByRole('heading', { name: new RegExp(`${refused.title}|${absent.title}`) }).waitFor()
  await expectUsable(page)
  await page.getByRole('button', { name: 'Intentar de nuevo' }).press('Enter')
  await page.getByRole('button', { name: 'Cancelar' }).press('Enter')
  await page.getByRole('heading', { name: 'Cancelado' }).waitFor()
})

test('an address nobody knows says that it is no longer good', async () => {
  const page = await visit(blind, '/bio/session?token=nobody-has-this', { provoked: /422/ })
  await page.getByRole('alert').getByRole('heading', { name: 'This page is no longer good' }).waitFor()
})
