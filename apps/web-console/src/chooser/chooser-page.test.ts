import { type RunningCloudProvider, startCloudProvider } from '@chancela/testkit/cloud-provider'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { allowRedirects, returnedUser } from '../../../../services/cloud-hub/test/test-support/authorized.ts'
import { type HubWorld, startHub } from '../../../../services/cloud-hub/test/test-support/hub-world.ts'
import { clock, running } from '../../../../services/cloud-hub/test/test-support/pki.ts'
import { addProvider } from '../../../../services/cloud-hub/test/test-support/providers.ts'
import { namelessControls } from '../../test/accessibility.ts'
import { bundlePages, type VisitOptions } from '../../test/bundle-pages.ts'

const pages = bundlePages('chooser')

const ANA = demoHolders.find(({ label }) => label === 'ana-souza')!

/** A CPF nobody holds a certificate for. */
const NOBODY = '00000000191'

let provider: RunningCloudProvider
beforeAll(async () => {
  provider = await startCloudProvider({ pki: running.pki, clock })
})
beforeEach(() => provider.recover())
afterAll(() => provider.stop())

/** A hub with two providers; its chooser page is built from the current sources. */
async function chooserOf() {
  let hub: HubWorld | undefined
  const { origin, stop } = await pages.swap(() => hub!.baseUrl, '/choose')
  onTestFinished(stop)
  const world = await startHub('SQLite', {
    settings: { Http: { PublicUrl: origin }, Providers: { BreakerFailures: 1 }, Discovery: { CacheSeconds: 0 } },
  })
  hub = world
  for (const serviceName of ['Nuvem', 'Outra']) await addProvider(world, provider, { protocol: 'psc', serviceName })
  // The client's page is not served: the test only checks that the user is redirected there.
  const redirectUri = `${origin}/client`
  await allowRedirects(world, redirectUri)

  /** The address the client sends a user to. */
  async function ticket(asked: object = {}): Promise<string> {
    const { body } = await world.json('POST', '/api/sessions/chooser', { redirectUri, ...asked })
    return new URL(body.chooserUrl).pathname
  }
  const elsewhere = [new URL(provider.psc.baseUrl).origin]
  const visit = (path: string, options: VisitOptions = {}) =>
    pages.visit(origin, path, clock, { elsewhere, provoked: /404/, ...options })
  return { world, origin, ticket, visit }
}

test('a holder reads who asks, chooses a provider and arrives at its pages', async () => {
  const { world, ticket, visit } = await chooserOf()
  const page = await visit(await ticket({ identifier: ANA.cpf }), { locale: 'pt-BR' })
  await page.getByText(`${world.client.name} pede que você assine com um certificado em nuvem.`).waitFor()
  await page.getByText('Esta página vale por mais 5 minutos.').waitFor()
  const offers = page.getByRole('list', { name: 'Provedores' }).getByRole('link')
  expect(await offers.count()).toBe(2)
  expect(await offers.evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).rel))).toEqual(
    Array(2).fill('noreferrer'),
  )
  // The hub's generated logo, used where none is configured.
  await expect
    .poll(() =>
      page
        .locator('img')
        .first()
        .evaluate((image) => (image as HTMLImageElement).naturalWidth),
    )
    .toBeGreaterThan(0)
  await page.getByRole('link', { name: /^Nuvem/ }).click()
  await page.waitForURL(`${new URL(provider.psc.baseUrl).origin}/**`)
})

test('who chooses none of them goes back to the client', async () => {
  const { ticket, visit } = await chooserOf()
  const page = await visit(await ticket())
  await page.getByRole('link', { name: 'None of these' }).click()
  await page.waitForURL('**/client?*')
  expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
})

/** A list that a session is bound to. */
const listed = (names: readonly string[]) => ({
  type: 'SignatureSession',
  digestAlgorithm: 'SHA-256',
  documents: names.map((name, at) => ({ name, hash: Buffer.alloc(32, at + 1).toString('base64') })),
})

test('a session bound to a list sends the holder here: names and number are read before the provider is seen', async () => {
  const { world, visit } = await chooserOf()
  const names = ['Receita de Ana.pdf', 'Atestado & exame <1>.pdf']
  const redirectUri = `${world.settings.Http.PublicUrl}/client`
  const body = { redirectUri, ...listed(names) }
  const { authUrl } = (await world.json('POST', '/api/sessions/services/Nuvem', body)).body
  const page = await visit(new URL(authUrl).pathname, { locale: 'pt-BR' })
  await page.getByRole('heading', { name: 'Veja o que você vai assinar' }).waitFor()
  await page.getByText(`${world.client.name} pede que você assine 2 documentos com um certificado em nuvem.`).waitFor()
  expect(await page.getByRole('list', { name: 'Documentos' }).getByRole('listitem').allInnerTexts()).toEqual(names)
  expect(await page.getByRole('list', { name: 'Provedores' }).getByRole('link').count()).toBe(1)
  await page.getByRole('link', { name: /^Nuvem/ }).click()
  await page.waitForURL(`${new URL(provider.psc.baseUrl).origin}/**`)
})

test('the chooser shows the list, too, and who wants to sign nothing goes back to the client', async () => {
  const { ticket, visit } = await chooserOf()
  const page = await visit(await ticket(listed(['Report.pdf'])))
  await page.getByText(/asks you to sign one document/).waitFor()
  expect(await page.getByRole('list', { name: 'Providers' }).getByRole('link').count()).toBe(2)
  await page.getByRole('link', { name: 'Sign nothing' }).click()
  await page.waitForURL('**/client?*')
  expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
})

