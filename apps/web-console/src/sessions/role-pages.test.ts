import { newAdministrator } from '@chancela/testkit/console'
import { expect, test } from 'vitest'
import {
  type SessionWorld,
  sharedSessionServer,
} from '../../../../services/session-server/test/test-support/session-world.ts'
import { newHolder } from '../../../../services/session-server/test/test-support/vault.ts'
import type { Page } from '../../test/bundle-pages.ts'
import { sessionPages } from '../../test/sessions-world.ts'

const { consoleOf } = sessionPages()

const server = sharedSessionServer('SQLite')

const inDialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const pressInDialog = (page: Page, name: string) => inDialog(page).getByRole('button', { name, exact: true }).click()
const said = (page: Page, text: string) => page.getByText(text).first().waitFor()

const pages = [
  '/applications',
  '/certificates',
  '/workstations',
  '/sessions',
  '/signatures',
  '/lockouts',
  '/administrators',
  '/events',
] as const

/** The page with what it shows. */
async function opened(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.locator('h1').waitFor()
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
}

/** Something of everything that has buttons. */
async function fill(world: SessionWorld, administrator: { call(method: string, path: string, body: object): unknown }) {
  const { cpf, pin } = await newHolder(world)
  await world.json('POST', '/v1/sessions', { cpf, pin })
  const locked = await newHolder(world)
  for (let wrong = 0; wrong < 5; wrong++) await world.json('POST', '/v1/sessions', { cpf: locked.cpf, pin: 'x' })
  await administrator.call('POST', '/api/workstations', { name: 'Recepção', cpfs: [cpf] })
}

const mainButtons = async (page: Page) => {
  const names = await page
    .getByRole('main')
    .getByRole('button')
    .evaluateAll((buttons) =>
      buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent?.trim() ?? ''),
    )
  // Those that search and page are for everybody, and a row opens its details.
  return names.filter((name) => /^(New|Import|Add|Change|Revoke|End|Clear|Remove|Reset|Sign out|Disable)/.test(name))
}

test('an administrator adds an auditor, who becomes support; the account page says the role', async () => {
  const { enter } = await consoleOf(server())
  const { page } = await enter('/administrators', { provoked: /403/ })
  await press(page, 'Add administrator')
  const email = `${crypto.randomUUID()}@example.com`
  const name = `Rui ${crypto.randomUUID().slice(0, 6)}`
  await inDialog(page).getByLabel('Name').fill(name)
  await inDialog(page).getByLabel('E-mail').fill(email)
  await inDialog(page).getByRole('textbox', { name: 'First password' }).fill('uma senha para o Rui')
  await inDialog(page).getByRole('combobox', { name: 'Role' }).selectOption('Auditor')
  await said(page, 'Reads everything and exports the events; changes nothing.')
  await pressInDialog(page, 'Add')
  const row = page.getByRole('row', { name: new RegExp(name) })
  await row.getByText('Auditor').waitFor()
  await press(page, `Change role of ${name}`)
  expect(await inDialog(page).getByRole('button', { name: 'Change role' }).isDisabled()).toBe(true)
  await inDialog(page).getByRole('combobox', { name: 'Role' }).selectOption('Support')
  await pressInDialog(page, 'Change role')
  await row.getByText('Support').waitFor()

  const { page: desk } = await enter('/account', { role: 'support', locale: 'pt-BR' })
  await said(desk, 'Suporte: Lê o que os titulares perguntam e os ajuda')
})

test('an auditor sees every page and no button that would be refused', async () => {
  const world = server()
  const { enter, origin } = await consoleOf(world)
  const { page: first, administrator } = await enter('/')
  await fill(world, administrator)
  await newAdministrator(world)
  await opened(first, `${origin}/workstations`)
  expect(await mainButtons(first)).not.toEqual([])
  const { page } = await enter('/', { role: 'auditor' })
  for (const path of pages) {
    await opened(page, `${origin}${path}`)
    expect([path, await mainButtons(page)]).toEqual([path, []])
  }
})

test('support sees the pages it may read, and the buttons that help holders', async () => {
  const world = server()
  const { enter, origin } = await consoleOf(world)
  const { administrator } = await enter('/')
  await fill(world, administrator)
  const { page } = await enter('/', { role: 'support', provoked: /403/ })
  const links = page.getByRole('navigation').first().getByRole('link')
  await links.nth(1).waitFor()
  expect((await links.allTextContents()).map((text) => text.trim())).toEqual([
    'Overview',
    'Certificates',
    'Workstations',
    'Sessions',
    'History',
    'Signatures',
    'PIN lockouts',
  ])
  for (const [path, allowed] of [
    ['/workstations', /^New code/],
    ['/sessions', /^End/],
    ['/lockouts', /^Clear/],
  ] as const) {
    await opened(page, `${origin}${path}`)
    const names = await mainButtons(page)
    expect([path, names.length > 0, names.filter((name) => !allowed.test(name))]).toEqual([path, true, []])
  }
  await page.goto(`${origin}/administrators`)
  await said(page, 'Your role does not allow this.')
})

test.each([
  [390, 'pt-BR'],
  [320, 'pt-BR'],
  [1280, 'en-US'],
] as const)('at %d pixels in %s the dialogs of roles do not hang over the edge', async (width, locale) => {
  const { enter } = await consoleOf(server())
  const { page } = await enter('/administrators', { locale, viewport: { width, height: 800 } })
  const isPortuguese = locale === 'pt-BR'
  const within = async () =>
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  await press(page, isPortuguese ? 'Adicionar administrador' : 'Add administrator')
  await inDialog(page).getByRole('combobox').selectOption('support')
  await within()
  await page.keyboard.press('Escape')
  await page
    .getByRole('button', { name: isPortuguese ? /^Trocar papel de/ : /^Change role of/ })
    .first()
    .click()
  await inDialog(page).getByRole('combobox').selectOption('auditor')
  await within()
  await page.keyboard.press('Escape')
})
