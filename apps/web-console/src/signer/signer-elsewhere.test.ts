// A person signs in a session with a key that is elsewhere: on a SoftHSM2 token at a computer with the real agent, or at a
// provider of cloud certificates behind the real hub. The page speaks to its service alone.
import { openBrowser, type TestBrowser, type WatchedPage } from '@chancela/testkit/browser'
import { startCloudProvider } from '@chancela/testkit/cloud-provider'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { builtPages } from '@chancela/testkit/pages'
import { samplePdf } from '@chancela/testkit/samples'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { allowRedirects } from '../../../../services/cloud-hub/test/test-support/authorized.ts'
import { startHub } from '../../../../services/cloud-hub/test/test-support/hub-world.ts'
import { clock as hubClock } from '../../../../services/cloud-hub/test/test-support/pki.ts'
import { addProvider } from '../../../../services/cloud-hub/test/test-support/providers.ts'
import { type CoreWorld, startCore } from '../../../../services/pki-core/test/test-support/core-world.ts'
import { clock, running } from '../../../../services/pki-core/test/test-support/pki.ts'
import {
  begin,
  pdfDocument,
  readSession,
  signedFiles,
} from '../../../../services/pki-core/test/test-support/sessions.ts'
import { pdfsig } from '../../../../services/pki-core/test/test-support/signing.ts'
import { sharedTokens, tokenClock, withTokens } from '../../../../services/pki-core/test/test-support/tokens.ts'
import { newTokenStation } from '../../../../services/session-server/test/test-support/workstation.ts'
import { axeFindings, namelessControls } from '../../test/accessibility.ts'
import { swapBundle } from '../../test/bundle-proxy.ts'
import { approveIn } from '../../test/token-world.ts'

type Page = WatchedPage['page']

const ANA = demoHolders.find(({ label }) => label === 'ana-souza')!
const documents = [pdfDocument(samplePdf('Contract')), pdfDocument(samplePdf('Annex'), 'annex.pdf')]

const bundles = { signer: '', chooser: '' }
let browser: TestBrowser

beforeAll(async () => {
  for (const name of ['signer', 'chooser'] as const) bundles[name] = await builtPages(name)
  browser = await openBrowser()
})

afterAll(() => browser.close())

const sessions = sharedTokens()

/** A core behind its page, built from the current sources; what it is to know of others depends on its address. */
async function signerWorld(settingsAt: (origin: string) => Promise<object>, time = clock) {
  const front = await swapBundle(bundles.signer, () => world.baseUrl, '/signature-session')
  onTestFinished(front.stop)
  const settings = { Http: { PublicUrl: front.origin }, ...(await settingsAt(front.origin)) }
  const world: CoreWorld = await startCore('SQLite', settings, time)
  return { world, origin: front.origin }
}

interface Visitor {
  readonly locale: string
  readonly width: number
}

/** A visitor; the test fails on any request to others than these, a local port above all. */
async function visit(address: string, { locale, width }: Visitor, elsewhere: readonly string[] = []) {
  const watched = await browser.newPage({ locale, viewport: { width, height: 900 } })
  await watched.page.clock.setFixedTime(clock())
  const own = [new URL(address).origin, ...elsewhere]
  onTestFinished(async () => {
    await watched.page.context().close()
    expect(watched.errors.filter((error) => !/404|422/.test(error))).toEqual([])
    expect(watched.policyViolations).toEqual([])
    const isOwn = (one: string) => one.startsWith('blob:') || own.includes(new URL(one).origin)
    expect(watched.requests.filter((one) => !isOwn(one))).toEqual([])
  })
  await watched.page.goto(address)
  return watched.page
}

const desk: Visitor = { locale: 'en-US', width: 1280 }

const SHOTS = process.env.CHANCELA_SHOTS
let shot = 0

