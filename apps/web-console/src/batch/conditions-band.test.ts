// What keeps files waiting, as an operator sees it: the real service behind a real browser.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openBrowser, type TestBrowser } from '@chancela/testkit/browser'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { builtPages } from '@chancela/testkit/pages'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  API_KEY,
  demoPki,
  profileOf,
  type RunningBatchSigner,
  startBatchSigner,
} from '../../../../services/batch-signer/test/test-support/running-service.ts'
import { axeFindings, namelessControls } from '../../test/accessibility.ts'
import { swapBundle } from '../../test/bundle-proxy.ts'

let bundle: string
let browser: TestBrowser

beforeAll(async () => {
  bundle = await builtPages('batch')
  browser = await openBrowser()
})

afterAll(() => browser.close())

const [holder] = demoHolders
const PASSWORD = holder!.pin

const DAY = 86_400_000

/** A service and a time at which the certificate of its default profile ends tomorrow; the other has no key yet. */
async function service(): Promise<{ running: RunningBatchSigner; now: Date }> {
  const { pki } = await demoPki()
  const now = new Date(Date.parse(pki.certificate(holder!.label).x509.validTo) - DAY)
  const ahead = now.getTime() - Date.now()
  // What the authorities publish today is out of date by then.
  const common = { Level: 'B-B', ValidateCertificate: false }
  const running = await startBatchSigner({
    database: 'SQLite',
    clock: () => new Date(Date.now() + ahead),
    inputs: ['default', 'payroll'],
    profiles: [
      profileOf(holder!.label, { ...common, Name: 'default', InputFolder: 'default' }),
      profileOf(holder!.label, {
        ...common,
        Name: 'payroll',
        InputFolder: 'payroll',
        Format: 'Cades',
        Pkcs12File: 'late.p12',
      }),
    ],
  })
  await writeFile(join(running.input('payroll'), 'folha.txt'), 'folha de pagamento')
  return { running, now }
}

const words = {
  'en-US': {
    region: 'What needs attention',
    expires: 'the certificate expires tomorrow',
    held: 'the key cannot be opened',
    waits: '1 file waits.',
    tryNow: 'Try payroll now',
    signs: 'payroll signs again.',
    signIn: 'Sign in',
    key: 'API key',
  },
  'pt-BR': {
    region: 'O que pede atenção',
    expires: 'o certificado expira amanhã',
    held: 'a chave não pode ser aberta',
    waits: '1 arquivo aguarda.',
    tryNow: 'Tentar payroll agora',
    signs: 'payroll voltou a assinar.',
    signIn: 'Entrar',
    key: 'Chave de API',
  },
} as const

test.each([
  [390, 'pt-BR'],
  [1280, 'en-US'],
  [390, 'en-US'],
  [1280, 'pt-BR'],
] as const)(
  'at %d pixels in %s an operator sees tomorrow’s expiring certificate and a held profile, and tries it now',
  async (width, locale) => {
    const { running, now } = await service()
    const { origin, stop } = await swapBundle(bundle, running.full.baseUrl)
    const { page } = await browser.newPage({ locale, viewport: { width, height: 800 } })
    onTestFinished(async () => {
      await page.context().close()
      await stop()
    })
    await page.clock.setSystemTime(now)
    const said = words[locale]
    await page.goto(`${origin}/login?ReturnUrl=${encodeURIComponent('/profiles')}`)
    await page.getByLabel(said.key).fill(API_KEY)
    await page.getByRole('button', { name: said.signIn, exact: true }).click()
    const band = page.getByRole('region', { name: said.region })
    await band.getByText(said.expires).waitFor()
    await page.goto(`${origin}/`)
    await band.getByText(said.expires).waitFor()
    await band.getByText(said.held).waitFor()
    await band.getByText(said.waits).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    expect(await namelessControls(page)).toEqual([])
    expect((await axeFindings(page)).filter((finding) => !finding.startsWith('region:'))).toEqual([])

    const { pki } = await demoPki()
    const file = pki.pkcs12(pki.certificate(holder!.label), { password: PASSWORD })
    await writeFile(join(running.folder, 'late.p12'), file)
    await band.getByRole('button', { name: said.tryNow }).click()
    await page.getByText(said.signs).first().waitFor()
    await band.getByText(said.held).waitFor({ state: 'detached' })
    const list = () => running.full.json<{ items: { status: string }[] }>('GET', '/api/jobs')
    await expect.poll(async () => (await list()).body.items.map(({ status }) => status)).toEqual(['Completed'])
  },
)