test.each([
  [320, 'pt-BR', 'dark'],
  [390, 'en-US', 'light'],
  [1280, 'pt-BR', 'light'],
] as const)('a hundred documents with long names stay in the page at %d pixels in %s, %s', async (...look) => {
  const [width, locale, colorScheme] = look
  const { ticket, visit } = await chooserOf()
  const names = Array.from({ length: 100 }, (_, at) => `${at} ${'Laudo_sem_espaço_'.repeat(11)}.pdf`)
  const path = await ticket(listed(names))
  const page = await visit(path, { locale, colorScheme, viewport: { width, height: 700 } })
  const last = page.getByText(names.at(-1)!)
  await last.scrollIntoViewIfNeeded()
  const { left, right } = await last.evaluate((shown) => shown.getBoundingClientRect())
  expect([left >= 0, right <= width]).toEqual([true, true])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  expect(await namelessControls(page)).toEqual([])
})

test('a provider that does not answer comes last and says so, and can still be tried', async () => {
  const { world, ticket, visit } = await chooserOf()
  const path = await ticket({ identifier: ANA.cpf })
  provider.failAlways('token', { status: 500 })
  await returnedUser(world, provider, { holder: ANA.label, serviceName: 'Nuvem' })
  const page = await visit(path)
  const offers = page.getByRole('list', { name: 'Providers' }).getByRole('link')
  await offers.nth(1).getByText('Not answering').waitFor()
  expect(await offers.nth(0).innerText()).toContain('Outra')
  expect(await offers.nth(1).innerText()).toContain('Nuvem')
  await offers.nth(1).click()
  await page.waitForURL(`${new URL(provider.psc.baseUrl).origin}/**`)
})

test('a logo that does not come gives way to the first letter', async () => {
  const { world, ticket, visit } = await chooserOf()
  const path = await ticket()
  const page = await visit('/choose/unknown', { provoked: /404|ERR_/ })
  await page.route('**/badges/Nuvem.svg', (route) => route.abort())
  await page.goto(`${world.settings.Http.PublicUrl}${path}`)
  const offer = page.getByRole('link', { name: /^Nuvem/ })
  await offer.getByText('N', { exact: true }).waitFor()
  expect(
    await page
      .getByRole('link', { name: /^Outra/ })
      .locator('img')
      .count(),
  ).toBe(1)
})

test('an address nobody knows says that it is no longer good', async () => {
  const { visit } = await chooserOf()
  const page = await visit('/choose/nobody-knows-this')
  await page.getByRole('alert').getByRole('heading', { name: 'This page is no longer good' }).waitFor()
  expect(await page.getByRole('link').count()).toBe(0)
})

test('a page whose time is over while one looks says so, and shows the way back', async () => {
  const { world, ticket, visit } = await chooserOf()
  const page = await visit(await ticket({ lifetimeInSeconds: 60 }))
  await page.clock.install({ time: clock() })
  await page.reload()
  await page.getByText('This page is good for one minute more.').waitFor()
  world.clock.advance(61_000)
  await page.clock.fastForward('01:01')
  await page.getByRole('alert').getByText('Its time is over').waitFor()
  await page.getByRole('link', { name: `Back to ${world.client.name}` }).click()
  await page.waitForURL('**/client?*')
})

test('a phone whose clock is ahead shuts nobody out: the hub decides', async () => {
  const { ticket, visit } = await chooserOf()
  const page = await visit(await ticket({ lifetimeInSeconds: 60 }))
  await page.clock.install({ time: clock() })
  await page.reload()
  await page.getByText('This page is good for one minute more.').waitFor()
  const asked = page.waitForResponse('**/choices/*')
  await page.clock.fastForward('01:01')
  expect((await asked).status()).toBe(200)
  await page.getByText('This page is good for').waitFor({ state: 'detached' })
  expect(await page.getByRole('list', { name: 'Providers' }).getByRole('link').count()).toBe(2)
})

test('where no provider holds a certificate, that is told', async () => {
  const { world, ticket, visit } = await chooserOf()
  const page = await visit(await ticket({ identifier: NOBODY }))
  await page.getByRole('heading', { name: 'No certificate in the cloud was found' }).waitFor()
  await page.getByRole('link', { name: `Back to ${world.client.name}` }).click()
  await page.waitForURL('**/client?*')
})

test('a hub that does not answer is told, and asked again on request', async () => {
  const { ticket, visit } = await chooserOf()
  const path = await ticket()
  const page = await visit('/choose/unknown', { provoked: /404|ERR_/ })
  await page.route('**/choices/*', (route) => route.abort())
  await page.goto(new URL(path, page.url()).href)
  await page.getByRole('heading', { name: 'The providers cannot be shown now' }).waitFor()
  await page.unroute('**/choices/*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('list', { name: 'Providers' }).waitFor()
})

test.each([
  [320, 'pt-BR', 'dark'],
  [375, 'en-US', 'light'],
] as const)(
  'at %d pixels in %s, %s, nothing hangs over the edge, everything to press has a name, and the other language is kept',
  async (width, locale, colorScheme) => {
    const { origin, ticket, visit } = await chooserOf()
    const path = await ticket()
    const page = await visit(path, { locale, colorScheme, viewport: { width, height: 700 } })
    for (const address of [path, '/choose/unknown']) {
      await page.goto(`${origin}${address}`)
      await page.locator('h1').waitFor()
      expect(await page.locator('html').getAttribute('lang')).toBe(locale)
      expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe(colorScheme)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      expect(await namelessControls(page)).toEqual([])
    }
    const other = locale === 'pt-BR' ? 'en-US' : 'pt-BR'
    await page.locator(`button[lang=${other}]`).click()
    await page.reload()
    await page.locator(`html[lang=${other}]`).waitFor()
  },
)