/** Nothing hangs over the edge, everything to press has a name, and axe finds nothing. */
async function check(page: Page, { locale, width }: Visitor): Promise<void> {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/signer-${++shot}-${locale}-${width}.png`, fullPage: true })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  expect(await namelessControls(page)).toEqual([])
  expect(await axeFindings(page)).toEqual([])
}

async function acceptedBy(world: CoreWorld, id: string, origin: string) {
  const session = await readSession(world, id)
  expect(session.status).toBe('Completed')
  // Links begin at the public address, which is the proxy's.
  expect(session.documents[0].signedFile.url.startsWith(origin)).toBe(true)
  for (const file of await signedFiles(session)) expect(await pdfsig(file)).toContain('Signature is Valid.')
  return session
}

describe('a token at a computer', () => {
  /** A holder with a token at a running agent, whose windows open in the browser. */
  async function holderThere() {
    const windows: Page[] = []
    const station = await newTokenStation(sessions(), {
      openBrowser: async (url) => {
        const { page } = await browser.newPage({ locale: 'pt-BR' })
        await page.goto(url)
        windows.push(page)
        return true
      },
    })
    return { station, agentWindow: () => vi.waitUntil(() => windows.shift(), { interval: 20 }) }
  }

  const tokenWorld = () => signerWorld(async () => withTokens(sessions()), tokenClock)

  test('found by CPF signs a session, whose agent says who asks for what; the way is first the next time', async () => {
    const [{ world, origin }, { station, agentWindow }] = [await tokenWorld(), await holderThere()]
    const asked = { documents, certificateRequirements: [{ type: 'Cpf', argument: station.cpf }] }
    const session = await begin(world, asked)
    const page = await visit(session.redirectUrl, desk)
    // No hub, no cloud certificate.
    const ways = page.getByRole('radiogroup', { name: 'How to sign' }).getByRole('radio')
    await ways.first().waitFor()
    expect(await ways.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))).toEqual([
      'file',
      'token',
    ])
    await page.getByText('Token or card at a computer', { exact: true }).click()
    await page.getByRole('button', { name: 'Sign with a token' }).click()
    const code = (await page.getByLabel('Code of this signature').textContent())!
    const window = await agentWindow()
    for (const told of [code, new URL(origin).host, 'contract.pdf', 'annex.pdf', '2 documentos'])
      await window.getByText(told).first().waitFor()
    await approveIn(window)
    await page.getByRole('heading', { name: 'The documents are signed.' }).waitFor()
    const { signerCertificate } = await acceptedBy(world, session.id, origin)
    expect(signerCertificate.pkiBrazil.cpf).toBe(station.cpf)

    const next = await begin(world, asked)
    await page.goto(next.redirectUrl)
    await page.getByRole('button', { name: 'Sign with a token' }).waitFor()
    expect(await ways.first().getAttribute('value')).toBe('token')
  })

  test('joins by the code where nobody is named; a refusal is told, and leaving closes the window there', async () => {
    const [{ world, origin }, { station, agentWindow }] = [await tokenWorld(), await holderThere()]
    const session = await begin(world, { documents })
    const page = await visit(`${session.redirectUrl}&way=token`, desk)
    const ask = async () => {
      await page.getByRole('button', { name: 'Sign with a token' }).click()
      await station.agent.pair((await page.getByLabel('Code of this signature').textContent())!)
      return agentWindow()
    }
    await (await ask()).getByRole('button', { name: 'Recusar' }).click()
    await page.getByRole('alert').getByText('The request was declined at the computer').waitFor()
    await ask()
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await expect.poll(() => station.said.some((sentence) => sentence.includes('taken back'))).toBe(true)
    await approveIn(await ask())
    await page.getByRole('heading', { name: 'The documents are signed.' }).waitFor()
    await acceptedBy(world, session.id, origin)
  })

  test.each([
    ['pt-BR', 390, 'Assinar com token', 'Código desta assinatura'],
    ['en-US', 1280, 'Sign with a token', 'Code of this signature'],
    ['es-ES', 390, 'Firmar con un token', 'Código de esta firma'],
  ] as const)('is asked for in %s at %i pixels, and nothing is cut off', async (locale, width, go, label) => {
    const { world } = await tokenWorld()
    const session = await begin(world, { documents })
    const page = await visit(`${session.redirectUrl}&way=token`, { locale, width })
    await page.getByRole('button', { name: go }).waitFor()
    await check(page, { locale, width })
    await page.getByRole('button', { name: go }).click()
    await page.getByLabel(label).waitFor()
    await check(page, { locale, width })
  })
})

describe('a cloud certificate', () => {
  async function cloudWorld() {
    hubClock.set(clock())
    const hubFront = await swapBundle(bundles.chooser, () => hub.baseUrl, '/choose')
    onTestFinished(hubFront.stop)
    const hub = await startHub('SQLite', { settings: { Http: { PublicUrl: hubFront.origin } } })
    const provider = await startCloudProvider({ pki: running.pki, clock })
    onTestFinished(() => provider.stop())
    await addProvider(hub, provider, { protocol: 'psc', serviceName: 'nuvem' })
    const { world, origin } = await signerWorld(async (at) => {
      await allowRedirects(hub, `${at}/cloud-return`)
      return { CloudHub: { Endpoint: hub.baseUrl, ApiKey: hub.client.apiKey } }
    })
    return { world, origin, elsewhere: [hubFront.origin, hub.baseUrl, new URL(provider.psc.baseUrl).origin] }
  }

  /** From the page of the session to the consent of the provider. */
  async function goToProvider(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Firmar con un certificado en la nube' }).click()
    await page.getByRole('link', { name: /nuvem/ }).click()
    await page.getByLabel('CPF ou CNPJ').fill(ANA.cpf)
    await page.getByLabel('PIN').fill(ANA.pin)
    await page.getByRole('button', { name: 'Continuar' }).click()
    await page.getByRole('heading', { name: 'Autorizar' }).waitFor()
  }

  test('signs after a first no, in Spanish on a phone, and the person is back and downloads', async () => {
    const { world, origin, elsewhere } = await cloudWorld()
    const phone = { locale: 'es-ES', width: 390 }
    const session = await begin(world, { documents })
    const page = await visit(session.redirectUrl, phone, elsewhere)
    await page.getByText('Certificado en la nube', { exact: true }).click()
    await check(page, phone)
    await goToProvider(page)
    await page.getByRole('button', { name: 'Recusar' }).click()
    await page.getByRole('alert').getByText('La firma no fue autorizada en el proveedor').waitFor()
    await check(page, phone)
    // The choice of the cloud certificate is kept after the refusal.
    await goToProvider(page)
    await page.getByRole('button', { name: 'Autorizar' }).click()
    await page.getByRole('heading', { name: 'Los documentos están firmados.' }).waitFor()
    await page.getByRole('button', { name: 'Descargar contract.pdf firmado' }).waitFor()
    await check(page, phone)
    await acceptedBy(world, session.id, origin)
  })

  test('sends a person who has nothing to download back to the application; another browser is told', async () => {
    const { world, origin, elsewhere } = await cloudWorld()
    const returnUrl = `${origin}/returned`
    const session = await begin(world, { documents, returnUrl, disableDownloads: true })
    // What the address says is not believed before the documents are signed.
    const page = await visit(`${session.redirectUrl}&cloud=signed`, { ...desk, locale: 'es-ES' }, elsewhere)
    await goToProvider(page)
    await page.getByRole('button', { name: 'Autorizar' }).click()
    await page.waitForURL(`${returnUrl}?signatureSessionId=${session.id}`)
    expect((await readSession(world, session.id)).status).toBe('Completed')
    await page.goto(`${origin}/cloud-return?signing=00000000-0000-0000-0000-000000000000&session=x`)
    await page.getByRole('alert').getByText('No se firmó nada').waitFor()
  })
})
