// Signing in at an identity provider, in a real browser, with the real service.
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { idpSettings, newProvider, openFor } from '../../../../services/batch-signer/test/test-support/idp.ts'
import { API_KEY, startBatchSigner } from '../../../../services/batch-signer/test/test-support/running-service.ts'
import { axeFindings, namelessControls } from '../../test/accessibility.ts'
import { bundlePages, type Page, type VisitOptions } from '../../test/bundle-pages.ts'

const { visit, swap } = bundlePages('batch')

const provider = await newProvider()
afterAll(() => provider.close())

// The provider's own pages load a font from another site and an icon that does not exist.
const elsewhere = [provider.issuer, 'https://fonts.googleapis.com']

/** The service behind the present pages, and visitors of it. */
async function dashboard() {
  const Auth = { ApiKey: API_KEY, Idp: idpSettings(provider) }
  const service = await startBatchSigner({ database: 'SQLite', settings: { Auth } })
  const { origin, stop } = await swap(service.full.baseUrl)
  onTestFinished(stop)
  openFor(provider, origin)
  const open = (path: string, options: VisitOptions = {}) =>
    visit(origin, path, () => new Date(), { provoked: /401|404|font|ERR_/, elsewhere, ...options })
  return { open, origin }
}

const WAY = /^(Sign in with your organization|Entrar com a sua organização)$/

async function signIn(page: Page, login: string) {
  await page.getByRole('link', { name: WAY }).click()
  await page.locator('input[name=login]').fill(login)
  await page.locator('input[name=password]').fill('whatever')
  // The second page asks whether the service may learn who it is.
  await page.locator('button[type=submit]').click()
  await page.locator('button[type=submit]').click()
}

async function expectUsable(page: Page) {
  expect(await namelessControls(page)).toEqual([])
  expect(await axeFindings(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
}

test('an administrator signs in, comes back to where they were going, and signs out', async () => {
  const { open, origin } = await dashboard()
  const page = await open('/jobs?status=Failed')
  await page.getByRole('link', { name: WAY }).waitFor()
  expect(await page.getByLabel('API key').count()).toBe(0)
  await expectUsable(page)
  await signIn(page, 'ana')
  await page.getByText('No job fits these filters').waitFor()
  expect(page.url()).toBe(`${origin}/jobs?status=Failed`)
  await page.getByText('Signed in as ana@casa').waitFor()
  await page.reload()
  await page.getByText('Signed in as ana@casa').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: WAY }).waitFor()
  await page.goto(`${origin}/system`)
  await page.getByRole('link', { name: WAY }).waitFor()
})

test.each([
  [1280, 'en-US', 'No access', 'Sign in again'],
  [390, 'pt-BR', 'Sem acesso', 'Entrar de novo'],
] as const)('somebody without a role is told so at %d px in %s', async (width, locale, title, again) => {
  const { open } = await dashboard()
  const page = await open('/login', { locale, viewport: { width, height: 800 } })
  await signIn(page, 'nobody')
  await page.getByRole('heading', { name: title }).waitFor()
  await expectUsable(page)
  await page.getByRole('link', { name: again }).click()
  await page.getByRole('link', { name: WAY }).waitFor()
})

test('a sign-in that failed is explained, in words that fit the provider', async () => {
  const { open, origin } = await dashboard()
  const page = await open('/login?error=invalid', { locale: 'pt-BR', viewport: { width: 390, height: 800 } })
  await page.getByRole('alert').getByText('A entrada foi recusada').waitFor()
  await expectUsable(page)
  provider.shut()
  await page.goto(`${origin}/signin-oidc?code=x&state=y`)
  await page.getByRole('alert').getByText('A entrada foi recusada').waitFor()
})

test.each([
  [1280, 'en-US', 'Approvals', 'Nothing waits for you', 'Sign out', 'Open your link'],
  [390, 'pt-BR', 'Aprovações', 'Nada aguarda você', 'Sair', 'Abra o seu link'],
] as const)(
  'at %d px in %s an approver comes to the portal, and opens no page of operators',
  async (width, locale, title, nothing, signOut, noLink) => {
    const { open, origin } = await dashboard()
    const page = await open('/approvals/link-required', { locale, viewport: { width, height: 800 } })
    await expectUsable(page)
    await signIn(page, 'rui')
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    await page.getByText(nothing).waitFor()
    await page.getByText('Rui@Example.com').waitFor()
    await expectUsable(page)
    for (const path of ['/', '/jobs', '/profiles', '/system']) {
      await page.goto(`${origin}${path}`)
      await page.getByRole('link', { name: WAY }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/login')
    }
    await page.goto(`${origin}/approvals`)
    await page.getByRole('button', { name: signOut }).click()
    await page.getByRole('heading', { name: noLink }).waitFor()
  },
)
