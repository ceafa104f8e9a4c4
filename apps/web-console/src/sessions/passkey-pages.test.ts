import { newAdministrator, PASSWORD } from '@chancela/testkit/console'
import { expect, test } from 'vitest'
import { sharedSessionServer } from '../../../../services/session-server/test/test-support/session-world.ts'
import { axeFindings, cutTables, namelessControls } from '../../test/accessibility.ts'
import type { Page } from '../../test/bundle-pages.ts'
import { sessionPages } from '../../test/sessions-world.ts'

const { consoleOf } = sessionPages()

const server = sharedSessionServer('SQLite')

/** Chromium's own authenticator in software, which knows its user unless told otherwise. */
async function authenticatorOf(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options })
  const knowsUser = (isUserVerified: boolean) =>
    session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  return { knowsUser }
}

async function givePassword(page: Page, email: string) {
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function addPasskey(page: Page, name: string) {
  await page.getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name of the passkey').fill(name)
  await dialog.getByRole('button', { name: 'Continue' }).click()
}

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}

test('a passkey is enrolled in place of an app, signs in alone, and after the password', async () => {
  const { email } = await newAdministrator(server())
  const { visit } = await consoleOf(server())
  const page = await visit('/login?ReturnUrl=%2Fcertificates', { provoked: /401/ })
  await authenticatorOf(page)
  await givePassword(page, email)
  await page.getByRole('heading', { name: 'Set up an authenticator app' }).waitFor()
  await addPasskey(page, 'Work laptop')
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()

  await signOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()

  await signOut(page)
  await givePassword(page, email)
  await page.getByRole('heading', { name: 'Your second factor' }).waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
})

test('a passkey that does not know its user, or none at all, signs nobody in and says why', async () => {
  const { visit } = await consoleOf(server())
  const page = await visit('/login')
  const { knowsUser } = await authenticatorOf(page)
  const signIn = () => page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await signIn()
  await page.getByRole('alert').getByText('The browser gave no passkey').waitFor()
  await knowsUser(false)
  await signIn()
  await page.getByRole('alert').getByText('The browser gave no passkey').waitFor()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('an administrator adds, renames and removes passkeys, which long after the sign-in a passkey proves', async () => {
  const { clock } = server()
  const { enter } = await consoleOf(server())
  const { page } = await enter('/account', { provoked: /403/ })
  await authenticatorOf(page)
  const table = page.getByRole('table', { name: 'Passkeys' })
  await addPasskey(page, 'Laptop')
  await table.getByRole('row', { name: /Laptop.*localhost.*never/ }).waitFor()
  await addPasskey(page, 'Laptop again')
  await page.getByRole('alert').getByText('This device has a passkey of yours for this site already.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click()

  clock.advance(15 * 60_000)
  await table.getByRole('button', { name: 'Rename Laptop' }).click()
  await page.getByRole('dialog').getByLabel('Name of the passkey').fill('Notebook')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename', exact: true }).click()
  const proof = page.getByRole('dialog', { name: 'Is it you?' })
  await proof.getByRole('button', { name: 'Use a passkey' }).click()
  await table.getByRole('row', { name: /Notebook/ }).waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(cutTables)).toBe(0)
  expect([await namelessControls(page), await axeFindings(page)]).toEqual([[], []])
  await table.getByRole('button', { name: 'Remove Notebook' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('The passkey Notebook was removed.').first().waitFor()
  await page.getByText('None yet.').waitFor()
})

test('in Portuguese, too, at 320 pixels, nothing runs over the edge', async () => {
  const { enter, visit } = await consoleOf(server())
  const viewport = { width: 320, height: 800 }
  const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)
  const { page } = await enter('/account', { locale: 'pt-BR', viewport })
  await authenticatorOf(page)
  await page.getByRole('button', { name: 'Adicionar chave de acesso' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Nome da chave de acesso').fill('Chave de segurança do escritório de Florianópolis')
  expect(await widthOf(page)).toBe(320)
  await dialog.getByRole('button', { name: 'Continuar' }).click()
  await page.getByRole('row', { name: /Florianópolis/ }).waitFor()
  expect(await widthOf(page)).toBe(320)
  const login = await visit('/login', { locale: 'pt-BR', viewport, provoked: /401|403/ })
  await login.getByRole('button', { name: 'Entrar com chave de acesso' }).waitFor()
  expect(await widthOf(login)).toBe(320)

  const { email } = await newAdministrator(server())
  await login.getByLabel('E-mail').fill(email)
  await login.getByRole('textbox', { name: 'Senha' }).fill(PASSWORD)
  await login.getByRole('button', { name: 'Entrar', exact: true }).click()
  await login.getByRole('button', { name: 'Adicionar chave de acesso' }).waitFor()
  expect(await widthOf(login)).toBe(320)
})
