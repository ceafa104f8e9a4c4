import { browserOf, codeOf, newAdministrator, PASSWORD, signedIn } from '@chancela/testkit/console'
import { afterAll, expect, test } from 'vitest'
import {
  client,
  reserveIdentityProvider,
} from '../../../../services/session-server/test/test-support/identity-provider.ts'
import {
  sharedSessionServer,
  startSessionServer,
} from '../../../../services/session-server/test/test-support/session-world.ts'
import { cutTables } from '../../test/accessibility.ts'
import type { Page } from '../../test/bundle-pages.ts'
import { passThroughProvider } from '../../test/pass-through-provider.ts'
import { readQrCodeOn, sessionPages } from '../../test/sessions-world.ts'

const { consoleOf } = sessionPages()

const server = sharedSessionServer('SQLite')

/** How long an authenticator app shows a code. */
const STEP_MS = 30_000

async function givePassword(page: Page, email: string, password = PASSWORD) {
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('the first sign-in leads to an authenticator app, the next one asks for its code', async () => {
  const { clock } = server()
  const { email } = await newAdministrator(server())
  const { visit, origin } = await consoleOf(server())
  const page = await visit('/certificates?status=ACTIVE', { provoked: /401|422/ })
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await givePassword(page, email, 'another password')
  await page.getByRole('alert').getByText('E-mail, password and code do not belong together.').waitFor()
  await givePassword(page, email)

  await page.getByRole('heading', { name: 'Set up an authenticator app' }).waitFor()
  const scanned = new URL((await readQrCodeOn(page))!)
  const secret = scanned.searchParams.get('secret')!
  expect(scanned.protocol).toBe('otpauth:')
  expect((await page.locator('code').first().textContent())!.replaceAll(' ', '')).toBe(secret)
  await page.getByLabel('Code').fill(codeOf(secret, new Date(clock().getTime() + 20 * STEP_MS)))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('alert').getByText('This is not the code the app shows.').waitFor()
  const shown = codeOf(secret, clock())
  await page.getByLabel('Code').fill(`${shown.slice(0, 3)} ${shown.slice(3)}`)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()

  clock.advance(STEP_MS)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.goto(`${origin}/certificates?status=ACTIVE`)
  await givePassword(page, email)
  await page.getByRole('heading', { name: 'Code of the authenticator app' }).waitFor()
  await page.getByLabel('Code').fill(codeOf(secret, clock()))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Certificates', level: 1 }).waitFor()
  expect(new URL(page.url()).search).toBe('?status=ACTIVE')
})

test('until an authenticator app is set up, every page leads there', async () => {
  const { email } = await newAdministrator(server())
  const { visit, origin } = await consoleOf(server())
  const page = await visit('/login', { provoked: /401|403/ })
  await givePassword(page, email)
  await page.getByRole('heading', { name: 'Set up an authenticator app' }).waitFor()
  await page.goto(`${origin}/sessions`)
  await page.getByRole('heading', { name: 'Set up an authenticator app' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('an administrator changes the password and the authenticator app', async () => {
  const { clock } = server()
  const { enter } = await consoleOf(server())
  const { page, administrator } = await enter('/account', { provoked: /401|422/ })
  const change = async (present: string) => {
    await page.getByRole('textbox', { name: 'Present password' }).fill(present)
    await page.getByRole('textbox', { name: 'New password' }).fill('uma outra senha comprida')
    await page.getByRole('button', { name: 'Change password' }).click()
  }
  await change('not this one')
  await page.getByRole('alert').getByText('This is not your present password.').waitFor()
  await change(PASSWORD)
  await page.getByText('The password was changed.').first().waitFor()

  await page.getByRole('link', { name: 'Set up another app' }).click()
  const secret = new URL((await readQrCodeOn(page))!).searchParams.get('secret')!
  expect(secret).not.toBe(administrator.secret)
  clock.advance(STEP_MS)
  await page.getByLabel('Code').fill(codeOf(secret, clock()))
  await page.getByLabel('Of the app you use now').fill(codeOf(administrator.secret, clock()))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
})

test('a change of administrators long after the sign-in asks for password and code, and is then made', async () => {
  const { clock } = server()
  const { enter } = await consoleOf(server())
  const { page, administrator } = await enter('/administrators', { provoked: /403|422/ })
  const { email } = await newAdministrator(server())
  await page.reload()
  clock.advance(15 * 60_000)
  await page
    .getByRole('row', { name: new RegExp(email) })
    .getByRole('button', { name: 'Remove Ana Souza' })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  const proof = page.getByRole('dialog', { name: 'Is it you?' })
  const give = async (password: string) => {
    await proof.getByRole('textbox', { name: 'Password' }).fill(password)
    await proof.getByLabel('Code').fill(codeOf(administrator.secret, clock()))
    await proof.getByRole('button', { name: 'Continue' }).click()
  }
  await give('not this one')
  await proof.getByText('Password and code do not belong together').waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await give(PASSWORD)
  await page.getByText('Ana Souza was removed.').first().waitFor()
  await expect.poll(() => page.getByRole('row', { name: new RegExp(email) }).count()).toBe(0)
})

test('an administrator sees where they are signed in, and ends what they do not know', async () => {
  const { clock } = server()
  const { enter } = await consoleOf(server())
  const { page, administrator } = await enter('/account')
  const another = browserOf(server())
  const signIn = async () => {
    clock.advance(STEP_MS)
    await another.signIn(administrator.email, codeOf(administrator.secret, clock()))
  }
  const isSignedIn = async () => (await another.call('GET', '/api/session')).status === 200
  await signIn()
  await page.reload()
  const sessions = page.getByRole('table', { name: 'Where you are signed in' })
  await sessions.getByRole('row', { name: /this one.*127\.0\.0\.1/ }).waitFor()
  expect(await isSignedIn()).toBe(true)
  await sessions.getByRole('button', { name: 'End the session from 127.0.0.1' }).click()
  await page.getByText('Sessions ended: 1.').first().waitFor()
  expect(await isSignedIn()).toBe(false)

  await signIn()
  await page.reload()
  await page.getByRole('button', { name: 'End all others' }).click()
  await page.getByText('Sessions ended: 1.').first().waitFor()
  expect(await isSignedIn()).toBe(false)
  await sessions.getByText('this one').waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(cutTables)).toBe(0)
})

test('recovery codes are shown once and counted', async () => {
  const { enter } = await consoleOf(server())
  const { page } = await enter('/account')
  await page.getByText('Recovery codes left: 0.').waitFor()
  await page.getByRole('button', { name: 'Make new recovery codes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Keep these recovery codes' })
  const codes = await dialog.locator('code').allTextContents()
  expect(codes).toHaveLength(10)
  await page.setViewportSize({ width: 390, height: 844 })
  await dialog.getByRole('button', { name: 'I have saved them' }).click()
  await page.getByText('Recovery codes left: 10.').waitFor()
  expect(await page.content()).not.toContain(codes[0])
})

test('an administrator signs another one out everywhere', async () => {
  const other = await signedIn(server())
  const { enter } = await consoleOf(server())
  const { page } = await enter('/administrators')
  const sessions = page.getByRole('table', { name: 'Who is signed in' })
  await sessions.getByRole('row', { name: new RegExp(other.email) }).waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(cutTables)).toBe(0)
  await page.getByRole('button', { name: `Sign out ${other.email} everywhere` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByText('Sessions ended: 1.').first().waitFor()
  expect((await other.call('GET', '/api/session')).status).toBe(401)
})

const provider = await reserveIdentityProvider()
afterAll(() => provider.close())

test('an administrator signs in at the identity provider; somebody else is told that they may not', async () => {
  const Oidc = {
    Enabled: true,
    Title: 'Hospital',
    Issuer: provider.issuer,
    ClientId: client.id,
    ClientSecret: client.secret,
    Administrators: ['ana@example.com'],
  }
  const { visit, origin } = await consoleOf(await startSessionServer('SQLite', { settings: { Oidc } }))
  provider.open({
    accounts: {
      ana: { email: 'ana@example.com', email_verified: true, name: 'Ana Souza' },
      rui: { email: 'rui@example.com', email_verified: true },
    },
    redirectUris: [`${origin}/oidc/callback`],
  })
  const passThrough = async (login: string) => {
    // The provider's own pages load a font from another site and an icon that does not exist.
    const page = await visit('/login', {
      provoked: /401|404|font|ERR_/,
      elsewhere: [provider.issuer, 'https://fonts.googleapis.com'],
    })
    await passThroughProvider(page, login)
    return page
  }
  const ana = await passThrough('ana')
  await ana.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await ana.getByText('Signed in as Ana Souza').waitFor()
  const rui = await passThrough('rui')
  await rui.getByRole('alert').getByText('did not name somebody who administers this server').waitFor()
})
